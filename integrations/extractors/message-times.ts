/**
 * Times of day and durations in an English sentence. chrono reads clock times, dates with a month and ranges; this file adds
 * implied parts (`at 3` is the afternoon). Must not know zones: everything is minutes after midnight. Called by
 * message-dates.ts.
 */
import { Chrono, configuration } from 'chrono-node/en'
import { type Days, dayNumber, monthDays, numberOf } from './message-days.ts'
import { DAY } from './message-zone.ts'

/** Minutes after midnight; `to` is null if only a start was named. `utc`: the typed offset, minutes. */
export interface Times {
  readonly from: number
  readonly to: number | null
  readonly utc: number | null
}

export interface Found {
  readonly start: number
  readonly end: number
}

export type Clock = { readonly days: Days | null; readonly times: Times | null } & Found

/**
 * chrono without its grammar of time units, which takes quadratic time on repetitions and a quarter of a second to compile. The
 * rules here and in message-days.ts read those phrases.
 */
const CHRONO = chronoWithoutUnits()
const COUNT = '(\\d{1,4}(?:\\.\\d)?|an?|one|two|three|four|five|six|seven|eight|nine|ten)'
const IN_A_WHILE = new RegExp(`\\bin (half an|${COUNT}) ?(minutes?|mins?|hours?|hrs?)\\b`, 'i')
const LASTS = new RegExp(
  `\\b(?:(?:for|lasting) )?(?:an )?(half an|${COUNT})[ -]?(minutes?|mins?|hours?|hrs?)( and a half)?(?: long)?\\b`,
  'i',
)
const PARTS: readonly (readonly [RegExp, number, number])[] = [
  [/\b(?:in the |this )?morning\b/i, 8, 12],
  [/\b(?:at )?lunch ?time\b/i, 12, 14],
  [/\b(?:in the |this )?afternoon\b/i, 12, 18],
  [/\b(?:in the |this )?evening\b/i, 18, 23],
  [/\btonight\b/i, 18, 24],
]
const HOURS = /(?<![\d/.:-])(\d{1,2}) ?[-–] ?(\d{1,2})(?![\d/.:-])(?! ?[ap]m)/i
const LATE = /\b(?:dinner|supper|drinks|evening|tonight|party|concert|theatre|cinema|movie)\b/i
const EARLY = /\b(?:breakfast|morning|sunrise|flight)\b/i
/** Hours up to the first value mean the afternoon; with an evening word, up to the second. */
const AFTERNOON_HOURS = 6
const EVENING_HOURS = 11
/** Years around now for a plausible date. chrono also reads other numbers as dates. */
const YEARS = { back: 2, ahead: 10 } as const

/** `in 20 minutes` → minutes from now. */
export function findDelay(text: string): ({ readonly minutes: number } & Found) | null {
  const match = IN_A_WHILE.exec(text)
  if (match === null) return null
  return { minutes: minutesOf(match[1], match[3]), ...spanOf(match) }
}

/** `for an hour and a half`, `30-minute` → minutes. */
export function findDuration(text: string): ({ readonly minutes: number } & Found) | null {
  const match = LASTS.exec(text)
  if (match === null) return null
  const half = match[4] === undefined ? 0 : 30
  return { minutes: minutesOf(match[1], match[3]) + half, ...spanOf(match) }
}

/** Part of a day, in minutes after midnight. */
export function findPart(text: string): ({ readonly from: number; readonly to: number } & Found) | null {
  for (const [pattern, from, to] of PARTS) {
    const match = pattern.exec(text)
    if (match !== null) return { from: from * 60, to: to * 60, ...spanOf(match) }
  }
  return null
}

/** Dates and clock times, by chrono. `midnight`: start of the person's day, expressed as if the time zone were UTC. */
export function findClock(text: string, midnight: number, whole: string): readonly Clock[] {
  const reference = { instant: new Date(midnight), timezone: 0 }
  return CHRONO.parse(text, reference, { forwardDate: true })
    .map((result) => ({
      days: daysOf(result, new Date(midnight).getUTCFullYear()),
      times: timesOf(result, whole),
      start: result.index,
      end: result.index + result.text.length,
    }))
    .filter((clock) => clock.days !== null || clock.times !== null)
}

/** `9-11` next to a named day, which chrono reads as a date. */
export function findHours(text: string, whole: string): Clock | null {
  const match = HOURS.exec(text)
  const [from, to] = [Number(match?.[1]), Number(match?.[2])]
  if (match === null || from > 24 || to > 24) return null
  const start = (from + (isAfternoon(from, whole) ? 12 : 0)) * 60
  const end = (to + (isAfternoon(to, whole) ? 12 : 0)) * 60
  const times = { from: start, to: end <= start ? end + 12 * 60 : end, utc: null }
  return { days: null, times, ...spanOf(match) }
}

type Result = ReturnType<Chrono['parse']>[number]

function chronoWithoutUnits(): Chrono {
  const { parsers, refiners } = configuration.createCasualConfiguration(false)
  const isOfUnits = (parser: (typeof parsers)[number]): boolean => {
    // The pattern depends on the options only; none are set here.
    const context = { option: {} } as Parameters<typeof parser.pattern>[0]
    return parser.pattern(context).source.includes('minute')
  }
  return new Chrono({ parsers: parsers.filter((parser) => !isOfUnits(parser)), refiners })
}

function daysOf(result: Result, thisYear: number): Days | null {
  const { start, end } = result
  const read = (part: typeof start, name: 'year' | 'month' | 'day'): number => part.get(name) ?? 0
  const year = read(start, 'year')
  if (year < thisYear - YEARS.back || year > thisYear + YEARS.ahead || !start.isCertain('month')) return null
  if (!start.isCertain('day')) return monthDays(year, read(start, 'month'))
  const first = dayNumber(year, read(start, 'month'), read(start, 'day'))
  if (end === undefined || end === null || !end.isCertain('day')) return { first, last: first }
  return { first, last: Math.max(first, dayNumber(read(end, 'year'), read(end, 'month'), read(end, 'day'))) }
}

function timesOf(result: Result, whole: string): Times | null {
  const { start, end } = result
  if (!start.isCertain('hour')) return null
  const leadingZero = /(?:^|\D)0\d/.test(result.text)
  const minutes = (part: typeof start): number => {
    const hour = part.get('hour') ?? 0
    const shift = !part.isCertain('meridiem') && !leadingZero && isAfternoon(hour, whole) ? 12 : 0
    return (hour + shift) * 60 + (part.get('minute') ?? 0)
  }
  const from = minutes(start)
  const to = end?.isCertain('hour') === true ? minutes(end) : null
  const utc = start.isCertain('timezoneOffset') ? start.get('timezoneOffset') : null
  return { from, to: to !== null && to <= from ? to + DAY / 60_000 : to, utc }
}

function isAfternoon(hour: number, whole: string): boolean {
  if (hour === 0 || EARLY.test(whole)) return false
  return hour <= (LATE.test(whole) ? EVENING_HOURS : AFTERNOON_HOURS)
}

function minutesOf(count: string | undefined, unit: string | undefined): number {
  const size = (unit ?? '').toLowerCase().startsWith('h') ? 60 : 1
  const number = (count ?? '').toLowerCase() === 'half an' ? 0.5 : numberOf(count)
  return Math.round(number * size)
}

function spanOf(match: RegExpExecArray): Found {
  return { start: match.index, end: match.index + match[0].length }
}
