/**
 * Corrects the day in "mails since Monday": the last such day, where dates alone would be read as future.
 * Must not read anything else. Called by message.ts.
 */
import { DAY, type Zone } from '../../dates/zone.ts'
import type { Fields } from './message-taken.ts'

const SINCE = /(?<!\p{L})(?:since|seit)(?!\p{L})/iu
const THIS_WEEK = /(?<!\p{L})(?:this|diese[rn]?) (?:week|woche)(?!\p{L})/iu
/** Days from a Monday to the first day of the count of days. */
const MONDAY = 3
/** At the end of what was taken for a name. */
const BEHIND = /(?:^|\s+)(?:since|seit)$/iu
/** Days. */
const WEEK = 7
const MINUTE = 60_000

/** A day of the week, or a date, and no day that is said to come. */
const WEEKDAY =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)(?!\p{L})/iu
const AHEAD = /(?<!\p{L})(?:next|coming|nächste[nrsm]?|kommende[nrsm]?)(?!\p{L})/iu

/**
 * The time of mail that is looked for, epoch milliseconds: what came on Friday came on the last one, and since then it is until now. The same for any time
 * that is not ahead.
 */
export function ofMail(
  { from, to }: { readonly from: number; readonly to: number },
  text: string,
  { now, zone }: { readonly now: number; readonly zone: Zone },
): { readonly from: number; readonly to: number } {
  if (from <= now || !WEEKDAY.test(text) || AHEAD.test(text)) return { from, to }
  const last = lastOf(from, { now, zone })
  return { from: last, to: SINCE.test(text) ? zone.instantOf(zone.dayOf(now) + 1, 0) : last + (to - from) }
}

/** `now` is epoch milliseconds. Any other fields, and those of other requests, stay as they are. */
export function withSince(
  fields: Fields,
  text: string,
  { now, zone }: { readonly now: number; readonly zone: Zone },
): Fields {
  const isMail = fields['intent'] === 'email_check'
  // In words that no sentence has, only the time is a field.
  if (!isMail && !(fields['intent'] === 'other' && SINCE.test(text))) return fields
  const today = zone.dayOf(now)
  // Mail of this week came since its Monday, not from today on.
  if (THIS_WEEK.test(text) && fields['from'] === zone.iso(zone.instantOf(today, 0)))
    return { ...fields, from: zone.iso(zone.instantOf(today - ((today + MONDAY) % WEEK), 0)) }
  if (!SINCE.test(text)) {
    const [begins, ends] = [Date.parse(String(fields['from'])), Date.parse(String(fields['to']))]
    if (Number.isNaN(begins) || Number.isNaN(ends) || begins <= now) return fields
    const past = ofMail({ from: begins, to: ends }, text, { now, zone })
    return { ...fields, from: zone.iso(past.from), to: zone.iso(past.to) }
  }
  const { person, from, ...others } = fields
  const name = typeof person === 'string' ? person.replace(BEHIND, '') : ''
  const at = typeof from === 'string' ? Date.parse(from) : Number.NaN
  if (!isMail && !(at > now)) return fields
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
function lastOf(at: number, { now, zone }: { readonly now: number; readonly zone: Zone }): number {
  if (at <= now) return at
  const day = zone.dayOf(at)
  const minutes = (at - zone.instantOf(day, 0)) / MINUTE
  const before = day - WEEK
  if (zone.instantOf(before, minutes) <= now) return zone.instantOf(before, minutes)
  const date = new Date(day * DAY)
  const lastYear = Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth(), date.getUTCDate()) / DAY
  return zone.instantOf(lastYear, minutes)
}
