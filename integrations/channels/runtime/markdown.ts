/**
 * Renders an answer's Markdown as runs of uniform style (H-15), and finds split points of a long text. No links: a target stays
 * readable text, as the output guard left it. A mark counts only beside spaces or punctuation, so that removing marks joins no
 * two parts to an address. Pure and linear. Called by the senders and renderers of the channels.
 */
export type Style = 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'blockquote'

export interface Run {
  readonly text: string
  readonly styles: readonly Style[]
  /** Language of a `pre` block. */
  readonly language?: string
}

/** A span has at most 500 UTF-16 units: an answer full of unclosed marks must not take quadratic time. */
const BEFORE = String.raw`(?<=^|[\s(["'\u201c\u2018])`
const AFTER = String.raw`(?=[)\]"'\u201d\u2019,;:!?.\u2026]{0,4}(?:\s|$))`

const span = (mark: string): string =>
  `${BEFORE}${mark}(?=[^\\s])(?:(?!${mark}).){1,500}(?<=[^\\s])${mark}${AFTER}`

/** The earliest match wins; at the same position the first alternative. */
const INLINE = new RegExp(
  [
    `(?<code>${BEFORE}\`[^\`\\n]{1,500}\`${AFTER})`,
    `(?<bold>${span('\\*\\*')}|${span('__')})`,
    `(?<italic>${span('\\*')}|${span('_')})`,
    `(?<strikethrough>${span('~~')})`,
  ].join('|'),
  'u',
)
const MARK_LENGTH: Readonly<Record<string, number>> = { bold: 2, strikethrough: 2, italic: 1, code: 1 }

/** Depth of nested marks; deeper ones stay as text. */
const MAX_DEPTH = 3

const FENCE = /^ {0,3}(```+|~~~+)\s*([A-Za-z0-9+#-]{0,20})\s*$/
const HEADING = /^ {0,3}#{1,6} +(.+?)(?: +#+)? *$/
const BULLET = /^( {0,12})[-*+] +(?=\S)/
const QUOTE = /^ {0,3}> ?/

export function renderMarkdown(text: string): readonly Run[] {
  const runs: Run[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    if (at > 0) runs.push({ text: '\n', styles: sharedQuote(lines, at) })
    const line = lines[at] ?? ''
    const fence = FENCE.exec(line)
    const end = fence === null ? -1 : closingOf(lines, at, fence[1] ?? '')
    if (fence !== null && end > at + 1) {
      const language = fence[2] ?? ''
      const code = lines.slice(at + 1, end).join('\n')
      runs.push({ text: code, styles: ['pre'], ...(language !== '' && { language }) })
      at = end
    } else runs.push(...renderLine(line))
  }
  return runs.filter((run) => run.text !== '')
}

/** Line that closes a fence; -1 for an unclosed one, whose lines are treated as ordinary text. */
function closingOf(lines: readonly string[], from: number, mark: string): number {
  return lines.findIndex((line, at) => at > from && line.trim().startsWith(mark) && FENCE.test(line))
}

/** A line break inside a quotation belongs to it. */
function sharedQuote(lines: readonly string[], at: number): readonly Style[] {
  return QUOTE.test(lines[at - 1] ?? '') && QUOTE.test(lines[at] ?? '') ? ['blockquote'] : []
}

function renderLine(line: string): readonly Run[] {
  if (QUOTE.test(line)) return renderInline(line.replace(QUOTE, ''), ['blockquote'], 0)
  const heading = HEADING.exec(line)?.[1]
  if (heading !== undefined) return renderInline(heading, ['bold'], 0)
  return renderInline(line.replace(BULLET, '$1• '), [], 0)
}

function renderInline(text: string, styles: readonly Style[], depth: number): readonly Run[] {
  const runs: Run[] = []
  let rest = text
  for (;;) {
    const found = depth > MAX_DEPTH ? null : INLINE.exec(rest)
    if (found === null) return [...runs, { text: rest, styles }]
    const style = (Object.keys(found.groups ?? {}).find((name) => found.groups?.[name] !== undefined) ??
      'code') as Style
    const [whole] = found
    const mark = MARK_LENGTH[style] ?? 1
    const inner = whole.slice(mark, -mark)
    runs.push({ text: rest.slice(0, found.index), styles })
    // Code is never nested in another style: the services reject that.
    if (style === 'code') runs.push({ text: inner, styles: withoutCodeRivals(styles) })
    else runs.push(...renderInline(inner, [...styles, style], depth + 1))
    rest = rest.slice(found.index + whole.length)
  }
}

function withoutCodeRivals(styles: readonly Style[]): readonly Style[] {
  return [...styles.filter((style) => style === 'blockquote'), 'code']
}

/** Least share of a message that a split must fill, or a text without good places would fall to pieces. */
const LEAST_FILL = 0.5
/** Preferred split points: after a paragraph, a line, a sentence, a word. */
const PLACES: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…]\s/g, /\s/g]

/** End of the part that begins at `from`, at most `most` UTF-16 units long. */
export function cutAfter(text: string, from: number, most: number): number {
  if (text.length - from <= most) return text.length
  const window = text.slice(from, from + most)
  for (const place of PLACES) {
    const last = [...window.matchAll(place)].at(-1)
    const end = last === undefined ? 0 : last.index + last[0].length
    if (end >= most * LEAST_FILL) return from + end
  }
  // Does not split a surrogate pair.
  const isHalved = /[\uD800-\uDBFF]$/.test(window)
  return from + most - (isHalved ? 1 : 0)
}
