/**
 * Computes the declared fields from days of health data: totals, means, changes and trends. Each number comes with the number of
 * days that it is based on. Pure. Called by run.ts.
 */
import type { DayValue, DayValues, KeptMonth, Workout } from './health-port.ts'
import { MAX_WORKOUTS } from './manifest.ts'
import { MEASURES, type Measure, specOf } from './measures.ts'
import { daysIn, type Period, shifted } from './period.ts'
import { HEALTH_SOURCES, type HealthSource } from './sources.ts'

export interface Days extends Period {
  readonly months: readonly KeptMonth[]
  /** The last day with any data. */
  readonly through: string
}

interface Dated extends DayValue {
  readonly day: string
}

interface Joined {
  /** Oldest first, one per day. */
  readonly values: readonly Dated[]
  /** Sources of the values. */
  readonly from: { readonly by?: HealthSource; readonly also?: HealthSource; readonly also_counted?: number }
}

/** The default source, which is not named if it is the only one. */
const [USUAL] = HEALTH_SOURCES

/**
 * Each day is counted once: the source with most days is used, and another one for days that it lacks, unless the two measure
 * different things by this name.
 */
function joined(months: readonly KeptMonth[], measure: Measure): Joined {
  const known = HEALTH_SOURCES.map((source) => ({ source, days: daysOf(months, source, measure) }))
  const [most, ...others] = known.toSorted((a, b) => b.days.size - a.days.size)
  const days = new Map(most?.days)
  const missing = others
    .map(({ source, days: own }) => ({ source, own: [...own].filter(([day]) => !days.has(day)) }))
    .toSorted((a, b) => b.own.length - a.own.length)[0]
  const filled = specOf(measure).differs === true ? [] : (missing?.own ?? [])
  for (const [day, value] of filled) days.set(day, value)
  const isSaid = days.size > 0 && months.some(({ source }) => source !== USUAL)
  return {
    values: [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1)),
    from: {
      ...(isSaid && most !== undefined && { by: most.source }),
      ...(isSaid &&
        missing !== undefined &&
        filled.length > 0 && { also: missing.source, also_counted: filled.length }),
    },
  }
}

function daysOf(
  months: readonly KeptMonth[],
  of: HealthSource,
  measure: Measure,
): ReadonlyMap<string, Dated> {
  const found = new Map<string, Dated>()
  for (const { source, days } of months)
    for (const [day, values] of source === of ? Object.entries(days) : []) {
      const value = valueIn(values, measure)
      if (value !== undefined) found.set(day, { ...value, day })
    }
  return found
}

function valuesOf(months: readonly KeptMonth[], measure: Measure): readonly Dated[] {
  return joined(months, measure).values
}

function valueIn(values: DayValues, measure: Measure): DayValue | undefined {
  return Object.hasOwn(values, measure) ? values[measure] : undefined
}

function spanOf({ from, to, through }: Days): object {
  return { from, to, ...(through < to && { ends: through }) }
}

export function summaryOf(days: Days, measures: readonly Measure[] = MEASURES): object {
  const rows = measures.flatMap((measure) => {
    const { values, from } = joined(days.months, measure)
    if (values.length === 0) return []
    const { unit, day } = specOf(measure)
    const isTotal = day === 'sum' && daysIn(days) > 1
    return [
      {
        ...{ measure, unit, value: rounded(isTotal ? sum(values) : mean(values)) },
        ...(isTotal && { each: rounded(mean(values)) }),
        counted: values.length,
        ...from,
      },
    ]
  })
  const workouts = days.months.flatMap((month) => month.workouts).length
  return { ...spanOf(days), rows, workouts, several: daysIn(days) > 1 }
}

export function measureOf(days: Days, measure: Measure): object {
  const { values, from } = joined(days.months, measure)
  const { unit, day } = specOf(measure)
  const asked = daysIn(days)
  const head = { ...spanOf(days), measure, unit, counted: values.length, asked, ...from }
  const last = values.at(-1)
  if (last === undefined) return { ...head, empty: true }
  if (asked === 1) return { ...head, on: last.day, ...oneDay(days, measure, last) }
  const isTotal = day === 'sum'
  const all = values.map(({ value }) => value)
  return {
    ...{ ...head, told: true, value: rounded(isTotal ? sum(values) : mean(values)) },
    ...(isTotal ? { total: true, each: rounded(mean(values)) } : { average: true }),
    ...(unit !== 'minutes' && !isTotal && boundsOf(Math.min(...all), Math.max(...all))),
    ...(!isTotal && unit !== 'minutes' && { latest: rounded(last.value), latest_day: last.day }),
    ...lowerOf(days, measure),
    ...(values.length < asked && { partly: true }),
  }
}

function oneDay(days: Days, measure: Measure, { value, low, high, samples = 1, day }: Dated): object {
  const { from } = joined(days.months, measure)
  const stages = (['deep_sleep', 'rem_sleep', 'light_sleep'] as const).map(
    (stage) => daysOf(days.months, from.by ?? USUAL, stage).get(day)?.value,
  )
  const [deep, rem, light] = measure === 'sleep' ? stages : []
  return {
    ...{ told: true, value: rounded(value) },
    ...(samples > 1 && low !== undefined && high !== undefined && boundsOf(low, high)),
    ...(deep !== undefined && { deep }),
    ...(rem !== undefined && { rem }),
    ...(light !== undefined && { light }),
    ...lowerOf(days, measure),
  }
}

function boundsOf(low: number, high: number): object {
  return low < high ? { low: rounded(low), high: rounded(high) } : {}
}

function lowerOf({ months }: Days, measure: Measure): object {
  const lower = measure === 'systolic' ? valuesOf(months, 'diastolic') : []
  return lower.length === 0 ? {} : { lower: rounded(mean(lower)) }
}

/** Measures that are taken occasionally, so single values are compared; others vary from day to day, so weeks are compared. */
const SINGLE: readonly Measure[] = ['weight', 'body_fat', 'systolic', 'diastolic', 'vo2_max']
const WEEK = 7

export function changeOf(days: Days, measure: Measure): object {
  const { values, from } = joined(days.months, measure)
  const { unit } = specOf(measure)
  const head = { ...spanOf(days), measure, unit, counted: values.length, ...from }
  const [one, other] = [values[0], values.at(-1)]
  if (one === undefined || other === undefined || one.day === other.day) return { ...head, empty: true }
  const isWeekly = !SINGLE.includes(measure) && values.length >= 2 * WEEK
  const first = isWeekly ? mean(values.slice(0, WEEK)) : one.value
  const last = isWeekly ? mean(values.slice(-WEEK)) : other.value
  return {
    ...head,
    ...{ first: rounded(first), first_day: one.day, last: rounded(last), last_day: other.day },
    ...{ weekly: isWeekly, ...difference(first, last) },
  }
}

/** Number of weeks before the last one. */
const BEFORE = 4

/** Up to the last complete day, because today is incomplete. */
export function trendOf(days: Days, measure: Measure): object {
  const { values, from } = joined(days.months, measure)
  const { unit } = specOf(measure)
  const since = shifted(days.to, 1 - WEEK)
  const recent = values.filter(({ day }) => day >= since)
  const before = values.filter(({ day }) => day < since)
  const counts = { counted: recent.length, counted_before: before.length }
  const head = { ...spanOf(days), measure, unit, ...counts, ...from }
  if (recent.length === 0 || before.length === 0) return { ...head, empty: true }
  const [now, then] = [mean(recent), mean(before)]
  return {
    ...head,
    told: true,
    ...{ recent: rounded(now), before: rounded(then), ...difference(then, now) },
    ...(then !== 0 &&
      rounded(now) !== rounded(then) && {
        percent: Math.round((Math.abs(now - then) / Math.abs(then)) * 100),
      }),
  }
}

export const TREND_DAYS = WEEK * (BEFORE + 1)

export function workoutsOf(days: Days): object {
  const all = days.months
    .flatMap(({ workouts }) => workouts)
    .sort((a, b) => (startOf(a) < startOf(b) ? 1 : -1))
  const workouts = all.slice(0, MAX_WORKOUTS).map(({ day, activity, minutes, km, kcal }) => ({
    ...{ day, activity, minutes },
    ...(km !== undefined && { km: rounded(km) }),
    ...(kcal !== undefined && { kcal: rounded(kcal) }),
  }))
  return { ...spanOf(days), workouts, total: all.length, more: all.length > MAX_WORKOUTS }
}

function startOf({ day, at }: Workout): string {
  return `${day} ${at}`
}

/** Difference of the rounded values, so that the shown numbers agree. */
function difference(from: number, to: number): object {
  const by = rounded(rounded(to) - rounded(from))
  return by > 0 ? { up: by } : by < 0 ? { down: -by } : { same: true }
}

function sum(values: readonly DayValue[]): number {
  return values.reduce((total, { value }) => total + value, 0)
}

function mean(values: readonly DayValue[]): number {
  return sum(values) / values.length
}

/** Rounds as people say it: 8,432 steps, 71.4 kg. */
function rounded(value: number): number {
  return Math.abs(value) >= 200 ? Math.round(value) : Math.round(value * 10) / 10
}
