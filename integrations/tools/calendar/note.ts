/** The note of an event: as plain text, and with text appended. Pure. Called by read.ts, change.ts and home's backends. */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ', '&amp;': '&' },
}

/** Converts the HTML that the service's own editor writes; a link is replaced by its address. */
export function plainNote(text: string): string {
  return text
    .replace(/<(?:br|\/p|\/div|\/li)\b[^>]{0,200}>/giu, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/giu, '')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/gu, (one) => ENTITIES[one] ?? one)
}

/** The note with the added text. Refusal: tool_arguments_invalid if the result is longer than a calendar stores. */
export function noteWith(now: string, added: unknown): Result<string> {
  const both = now.trim() === '' ? String(added) : `${now.trimEnd()}\n${String(added)}`
  return both.length > MOST_NOTE ? err('tool_arguments_invalid', { rule: 'note' }) : ok(both)
}

/** Maximum UTF-16 units of a note that a service stores. */
const MOST_NOTE = 8_000
