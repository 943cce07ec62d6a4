/**
 * Sums samples of an export by day. For each hour it takes the device that counted most, for each night the
 * one with most sleep, so that a phone and a watch are not counted twice. Keeps totals per day, never a
 * sample. Pure. Called by apple-export.ts.
 */

import type {
  DayValue,
  DayValues,
  HealthMonth,
  Workout,
} from '../../integrations/tools/health/health-port.ts'
import type { Measure } from '../../integrations/tools/health/measures.ts'
import { MEASURES, specOf } from '../../integrations/tools/health/measures.ts'

/** Milliseconds. */
const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000
/** Maximum days of one import: a lifetime. Bounds the memory for invalid dates. */
const MOST_DAYS = 40_000
/** Maximum number of sources. Any further ones count as one. */
const MOST_SOURCES = 32
const MOST_WORKOUTS = 50_000
const MINUTES = 1_440
/** Sleep belongs to the day on which it ends, up to 18:00. */
const NIGHT_END = 18 * HOUR

/** The higher stage wins if one source reports two for the same minute. */
export const STAGES = Object.freeze({ in_bed: 1, asleep: 2, awake: 3, light: 4, deep: 5, rem: 6 } as const)
export type Stage = keyof typeof STAGES

/** Times are wall-clock milliseconds: local time, encoded as if it were UTC. */
export interface DayBook {
  add(
    measure: Measure,
    sample: { readonly at: number; readonly value: number; readonly source: string },
  ): void
  sleep(stage: Stage, night: { readonly from: number; readonly to: number; readonly source: string }): void
  workout(workout: Workout): void
  /** Oldest first. */
  months(): readonly HealthMonth[]
}

interface Mean {
  sum: number
  low: number
  high: number
  count: number
}

interface Day {
  readonly sums: Map<Measure, Map<number, Float64Array>>
  readonly means: Map<Measure, Mean>
  readonly nights: Map<number, Uint8Array>
}

export function createDayBook(): DayBook {
  const days = new Map<number, Day>()
  const sources = new Map<string, number>()
  const workouts: Workout[] = []
  const sourceOf = (name: string): number => {
    const known = sources.get(name)
    if (known !== undefined) return known
    const number = Math.min(sources.size, MOST_SOURCES - 1)
    if (sources.size < MOST_SOURCES) sources.set(name, number)
    return number
  }
  const dayOf = (number: number): Day | null => {
    const known = days.get(number)
    if (known !== undefined) return known
    if (days.size >= MOST_DAYS) return null
    const made: Day = { sums: new Map(), means: new Map(), nights: new Map() }
    days.set(number, made)
    return made
  }
  return {
    add(measure, { at, value, source }) {
      const day = dayOf(Math.floor(at / DAY))
      if (day === null) return
      if (specOf(measure).day === 'sum')
        addHour(made(day.sums, measure, newSources), sourceOf(source), at, value)
      else addMean(made(day.means, measure, newMean), value)
    },
    sleep(stage, { from, to, source }) {
      const number = Math.ceil((to - NIGHT_END) / DAY)
      const day = dayOf(number)
      if (day === null) return
      const start = (number - 1) * DAY + NIGHT_END
      const minutes = made(day.nights, sourceOf(source), newNight)
      const first = Math.max(0, Math.round((from - start) / MINUTE))
      const last = Math.min(MINUTES, Math.round((to - start) / MINUTE))
      for (let at = first; at < last; at += 1) minutes[at] = Math.max(minutes[at] ?? 0, STAGES[stage])
    },
    workout(workout) {
      if (workouts.length < MOST_WORKOUTS) workouts.push(workout)
    },
    months: () => monthsOf(days, workouts),
  }
}

function made<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const value = make()
  map.set(key, value)
  return value
}

const newSources = (): Map<number, Float64Array> => new Map()
const newMean = (): Mean => ({
  sum: 0,
  low: Number.POSITIVE_INFINITY,
  high: Number.NEGATIVE_INFINITY,
  count: 0,
})
const newNight = (): Uint8Array => new Uint8Array(MINUTES)

function addHour(by: Map<number, Float64Array>, source: number, at: number, value: number): void {
  const hours = made(by, source, () => new Float64Array(24))
  const hour = Math.floor((((at % DAY) + DAY) % DAY) / HOUR)
  hours[hour] = (hours[hour] ?? 0) + value
}

function addMean(mean: Mean, value: number): void {
  mean.sum += value
  mean.count += 1
  mean.low = Math.min(mean.low, value)
  mean.high = Math.max(mean.high, value)
}

function monthsOf(days: ReadonlyMap<number, Day>, workouts: readonly Workout[]): readonly HealthMonth[] {
  const months = new Map<string, { days: Record<string, DayValues>; workouts: Workout[] }>()
  const monthAt = (day: string) => made(months, day.slice(0, 7), () => ({ days: {}, workouts: [] }))
  for (const [number, day] of days) {
    const date = new Date(number * DAY).toISOString().slice(0, 10)
    const values = valuesOf(day)
    if (Object.keys(values).length > 0) monthAt(date).days[date] = values
  }
  for (const workout of workouts) monthAt(workout.day).workouts.push(workout)
  return [...months.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, one]) => ({ month, days: one.days, workouts: sorted(one.workouts) }))
}

/** Workouts that two apps report in the same minute count as one. */
function sorted(workouts: readonly Workout[]): readonly Workout[] {
  const known = new Map<string, Workout>()
  for (const workout of workouts) {
    const key = `${workout.day} ${workout.at} ${workout.activity}`
    if ((known.get(key)?.minutes ?? -1) < workout.minutes) known.set(key, workout)
  }
  return [...known.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, workout]) => workout)
}

function valuesOf({ sums, means, nights }: Day): DayValues {
  const values: { [M in Measure]?: DayValue } = {}
  for (const measure of MEASURES) {
    const [sum, mean] = [sums.get(measure), means.get(measure)]
    if (sum !== undefined) values[measure] = { value: round(mostByHour([...sum.values()])) }
    if (mean !== undefined) values[measure] = meanOf(mean)
  }
  return { ...values, ...nightOf([...nights.values()]) }
}

function mostByHour(sources: readonly Float64Array[]): number {
  let sum = 0
  for (let hour = 0; hour < 24; hour += 1) sum += Math.max(...sources.map((hours) => hours[hour] ?? 0))
  return sum
}

function meanOf({ sum, low, high, count }: Mean): DayValue {
  return { value: round(sum / count), low: round(low), high: round(high), samples: count }
}

const ASLEEP: readonly number[] = [STAGES.asleep, STAGES.light, STAGES.deep, STAGES.rem]

function nightOf(nights: readonly Uint8Array[]): DayValues {
  const counted = nights.map((minutes) => {
    const counts = new Array<number>(7).fill(0)
    for (const stage of minutes) counts[stage] = (counts[stage] ?? 0) + 1
    const asleep = ASLEEP.reduce((sum, stage) => sum + (counts[stage] ?? 0), 0)
    return { counts, asleep, inBed: MINUTES - (counts[0] ?? 0) }
  })
  const best = counted.toSorted((a, b) => b.asleep - a.asleep)[0]
  if (best === undefined) return {}
  const inBed = Math.max(...counted.map((one) => one.inBed))
  const stage = (name: Stage): number => best.counts[STAGES[name]] ?? 0
  const all: readonly (readonly [Measure, number])[] = [
    ['sleep', best.asleep],
    ['deep_sleep', stage('deep')],
    ['rem_sleep', stage('rem')],
    ['light_sleep', stage('light')],
    ['awake', stage('awake')],
    ['in_bed', inBed],
  ]
  return Object.fromEntries(all.filter(([, value]) => value > 0).map(([name, value]) => [name, { value }]))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
