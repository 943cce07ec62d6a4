/**
 * The data block around outside text: an unguessable boundary, and a mark before every line and every few words, so that no
 * stretch of it reads like part of the prompt (N-21, datamarking). Must not sanitize: its input was sanitized with the same
 * boundary. Pure; called by layout.ts.
 */

/** Maximum words between two marks without a line or sentence end. */
const MARK_EVERY = 20
/** Characters of the boundary in a mark: enough to be distinct from any text, few enough to be cheap. */
const MARK_LENGTH = 4

export interface DataBlock {
  /** Unguessable, new for each call: letters and digits. */
  readonly boundary: string
  /** What the data is, in the kernel's words. */
  readonly name: string
  readonly body: string
}

/** The mark before a line or a stretch of outside text: `a3f1> `. The prompt's rules explain it to the model. */
export function dataMark(boundary: string): string {
  return `${boundary.slice(0, MARK_LENGTH)}>`
}

/**
 * `[data <boundary> <name>] … [/data <boundary>]`. Throws when the body contains the boundary, since it was not sanitized and
 * could end its block.
 */
export function dataBlock({ boundary, name, body }: DataBlock): string {
  if (boundary.length <= MARK_LENGTH) throw new TypeError('a boundary this short can be guessed')
  if (body.toLowerCase().includes(boundary.toLowerCase()))
    throw new TypeError('a data block may not hold its own boundary')
  return `[data ${boundary} ${name}]\n${marked(body, dataMark(boundary))}\n[/data ${boundary}]`
}

/** Puts marks only between words, so that no number, name or address is split. Line breaks may be escaped, as in JSON. */
function marked(body: string, mark: string): string {
  let words = 0
  const inside = body.replace(/\\n|\n|[.!?] (?=\S)| +(?=\S)/g, (gap) => {
    words += 1
    const isEnd = gap !== ' ' && !/^ +$/.test(gap)
    if (!isEnd && words < MARK_EVERY) return gap
    words = 0
    return /\n$|\\n$/.test(gap) ? `${gap}${mark} ` : `${gap}${mark} `
  })
  return `${mark} ${inside}`
}
