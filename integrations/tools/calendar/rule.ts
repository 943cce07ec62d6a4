/**
 * Formats a recurrence for calendars (RFC 5545, 3.3.10) from typed arguments only, and computes its first occurrences. Must not
 * parse such a rule. Pure. Called by google.ts, check.ts and home's backends.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import {
  countOf,
  firstDays,
  nthOf,
  SERIES_ARGS,
  type Series,
  seriesIn,
  spanOn,
  WEEK,
} from '../../../kernel/tool/series.ts'
import { fieldOf, type JsonRecord, recordsOf } from '../reading.ts'
import { MAX_OVERLAPS } from './fields.ts'
import { writtenSpan } from './shape.ts'

const DAY = 86_400_000
/** Number of occurrences for which a card checks overlaps: each costs a query to every calendar. */
const LOOKED = 4

type Args = Readonly<Record<string, Json>>

/**
 * `FREQ=WEEKLY;BYDAY=TU;COUNT=4`. An end is always written as the count that the card showed. If a month lacks the day, its last
 * day is used; for 29 February in other years, the 28th.
 */
export function ruleOf(series: Series): string {
  const { kind, every } = series
  const end = countOf(series)
  return [
    `FREQ=${FREQUENCIES[kind]}`,
    ...(every > 1 ? [`INTERVAL=${every}`] : []),
    ...daysOf(series),
    ...(end === null ? [] : [`COUNT=${end.all}`]),
  ].join(';')
}

const FREQUENCIES = Object.freeze({
  ...{ daily: 'DAILY', weekdays: 'WEEKLY', weekly: 'WEEKLY' },
  ...{ monthly: 'MONTHLY', monthly_weekday: 'MONTHLY', yearly: 'YEARLY' },
} as const)

function daysOf({ kind, days, first }: Series): readonly string[] {
  const at = new Date(first * DAY)
  const [month, date] = [at.getUTCMonth() + 1, at.getUTCDate()]
  switch (kind) {
    case 'daily':
      return []
    case 'weekdays':
    case 'weekly':
      return [`BYDAY=${WEEK.filter((_, place) => (days & (1 << place)) !== 0).map(short)}`]
    case 'monthly_weekday':
      return [`BYDAY=${nthOf(first)}${short(WEEK[(at.getUTCDay() + 6) % 7] ?? '')}`]
    case 'monthly':
      if (date <= 28) return [`BYMONTHDAY=${date}`]
      if (date === 31) return ['BYMONTHDAY=-1']
      return [`BYMONTHDAY=${date === 29 ? '28,29' : '28,29,30'}`, 'BYSETPOS=-1']
    case 'yearly':
      return [`BYMONTH=${month}`, `BYMONTHDAY=${month === 2 && date === 29 ? -1 : date}`]
  }
}

function short(day: string): string {
  return day.slice(0, 2).toUpperCase()
}

/** Excluded occurrences in the local time of the series: `20261224T180000`, or `20261224` for all-day events. */
export function stampsOf({ except, allDay, clock }: Series): readonly string[] {
  return except.map((day) => {
    const stamp = new Date(day * DAY + clock).toISOString().replace(/[-:]|\.\d{3}Z$/g, '')
    return allDay ? stamp.slice(0, 8) : stamp
  })
}

/** Null for a single event. Refusals: series_unfit, tool_unavailable if the owner's time zone is unknown. */
export function madeSeries(args: Args, zone: string | null): Result<Series | null> {
  const isOne = Object.keys(SERIES_ARGS).every((name) => args[name] === undefined)
  if (isOne) return ok(null)
  return zone === null ? err('tool_unavailable') : seriesIn(args, zone)
}

export interface Times {
  readonly from: string
  readonly to: string
}

/**
 * Times of a new event for which overlaps are checked: its own, or the first ones of a series. Null if no time is given.
 * Refusals: those of the span and of `madeSeries`.
 */
export function firstTimes(args: Args, zone: string | null): Result<readonly Times[] | null> {
  if (args['from'] === undefined) return ok(null)
  const span = writtenSpan(args)
  if (!span.ok) return span
  const series = madeSeries(args, zone)
  if (!series.ok) return series
  const made = series.value
  if (made === null || zone === null) return ok([{ from: String(args['from']), to: String(args['to']) }])
  return ok(
    firstDays(made, LOOKED).map((day) => {
      if (made.allDay) return { from: dateText(day * DAY), to: dateText(day * DAY + made.length) }
      const { start, end } = spanOn(made, day, zone)
      return { from: new Date(start).toISOString(), to: new Date(end).toISOString() }
    }),
  )
}

function dateText(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Only the arguments that describe a recurrence. */
export function seriesArgs(args: Args): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(SERIES_ARGS, name)))
}

/** Overlaps at several times as one result: the first overlaps, and whether some times could not be checked. */
export async function overlapsAt(
  times: readonly Times[],
  look: (at: Times) => Promise<object>,
): Promise<JsonRecord> {
  const found: JsonRecord[] = []
  for (const at of times) {
    const one = await look(at)
    if (isPlainRecord(one)) found.push(one)
    // If one time cannot be checked, the others cannot either.
    if (fieldOf(found.at(-1) ?? {}, 'unlooked') === true) break
  }
  const [first] = found
  if (times.length < 2 && first !== undefined) return first
  if (found.some((one) => one['unlooked'] === true)) return { unlooked: true }
  const overlaps = found.flatMap((one) => recordsOf(one, 'overlaps'))
  const isAny = (field: string): boolean => found.some((one) => one[field] === true)
  return {
    overlaps: overlaps.slice(0, MAX_OVERLAPS),
    more: isAny('more') || overlaps.length > MAX_OVERLAPS,
    partial: isAny('partial'),
    begin: true,
  }
}

const STEP: Readonly<Record<string, string>> = {
  ...{ daily: 'days', monthly: 'months', monthly_weekday: 'months', yearly: 'years' },
}

/** The recurrence in the words of the request, for the owner. */
export function saidSeries(args: Args): JsonRecord {
  const { repeat, every } = args
  if (typeof repeat !== 'string') return {}
  return typeof every === 'number' && every > 1
    ? { repeat, every, step: STEP[repeat] ?? 'weeks' }
    : { repeat }
}
