/**
 * Occurrences of repeating events, which the demo's emulator does not support: each of the next ones is an event of its own
 * there, under the id that the real service would give it. Must be used by the demo and tests only. Called by calendar-front.ts.
 */
import ICAL from 'ical.js'
import { createZone, DAY, MINUTE } from '../../integrations/dates/zone.ts'

/** Maximum number of occurrences: more than a year of a weekly event, two months of a daily one. */
const MOST = 70

export type Event = Record<string, unknown> & { readonly id: string }

type When = { readonly date?: string; readonly dateTime?: string; readonly timeZone?: string }

export interface Time {
  /** Suffix of the occurrence's id: `20261201T060000Z`, or `20261201` for an all-day event. */
  readonly stamp: string
  readonly start: When
  readonly end: When
}

/** The rule of a repeating event; null for any other. */
export function ruleOf({ recurrence }: Partial<Event>): string | null {
  const [rule] = Array.isArray(recurrence) ? recurrence : []
  return typeof rule === 'string' && rule.startsWith('RRULE:') ? rule.slice('RRULE:'.length) : null
}

/** Excluded occurrences (EXDATE), in the local time of the event's zone. */
function leftOut({ recurrence }: Partial<Event>): ReadonlySet<string> {
  const lines = Array.isArray(recurrence) ? recurrence.map(String) : []
  return new Set(lines.flatMap((line) => /^EXDATE[^:]*:(.+)$/.exec(line)?.[1]?.split(',') ?? []))
}

export function timesOf(event: Partial<Event>, rule: string): readonly Time[] {
  const [start, end] = [event['start'] as When, event['end'] as When]
  const zone = createZone(start.timeZone ?? 'UTC')
  const isDay = start.date !== undefined
  const from = Date.parse(start.date ?? start.dateTime ?? '')
  const length = Date.parse(end.date ?? end.dateTime ?? '') - from
  const wall = new Date(isDay ? from : zone.wallOf(from))
  const first = ICAL.Time.fromData({
    ...{ year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() },
    ...{ hour: wall.getUTCHours(), minute: wall.getUTCMinutes(), second: 0, isDate: false },
  })
  const iterator = ICAL.Recur.fromString(rule).iterator(first)
  const left = leftOut(event)
  const times: Time[] = []
  for (let at = iterator.next(); at && times.length < MOST; at = iterator.next()) {
    const day = Date.UTC(at.year, at.month - 1, at.day) / DAY
    const local = new Date(day * DAY + (wall.getTime() % DAY)).toISOString().replace(/[-:]|\.\d{3}Z$/g, '')
    if (left.has(isDay ? local.slice(0, 8) : local)) continue
    const begin = isDay ? day * DAY : zone.instantOf(day, (wall.getTime() % DAY) / MINUTE)
    const text = (instant: number): When =>
      isDay
        ? { date: new Date(instant).toISOString().slice(0, 10) }
        : { ...start, dateTime: new Date(instant).toISOString() }
    const stamp = new Date(begin).toISOString().replace(/[-:]|\.\d{3}/g, '')
    times.push({
      ...{ start: text(begin), end: text(begin + length) },
      stamp: isDay ? stamp.slice(0, 8) : stamp,
    })
  }
  return times
}
