/**
 * The form of an answer for its sink (C-23): length, format, the person's local time. Called by every step that asks a model to
 * write.
 */

import type { OutputView } from '../prompt/parts.ts'

/** Maximum length of an answer, UTF-16 units. Below every messenger's own limit. */
export const MAX_ANSWER = 3_500

/** For a reader in a time zone, at an instant (epoch milliseconds). */
export function outputFor(sink: string, timezone: string, at: number): OutputView {
  return { sink, maxChars: MAX_ANSWER, format: 'plain', timezone, now: localMinute(at, timezone) }
}

/** Hour of the day, 0 to 23, of an instant in a zone. */
export function localHour(now: number, timeZone: string): number {
  return Number(localMinute(now, timeZone).slice(11, 13))
}

/** `YYYY-MM-DD` of an instant in a zone. */
export function localDay(now: number, timeZone: string): string {
  return localMinute(now, timeZone).slice(0, 10)
}

/** `YYYY-MM-DD HH:MM` of an instant in a zone. */
export function localMoment(at: number, timeZone: string): string {
  return localMinute(at, timeZone).replace('T', ' ')
}

/** Cached formatters: creating one costs more than the rest of an answer's layout, and an owner has one time zone. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATTERS = 16

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATTERS.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  })
  if (FORMATTERS.size >= MAX_FORMATTERS) FORMATTERS.clear()
  FORMATTERS.set(timeZone, made)
  return made
}

/** The last minute that was formatted: with many messages at once the next request is nearly always for the same one. */
let latest = { minute: Number.NaN, timeZone: '', text: '' }
const MINUTE = 60_000

/** `YYYY-MM-DDTHH:MM` of an instant in a zone. */
function localMinute(now: number, timeZone: string): string {
  const minute = Math.floor(now / MINUTE)
  if (latest.minute !== minute || latest.timeZone !== timeZone)
    latest = { minute, timeZone, text: formatMinute(now, timeZone) }
  return latest.text
}

/** Uncached variant, for times that occur once, such as those of a result. */
export function formatMinute(now: number, timeZone: string): string {
  const parts = formatterFor(timeZone).formatToParts(now)
  const part = (type: string): string => parts.find((candidate) => candidate.type === type)?.value ?? '00'
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}
