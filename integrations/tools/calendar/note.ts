/** The note of an event: as plain text, and with what is added to it. Pure. Called by read.ts, change.ts and home's backends. */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ', '&amp;': '&' },
}

/** The service keeps what its own editor writes as HTML; a link's address is what it says. */
export function plainNote(text: string): string {
  return text
    .replace(/<(?:br|\/p|\/div|\/li)\b[^>]{0,200}>/giu, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/giu, '')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/gu, (one) => ENTITIES[one] ?? one)
}

/** A note with what is added to it. Refusal: tool_arguments_invalid where both are more than a calendar keeps. */
export function noteWith(now: string, added: unknown): Result<string> {
  const both = now.trim() === '' ? String(added) : `${now.trimEnd()}\n${String(added)}`
  return both.length > MOST_NOTE ? err('tool_arguments_invalid', { rule: 'note' }) : ok(both)
}

/** UTF-16 units that a service keeps of a note. */
const MOST_NOTE = 8_000
