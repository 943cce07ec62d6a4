/**
 * The block that outside text stands in: a boundary that nobody can guess, and the same mark again before every line and
 * every few words, so that no stretch of it reads like part of the prompt (N-21, datamarking). Must not sanitize: what it
 * gets was sanitized with the same boundary. Pure; called by layout.ts.
 */

/** Words without a line or sentence end between two marks. */
const MARK_EVERY = 20
/** Units of the boundary that a mark shows: enough to tell it from any text, few enough to be cheap. */
const MARK_LENGTH = 4

export interface DataBlock {
  /** Unguessable, made anew for each call: letters and digits. */
  readonly boundary: string
  /** What it is, in the kernel's own words. */
  readonly name: string
  readonly body: string
}

/** What begins a line or a stretch of outside text: `a3f1> `. The prompt's rules say so to the model. */
export function dataMark(boundary: string): string {
  return `${boundary.slice(0, MARK_LENGTH)}>`
}

/**
 * `[data <boundary> <name>] … [/data <boundary>]`. A body that holds its own boundary is not sanitized text: it throws, as
 * it could end its block.
 */
export function dataBlock({ boundary, name, body }: DataBlock): string {
  if (boundary.length <= MARK_LENGTH) throw new TypeError('a boundary this short can be guessed')
  if (body.toLowerCase().includes(boundary.toLowerCase()))
    throw new TypeError('a data block may not hold its own boundary')
  return `[data ${boundary} ${name}]\n${marked(body, dataMark(boundary))}\n[/data ${boundary}]`
}

/** Only between words: no number, name or address is ever parted. Line breaks may be escaped, as they are in JSON. */
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
