/**
 * Converts lines of text with common Markdown prefixes to Notion's blocks, within Notion's limits: 2,000 characters per text, 100
 * blocks per request. Nothing is left out: lines beyond the limit are joined into the last block. Pure. Called by write.ts.
 */
import type { JsonRecord } from '../reading.ts'

/** https://developers.notion.com/reference/request-limits */
export const MAX_TEXT = 2_000
export const MAX_BLOCKS = 100

export type As = 'text' | 'to_do' | 'bullet'

const OF: Readonly<Record<As, string>> = Object.freeze({
  text: 'paragraph',
  to_do: 'to_do',
  bullet: 'bulleted_list_item',
})

interface Line {
  readonly type: string
  readonly text: string
  readonly checked?: boolean
}

export function blocksOf(text: string, as: As): readonly JsonRecord[] {
  const lines = text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => lineIn(line, as))
  const rest = lines.slice(MAX_BLOCKS - 1)
  const own =
    lines.length > MAX_BLOCKS
      ? [
          ...lines.slice(0, MAX_BLOCKS - 1),
          { type: 'paragraph', text: rest.map(({ text: one }) => one).join('\n') },
        ]
      : lines
  return own.map(blockOf)
}

const MARKS: readonly (readonly [pattern: RegExp, type: string])[] = [
  [/^### +(?=\S)/, 'heading_3'],
  [/^## +(?=\S)/, 'heading_2'],
  [/^# +(?=\S)/, 'heading_1'],
  [/^\s*[-*•] +(?=\S)/, 'bulleted_list_item'],
  [/^\s*\d{1,3}[.)] +(?=\S)/, 'numbered_list_item'],
  [/^> +(?=\S)/, 'quote'],
]
const TO_DO = /^\s*(?:[-*•] +)?\[([ xX])\] +(?=\S)/

function lineIn(line: string, as: As): Line {
  const box = TO_DO.exec(line)
  if (box !== null) return { type: 'to_do', text: line.slice(box[0].length), checked: box[1] !== ' ' }
  for (const [pattern, type] of MARKS) {
    const mark = pattern.exec(line)?.[0]
    if (mark !== undefined) return { type, text: line.slice(mark.length) }
  }
  return { type: OF[as], text: line.trim() }
}

function blockOf({ type, text, checked }: Line): JsonRecord {
  const inner = { rich_text: textsOf(text), ...(type === 'to_do' && { checked: checked === true }) }
  return { object: 'block', type, [type]: inner }
}

/** Splits a text into parts that Notion accepts, never inside a surrogate pair. */
export function textsOf(text: string): readonly JsonRecord[] {
  const parts: JsonRecord[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + MAX_TEXT
    const cut = end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end
    parts.push({ type: 'text', text: { content: text.slice(at, cut) } })
    at = cut
  }
  return parts
}
