/**
 * Cleans outside strings so that they fit the kernel's field kinds: line, bounded text, instant, link. Removes control, bidi
 * and invisible characters; the result stays untrusted. Must not guess. Called by page.ts and by the tools' shapes.
 */
import { urlOf } from './url.ts'

/** Control, surrogate, private-use and unassigned characters, and format characters such as bidi overrides. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu
const LINE_BREAKS = /\r\n?|[\u2028\u2029\v\f]/g
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/
/** A date, or an instant with its offset, by RFC 3339 or RFC 5322. Anything else would be read in this machine's time zone. */
const ABSOLUTE_DATE =
  /^(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?|(?:[A-Za-z]{3},? +)?\d{1,2} [A-Za-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? +(?:[+-]\d{4}|GMT|UTC|UT|Z)(?: +\([^)]{0,40}\))?)$/
/** Epoch milliseconds of the years that a kernel field can write in four digits. */
const SPELLABLE = { first: 0, end: Date.parse('9999-12-31T00:00:00Z') } as const
const MAX_LINK = 2_000
const LINK_REFUSED = /[\s\p{C}<>"'`\\^{|}]/u

export function cleanLine(text: string, max: number): string {
  return cut(text.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim(), max)
}

/** Keeps line breaks; at most one empty line in a row. */
export function cleanText(text: string, max: number): string {
  // Cleaning removes characters, so a margin is read. The rest of a huge text is never examined.
  const lines = text
    .slice(0, max * 4)
    .replace(LINE_BREAKS, '\n')
    .split('\n')
  const clean = lines.map((line) => line.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim())
  return cut(
    clean
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    max,
  )
}

/** `2026-11-22` unchanged, an instant in UTC to the second, or null for an ambiguous time. */
export function toDate(text: string): string | null {
  const trimmed = text.trim()
  if (!ABSOLUTE_DATE.test(trimmed)) return null
  const at = Date.parse(trimmed)
  if (Number.isNaN(at)) return null
  return DATE_ONLY.test(trimmed) ? trimmed : toInstant(at)
}

/** Epoch milliseconds → `2026-11-22T09:00:00Z`; null outside the years 1970 to 9998. */
export function toInstant(at: number): string | null {
  if (!Number.isFinite(at) || at < SPELLABLE.first || at >= SPELLABLE.end) return null
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

/** An absolute http(s) link without user info, or null. `base` resolves relative ones. */
export function toLink(text: string, base?: string): string | null {
  const trimmed = text.trim()
  const url = trimmed.length > MAX_LINK ? null : urlOf(trimmed, base)
  if (url === null) return null
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href.length > MAX_LINK || LINK_REFUSED.test(url.href) ? null : url.href
}

/** Never cuts inside a surrogate pair. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max
  return text.slice(0, end).trimEnd()
}
