/**
 * A repetition as calendars write it (RFC 5545, 3.3.10), made from typed arguments alone, and the first times of it. Must not read such a text. Pure. Called by
 * google.ts, check.ts and home's backends.
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
/** Times at which a card looks for what else is then: each is a question to every calendar. */
const LOOKED = 4

type Args = Readonly<Record<string, Json>>

/**
 * `FREQ=WEEKLY;BYDAY=TU;COUNT=4`. An end is always the count that the card said. A day that a month does not have is its last day, and 29 February of other
 * years the 28th.
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

/** Its times that are left out, as a calendar writes them on the clocks of its zone: `20261224T180000`, or `20261224` of whole days. */
export function stampsOf({ except, allDay, clock }: Series): readonly string[] {
  return except.map((day) => {
    const stamp = new Date(day * DAY + clock).toISOString().replace(/[-:]|\.\d{3}Z$/g, '')
    return allDay ? stamp.slice(0, 8) : stamp
  })
}

/** Null for one event alone. Refusals: series_unfit, tool_unavailable where nobody knows the owner's clocks. */
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
 * The times of a new event at which something else may be: its own, or the first of a series. Null where none is named. Refusals: those of the span and of
 * `madeSeries`.
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

/** The arguments that say how an event comes again, and no others. */
export function seriesArgs(args: Args): Args {
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(SERIES_ARGS, name)))
}

/** What is at several times, as of one: the first overlaps, and what could not be looked at. */
export async function overlapsAt(
  times: readonly Times[],
  look: (at: Times) => Promise<object>,
): Promise<JsonRecord> {
  const found: JsonRecord[] = []
  for (const at of times) {
    const one = await look(at)
    if (isPlainRecord(one)) found.push(one)
    // Where one cannot be read, no other can.
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

/** A series said to the owner as it was asked for. */
export function saidSeries(args: Args): JsonRecord {
  const { repeat, every } = args
  if (typeof repeat !== 'string') return {}
  return typeof every === 'number' && every > 1
    ? { repeat, every, step: STEP[repeat] ?? 'weeks' }
    : { repeat }
}
