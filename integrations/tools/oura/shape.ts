/**
 * Converts Oura's documents to days of health data: numbers by day; nothing else is read. Plausibility and the requested days are
 * checked where they are stored. Pure. Called by run.ts.
 */
import type { HomeToolPowers } from '../package.ts'
import { fieldOf, type JsonRecord, stringOf } from '../reading.ts'
import type { Collection } from './api.ts'

export type Keeper = NonNullable<HomeToolPowers['healthKeeper']>
export type Days = Parameters<Keeper['replace']>[2]
type DayValues = Days[string]
type Measure = keyof DayValues
type DayValue = NonNullable<DayValues[Measure]>

export type Documents = Readonly<Record<Collection, readonly JsonRecord[]>>

/** Seconds. */
const MINUTE = 60
/** A heart rate outside of these is a sensor error. */
const RATES = { least: 20, most: 300 } as const

/** Type of nights, without naps and rest; if a day has none, any sleep is used. */
const NIGHT = 'long_sleep'
const NAP = 'sleep'

/** Values of a night that are added, in seconds. */
const NIGHT_SUMS: readonly (readonly [Measure, string])[] = [
  ['sleep', 'total_sleep_duration'],
  ['deep_sleep', 'deep_sleep_duration'],
  ['rem_sleep', 'rem_sleep_duration'],
  ['light_sleep', 'light_sleep_duration'],
  ['awake', 'awake_time'],
  ['in_bed', 'time_in_bed'],
]
/** Values of the longest part of a night. Oura's resting heart rate is the lowest of the night. */
const NIGHT_MEANS: readonly (readonly [Measure, string])[] = [
  ['resting_heart_rate', 'lowest_heart_rate'],
  ['heart_rate_variability', 'average_hrv'],
  ['respiratory_rate', 'average_breath'],
]
const DAILY: readonly (readonly [Collection, Measure, string])[] = [
  ['daily_activity', 'steps', 'steps'],
  ['daily_activity', 'active_energy', 'active_calories'],
  ['daily_activity', 'activity_score', 'score'],
  ['daily_sleep', 'sleep_score', 'score'],
  ['daily_readiness', 'readiness', 'score'],
]

/** `dayAt`: the owner's local date at a moment. */
export function daysIn(documents: Documents, dayAt: Keeper['dayAt']): Days {
  const days = new Map<string, { [M in Measure]?: DayValue }>()
  const put = (day: string, measure: Measure, value: DayValue | null): void => {
    if (value !== null) days.set(day, { ...days.get(day), [measure]: value })
  }
  for (const [day, parts] of byDay(documents.sleep)) {
    const night = parts.filter((part) => stringOf(part, 'type') === NIGHT)
    const slept = night.length > 0 ? night : parts.filter((part) => stringOf(part, 'type') === NAP)
    for (const [measure, field] of NIGHT_SUMS)
      put(day, measure, minutesOf(slept.map((part) => fieldOf(part, field))))
    const [longest = {}] = slept.toSorted((a, b) => lengthOf(b) - lengthOf(a))
    for (const [measure, field] of NIGHT_MEANS) put(day, measure, numberOf(fieldOf(longest, field)))
  }
  for (const [collection, measure, field] of DAILY)
    for (const [day, parts] of byDay(documents[collection]))
      for (const part of parts) put(day, measure, numberOf(fieldOf(part, field)))
  for (const [day, rates] of ratesOf(documents.heartrate, dayAt)) put(day, 'heart_rate', meanOf(rates))
  return Object.fromEntries([...days].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function byDay(documents: readonly JsonRecord[]): ReadonlyMap<string, readonly JsonRecord[]> {
  const days = new Map<string, JsonRecord[]>()
  for (const document of documents) {
    const day = stringOf(document, 'day')
    const own = days.get(day)
    if (own === undefined) days.set(day, [document])
    else own.push(document)
  }
  return days
}

function numberOf(value: unknown): DayValue | null {
  return typeof value === 'number' ? { value: rounded(value) } : null
}

/** Null also for zero: "none seen" is not the same as "none". */
function minutesOf(seconds: readonly unknown[]): DayValue | null {
  const sum = seconds.reduce<number>((all, one) => all + (typeof one === 'number' ? one : 0), 0)
  const minutes = Math.round(sum / MINUTE)
  return minutes > 0 ? { value: minutes } : null
}

function lengthOf(part: JsonRecord): number {
  const length = fieldOf(part, 'total_sleep_duration')
  return typeof length === 'number' ? length : 0
}

function ratesOf(
  samples: readonly JsonRecord[],
  dayAt: (at: number) => string,
): ReadonlyMap<string, readonly number[]> {
  const days = new Map<string, number[]>()
  for (const sample of samples) {
    const at = Date.parse(stringOf(sample, 'timestamp'))
    const rate = fieldOf(sample, 'bpm')
    if (Number.isNaN(at) || typeof rate !== 'number' || rate < RATES.least || rate > RATES.most) continue
    const day = dayAt(at)
    const rates = days.get(day) ?? []
    rates.push(rate)
    days.set(day, rates)
  }
  return days
}

function meanOf(rates: readonly number[]): DayValue {
  let [sum, low, high] = [0, Number.POSITIVE_INFINITY, 0]
  for (const rate of rates) [sum, low, high] = [sum + rate, Math.min(low, rate), Math.max(high, rate)]
  return { value: rounded(sum / rates.length), low, high, samples: rates.length }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
