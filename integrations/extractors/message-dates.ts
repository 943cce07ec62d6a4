/**
 * The time span that a message names, as two instants: days from midnight to midnight, clock times for an hour unless an end or
 * a length is given. Must not read a clock; `now` is an argument. Called by message.ts.
 */
import { type Days, findDays } from './message-days.ts'
import {
  type Clock,
  type Found,
  findClock,
  findDelay,
  findDuration,
  findHours,
  findPart,
  type Times,
} from './message-times.ts'
import { DAY, MINUTE, type Zone } from './message-zone.ts'

/** Characters of a message that are searched for dates: chrono is slow on long adversarial text. */
const DATE_HEAD = 400
/** Default length of an appointment, minutes. */
const DEFAULT_MINUTES = 60

export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number
  readonly zone: Zone
}

export interface Span {
  /** Epoch milliseconds; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** What the text named: whole days, a part of a day such as the afternoon, or a time. */
  readonly named: 'days' | 'part' | 'time'
}

export interface DateReading {
  readonly span: Span | null
  /** The stated length, minutes. */
  readonly minutes: number | null
  /** The text with all time expressions replaced by spaces; same length. */
  readonly rest: string
}

export function readDates(input: string, moment: Moment): DateReading {
  const head = input.slice(0, DATE_HEAD)
  const tail = input.slice(DATE_HEAD)
  // Same length. `between 2 and 4` is a range that chrono does not know.
  const text = head.replace(/\bbetween (\S{1,8}) and (?=\S{1,8}\b)/i, (_, from) => `from    ${from} to  `)
  const delay = findDelay(text)
  const duration = delay === null ? findDuration(text) : null
  const minutes = duration?.minutes ?? null
  if (delay !== null) {
    const from = moment.now + delay.minutes * MINUTE
    const length = findDuration(blank(text, delay))
    const to = from + (length?.minutes ?? DEFAULT_MINUTES) * MINUTE
    const rest = blank(blank(head, delay), length) + tail
    return { span: { from, to, named: 'time' }, minutes: length?.minutes ?? null, rest }
  }
  const reading = readWall(blank(text, duration), moment, text)
  const rest = reading.found.reduce(blank, blank(head, duration)) + tail
  return { span: spanOf(reading, minutes, moment), minutes, rest }
}

/** The named local time, before time zones apply. */
interface Wall {
  readonly days: Days | null
  readonly times: Times | null
  readonly part: { readonly from: number; readonly to: number } | null
  /** `after 3`, `before noon`. */
  readonly open: 'after' | 'before' | null
  readonly found: readonly Found[]
}

function readWall(text: string, moment: Moment, whole: string): Wall {
  const today = moment.zone.dayOf(moment.now)
  const named = findDays(text, today)
  const part = findPart(text)
  const rest = blank(blank(text, named), part)
  const clocks = findClock(rest, today * DAY, whole)
  const hours = named === null ? null : findHours(rest, whole)
  const timed = clocks.find((clock) => clock.times !== null) ?? hours
  const dated = named === null ? (clocks.find((clock) => clock.days !== null) ?? null) : null
  const used = [timed, dated].filter((clock): clock is Clock => clock !== null)
  const lead =
    timed === null ? null : /\b(after|before|until|by)\s*(?:at\s*)?$/i.exec(rest.slice(0, timed.start))
  const word = lead?.[1]?.toLowerCase()
  const found = [named, part, ...used].filter((item): item is NonNullable<typeof item> => item !== null)
  const leading = lead === null ? [] : [{ start: lead.index, end: lead.index + lead[0].length }]
  return {
    days: named ?? dated?.days ?? null,
    times: timed?.times ?? null,
    part,
    open: word === undefined ? null : word === 'after' ? 'after' : 'before',
    found: [...found, ...leading],
  }
}

function spanOf(wall: Wall, minutes: number | null, moment: Moment): Span | null {
  const { zone, now } = moment
  const today = zone.dayOf(now)
  if (wall.days === null && wall.times === null && wall.part === null) return null
  const days = wall.days ?? { first: today, last: today }
  if (wall.times !== null) return timedSpan(wall, days, minutes, moment)
  if (wall.part !== null) {
    const { from, to } = wall.part
    return { from: zone.instantOf(days.first, from), to: zone.instantOf(days.last, to), named: 'part' }
  }
  return { from: zone.instantOf(days.first, 0), to: zone.instantOf(days.last + 1, 0), named: 'days' }
}

function timedSpan(wall: Wall, days: Days, minutes: number | null, moment: Moment): Span | null {
  const times = wall.times
  if (times === null) return null
  const at = (day: number, minute: number): number =>
    times.utc === null ? moment.zone.instantOf(day, minute) : day * DAY + (minute - times.utc) * MINUTE
  const passed = wall.days === null && wall.part === null && at(days.first, times.from) < moment.now
  const day = days.first + (passed && wall.open === null ? 1 : 0)
  const from = at(day, times.from)
  if (wall.open === 'after') return { from, to: moment.zone.instantOf(day + 1, 0), named: 'time' }
  if (wall.open === 'before') return { from: moment.zone.instantOf(day, 0), to: from, named: 'time' }
  // A length is elapsed time; an end is a clock reading. They differ on the day of a clock change.
  const to = times.to === null ? from + (minutes ?? DEFAULT_MINUTES) * MINUTE : at(days.last, times.to)
  return { from, to: Math.max(to, from + MINUTE), named: 'time' }
}

/** Replaces a part of the text with spaces, so that positions stay. */
function blank(text: string, found: Found | null): string {
  if (found === null) return text
  const end = Math.min(found.end, text.length)
  return text.slice(0, found.start) + ' '.repeat(end - found.start) + text.slice(end)
}
