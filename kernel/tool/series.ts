/**
 * Typed arguments of a write for a repeating event, and the days of its occurrences: frequency, weekdays, end. The time of
 * day stays fixed on the owner's clocks. Pure; must not know a service or its format. Called by approval cards and by tools.
 */
import { instantOfWall } from '../features/reminders/repeat.ts'
import type { FieldSpec } from '../flow/field.ts'
import type { Json } from '../flow/json.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { instantOf, localMoment } from '../wording/output.ts'

export const SERIES_KINDS = Object.freeze([
  'daily',
  'weekdays',
  'weekly',
  'monthly',
  'monthly_weekday',
  'yearly',
] as const)
export type SeriesKind = (typeof SERIES_KINDS)[number]

/** Weekdays, beginning with Monday. */
export const WEEK = Object.freeze([
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const)

/** Maximum excluded days: two months of a daily series. */
export const MOST_EXCEPT = 62

/** Arguments of a write that declares `series`; the first occurrence begins at its `from` and ends at its `to`. */
export const SERIES_ARGS = Object.freeze({
  repeat: { kind: 'enum', values: SERIES_KINDS, optional: true },
  every: { kind: 'number', optional: true },
  days: { kind: 'list', max: WEEK.length, of: { kind: 'enum', values: WEEK }, optional: true },
  until: { kind: 'date', optional: true },
  except: { kind: 'list', max: MOST_EXCEPT, of: { kind: 'date' }, optional: true },
} as const satisfies Readonly<Record<string, FieldSpec>>)

/** Maximum of `every`: a year of weeks. A longer interval is no repetition that a person could check on a card. */
const MOST_EVERY = 52
/** Maximum occurrences of a series with an end: a model that counts wrongly must not fill a calendar. */
export const MOST_TIMES = 400
/** Maximum years from the first occurrence to the last day. */
const MOST_YEARS = 10

const DAY = 86_400_000
const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/
const MON_TO_FRI = 31

export interface Series {
  readonly kind: SeriesKind
  readonly every: number
  /** Bit mask of weekdays, Monday's is 1. For `weekly` and `weekdays`. */
  readonly days: number
  /** Days since 1970-01-01 on the owner's clocks: of the first occurrence, and the last possible day; null without an end. */
  readonly first: number
  readonly last: number | null
  /** Excluded days of the series, ascending. */
  readonly except: readonly number[]
  readonly allDay: boolean
  /** Milliseconds from midnight to the beginning of each occurrence, by the clock; 0 for whole days. */
  readonly clock: number
  /** Duration, milliseconds; whole days count 24 hours each. */
  readonly length: number
}

type Args = { readonly [key: string]: Json }

/** The series that the arguments describe; null without a repetition. Refusal: series_unfit, with the broken rule. */
export function seriesIn(args: Args, timezone: string): Result<Series | null> {
  const { repeat, every = 1, days, until, except } = args
  const kind = SERIES_KINDS.find((one) => one === repeat)
  if (kind === undefined) {
    const isSaid = [repeat, args['every'], days, until, except].some((one) => one !== undefined)
    return isSaid ? unfit('repeat') : ok(null)
  }
  if (!isCount(every, MOST_EVERY) || (kind === 'weekdays' && every !== 1)) return unfit('every')
  const begin = wallOf(args['from'], timezone)
  const end = wallOf(args['to'], timezone)
  if (begin === null || end === null || begin.allDay !== end.allDay) return unfit('from')
  const length = end.at - begin.at
  if (!(length > 0)) return unfit('from')
  const first = Math.floor(begin.wall / DAY)
  const last = until === undefined ? null : lastDayOf(until, timezone)
  if (last === undefined || (last !== null && !(first <= last && last - first <= MOST_YEARS * 366)))
    return unfit('until')
  const named = kind === 'weekly' || kind === 'weekdays' ? daysOf(kind, days, first) : 0
  if (named === null || (kind !== 'weekly' && days !== undefined)) return unfit('days')
  const series = {
    ...{ kind, every, days: named, first, last, except: exceptIn(except, timezone) },
    ...{ allDay: begin.allDay, clock: begin.wall - first * DAY, length },
  }
  // The rule and the first occurrence must agree.
  if (daysIn(series).next().value !== first) return unfit('from')
  if (!isWithout(series)) return unfit('except')
  return last !== null && countOf(series) === null ? unfit('many') : ok(series)
}

/** Excluded days, as days since 1970-01-01; NaN for an invalid date. */
function exceptIn(given: Json | undefined, timezone: string): readonly number[] {
  const days = Array.isArray(given) ? given.map((one) => lastDayOf(one, timezone) ?? Number.NaN) : []
  return [...new Set(days)].sort((a, b) => a - b)
}

/** Whether each exception is a day of the series, and none is the first. An exception for no occurrence is a mistake. */
function isWithout(series: Series): boolean {
  const left = new Set(series.except)
  const last = series.except.at(-1) ?? series.first
  if (left.has(series.first) || !(last - series.first <= MOST_YEARS * 366)) return false
  for (const day of daysIn(series)) {
    if (left.size === 0 || day > last) break
    left.delete(day)
  }
  return left.size === 0
}

function unfit(rule: string): Result<never> {
  return err('series_unfit', { rule })
}

function isCount(value: Json, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
}

interface Wall {
  /** Local time as if it were UTC, and the instant; for a whole day both are its midnight. */
  readonly wall: number
  readonly at: number
  readonly allDay: boolean
}

function wallOf(value: Json | undefined, timezone: string): Wall | null {
  const day = typeof value === 'string' && DAY_ONLY.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(day)) return { wall: day, at: day, allDay: true }
  const at = instantOf(value)
  return at === null
    ? null
    : { wall: Date.parse(`${localMoment(at, timezone).replace(' ', 'T')}Z`), at, allDay: false }
}

/** Day of a date, as days since 1970-01-01; undefined for an invalid date. */
function lastDayOf(until: Json, timezone: string): number | undefined {
  const found = wallOf(until, timezone)
  return found === null ? undefined : Math.floor(found.wall / DAY)
}

/** Bit mask of the named days; of the first day if none is named; null for an invalid list. */
function daysOf(kind: SeriesKind, days: Json | undefined, first: number): number | null {
  if (kind === 'weekdays') return MON_TO_FRI
  if (days === undefined) return bitOn(first)
  if (!Array.isArray(days) || days.length === 0) return null
  return WEEK.reduce((bits, day, at) => (days.includes(day) ? bits | (1 << at) : bits), 0)
}

/** Bit of a day's weekday. 1970-01-01 was a Thursday. */
function bitOn(day: number): number {
  return 1 << ((((day + 3) % 7) + 7) % 7)
}

/** The days of the series, as days since 1970-01-01, ascending; infinite if the series has no end. */
export function* daysIn(series: Series): Generator<number> {
  const { first, last } = series
  for (let n = 0; ; n += 1) {
    for (const day of stepOf(series, n)) {
      if (day < first) continue
      if (last !== null && day > last) return
      yield day
    }
  }
}

/** The days of the nth interval, such as a week or a month; some may precede the first occurrence. */
function stepOf({ kind, every, days, first }: Series, n: number): readonly number[] {
  const start = new Date(first * DAY)
  const [year, month, date] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()]
  switch (kind) {
    case 'daily':
      return [first + n * every]
    case 'weekdays':
      return (bitOn(first + n) & MON_TO_FRI) === 0 ? [] : [first + n]
    case 'weekly': {
      const monday = first - Math.log2(bitOn(first)) + n * every * 7
      return WEEK.flatMap((_, at) => ((days & (1 << at)) === 0 ? [] : [monday + at]))
    }
    case 'monthly':
      return [dayOf(year, month + n * every, date)]
    case 'yearly':
      return [dayOf(year + n * every, month, date)]
    case 'monthly_weekday': {
      const nth = nthOf(first)
      const begin = new Date(Date.UTC(year, month + n * every, 1))
      const day = 1 + ((start.getUTCDay() - begin.getUTCDay() + 7) % 7) + (nth - 1) * 7
      const at = new Date(begin.getTime() + (day - 1) * DAY)
      return at.getUTCMonth() === begin.getUTCMonth() ? [at.getTime() / DAY] : []
    }
  }
}

/** The day with this date in a month, or the last day if the month is shorter. */
function dayOf(year: number, month: number, date: number): number {
  const most = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date, most)) / DAY
}

/** Position of a day among the same weekdays of its month, from 1. */
export function nthOf(day: number): number {
  return Math.ceil(new Date(day * DAY).getUTCDate() / 7)
}

/**
 * Number of occurrences by the rule, the number without the excluded ones, and the
 * last of these; null without an end, or if there are too many.
 */
export function countOf(
  series: Series,
): { readonly all: number; readonly count: number; readonly last: number } | null {
  if (series.last === null) return null
  let found = { all: 0, count: 0, last: series.first }
  for (const day of daysIn(series)) {
    if (found.all === MOST_TIMES) return null
    const { all, count, last } = found
    found = series.except.includes(day)
      ? { all: all + 1, count, last }
      : { all: all + 1, count: count + 1, last: day }
  }
  return found
}

/** The first `most` days, without the excluded ones. */
export function firstDays(series: Series, most: number): readonly number[] {
  const days: number[] = []
  for (const day of daysIn(series)) {
    if (!series.except.includes(day)) days.push(day)
    if (days.length >= most) break
  }
  return days
}

/** Start and end of the occurrence on that day, epoch milliseconds; a whole day begins at midnight in the zone. */
export function spanOn(
  { clock, length, allDay }: Series,
  day: number,
  timezone: string,
): { readonly start: number; readonly end: number } {
  const start = instantOfWall(day * DAY + clock, timezone)
  return { start, end: allDay ? instantOfWall(day * DAY + length, timezone) : start + length }
}
