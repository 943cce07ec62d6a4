/**
 * Corrects the day in "mails since Monday": the last such day, where dates alone would be read as future.
 * Must not read anything else. Called by message.ts.
 */
import { DAY, type Zone } from '../../dates/zone.ts'
import type { Fields } from './message-taken.ts'

export const SINCE = /(?<!\p{L})(?:since|seit)(?!\p{L})/iu
const THIS_WEEK = /(?<!\p{L})(?:this|diese[rn]?) (?:week|woche)(?!\p{L})/iu
/** Days from a Monday to the first day of the count of days. */
const MONDAY = 3
/** At the end of what was taken for a name. */
const BEHIND = /(?:^|\s+)(?:since|seit)$/iu
/** Days. */
const WEEK = 7
const MINUTE = 60_000

/** `now` is epoch milliseconds. Any other fields, and those of other requests, stay as they are. */
export function withSince(
  fields: Fields,
  text: string,
  { now, zone }: { readonly now: number; readonly zone: Zone },
): Fields {
  if (fields['intent'] !== 'email_check') return fields
  const today = zone.dayOf(now)
  // Mail of this week came since its Monday, not from today on.
  if (THIS_WEEK.test(text) && fields['from'] === zone.iso(zone.instantOf(today, 0)))
    return { ...fields, from: zone.iso(zone.instantOf(today - ((today + MONDAY) % WEEK), 0)) }
  if (!SINCE.test(text)) return fields
  const { person, from, ...others } = fields
  const name = typeof person === 'string' ? person.replace(BEHIND, '') : ''
  const at = typeof from === 'string' ? Date.parse(from) : Number.NaN
  return {
    ...others,
    ...(name !== '' && { person: name }),
    ...(!Number.isNaN(at) && {
      from: zone.iso(lastOf(at, { now, zone })),
      to: zone.iso(zone.instantOf(zone.dayOf(now) + 1, 0)),
    }),
  }
}

/** A weekday of the coming week is that of the last one; a date of the coming year that of the last year. */
export function lastOf(at: number, { now, zone }: { readonly now: number; readonly zone: Zone }): number {
  if (at <= now) return at
  const day = zone.dayOf(at)
  const minutes = (at - zone.instantOf(day, 0)) / MINUTE
  const before = day - WEEK
  if (zone.instantOf(before, minutes) <= now) return zone.instantOf(before, minutes)
  const date = new Date(day * DAY)
  const lastYear = Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), date.getUTCDate()) / DAY
  return zone.instantOf(lastYear, minutes)
}
