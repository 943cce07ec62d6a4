/**
 * Which measure of a body an entity says, by its words and its unit, and what its changes come to by day. Nothing that is read as of the home is of a body
 * (of-home.ts), and what is not surely one measure is none. Pure. Called by body.ts.
 */
import type { HomeToolPowers } from '../package.ts'
import { type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { isOfHome } from './of-home.ts'
import { numberIn } from './shape.ts'

export type Keeper = NonNullable<HomeToolPowers['healthKeeper']>
export type Days = Parameters<Keeper['replace']>[2]
type DayValues = Days[string]
export type Measure = keyof DayValues
type DayValue = NonNullable<DayValues[Measure]>

/** `counted`: it only grows until it begins anew. `measured`: each value stands for itself. `night`: the last value of a day is that of the night before. */
type Way = 'counted' | 'measured' | 'night'

interface Rule {
  readonly measure: Measure
  readonly way: Way
  /** Beginnings of words in the name or id, and what none of them may have. */
  readonly says: RegExp
  readonly but?: RegExp
  /** By unit, lower case, what one of it is in the measure's own. */
  readonly units: Readonly<Record<string, number>>
}

const WEIGHTS = { kg: 1, g: 0.001, lb: 0.453_592_37, lbs: 0.453_592_37, st: 6.350_293_18 }
const LENGTHS = { km: 1, m: 0.001, mi: 1.609_344 }
const TIMES = { min: 1, h: 60, s: 1 / 60, hours: 60, minutes: 1 }
const BEATS = { bpm: 1, 'beats/min': 1 }
const PERCENT = { '%': 1 }
const PRESSURE = { mmhg: 1 }

const STAGE =
  /(?<!\p{L})(?:deep|rem|light|core|awake|bed|tief|leicht|wach|bett|score|quality|goal|target|ziel)/iu
const GOAL =
  /(?<!\p{L})(?:goal|target|limit|ziel|min(?:imum)?|max(?:imum)?|average|avg|mean|durchschnitt)(?!\p{L})/iu

const RULES: readonly Rule[] = [
  {
    measure: 'steps',
    way: 'counted',
    says: /(?<!\p{L})(?:steps?|schritt)/iu,
    units: { steps: 1, step: 1, schritte: 1 },
  },
  {
    measure: 'floors',
    way: 'counted',
    says: /(?<!\p{L})(?:floors|stairs|stockwerke|etagen)/iu,
    units: { floors: 1, floor: 1 },
  },
  {
    measure: 'distance',
    way: 'counted',
    says: /(?<!\p{L})(?:walk|on foot|zu fuß|gelaufen|gegangen)/iu,
    units: LENGTHS,
  },
  {
    measure: 'active_energy',
    way: 'counted',
    says: /(?<!\p{L})(?:active|aktiv)[\p{L} ]{0,20}(?:energy|calor|energie|kalor)/iu,
    units: { kcal: 1, cal: 0.001, kj: 0.239_006 },
  },
  {
    measure: 'resting_heart_rate',
    way: 'measured',
    says: /(?<!\p{L})(?:resting|ruhe)[\p{L} -]{0,12}(?:heart|puls|herz)/iu,
    units: BEATS,
  },
  {
    measure: 'heart_rate_variability',
    way: 'measured',
    says: /(?<!\p{L})(?:hrv|[\p{L} -]{0,20}variabil)/iu,
    units: { ms: 1 },
  },
  {
    measure: 'heart_rate',
    way: 'measured',
    says: /(?<!\p{L})(?:heart|pulse|puls|herz)/iu,
    but: /rest|ruhe|variab/iu,
    units: BEATS,
  },
  {
    measure: 'respiratory_rate',
    way: 'measured',
    says: /(?<!\p{L})(?:respirat|breath|atem)/iu,
    units: { brpm: 1, 'breaths/min': 1 },
  },
  {
    measure: 'oxygen',
    way: 'measured',
    says: /(?<!\p{L})(?:spo2|blood oxygen|oxygen saturation|sauerstoffsättigung)/iu,
    units: PERCENT,
  },
  {
    measure: 'body_fat',
    way: 'measured',
    says: /(?<!\p{L})(?:body fat|fat ratio|körperfett)/iu,
    units: PERCENT,
  },
  {
    measure: 'weight',
    way: 'measured',
    says: /(?<!\p{L})(?:weight|gewicht|körpergewicht)/iu,
    but: /(?<!\p{L})(?:fat|muscle|bone|lean|water|fett|muskel|knochen)/iu,
    units: WEIGHTS,
  },
  { measure: 'systolic', way: 'measured', says: /(?<!\p{L})(?:systol)/iu, units: PRESSURE },
  { measure: 'diastolic', way: 'measured', says: /(?<!\p{L})(?:diastol)/iu, units: PRESSURE },
  {
    measure: 'deep_sleep',
    way: 'night',
    says: /(?<!\p{L})(?:deep sleep|sleep deep|tiefschlaf)/iu,
    units: TIMES,
  },
  {
    measure: 'rem_sleep',
    way: 'night',
    says: /(?<!\p{L})(?:rem sleep|sleep rem|rem-?schlaf)/iu,
    units: TIMES,
  },
  {
    measure: 'light_sleep',
    way: 'night',
    says: /(?<!\p{L})(?:(?:light|core) sleep|sleep (?:light|core)|leichter schlaf)/iu,
    units: TIMES,
  },
  { measure: 'in_bed', way: 'night', says: /(?<!\p{L})(?:time in bed|in bed|zeit im bett)/iu, units: TIMES },
  { measure: 'sleep', way: 'night', says: /(?<!\p{L})(?:sleep|asleep|schlaf)/iu, but: STAGE, units: TIMES },
]

export interface BodyEntity {
  readonly id: string
  readonly rule: Rule
  readonly factor: number
}

/** Null for what measures no body, or not surely which of its measures. */
export function bodyEntityOf(record: JsonRecord, area: string): BodyEntity | null {
  const id = stringOf(record, 'entity_id')
  const [, object] = /^sensor\.([a-z0-9_]{1,200})$/.exec(id) ?? []
  if (object === undefined) return null
  const attributes = recordOf(record, 'attributes')
  const unit = stringOf(attributes, 'unit_of_measurement').trim()
  const named = `${stringOf(attributes, 'friendly_name')} ${object.replaceAll('_', ' ')}`
  const deviceClass = stringOf(attributes, 'device_class')
  if (isOfHome({ domain: 'sensor', deviceClass, words: `${named} ${area}`, unit }) || GOAL.test(named))
    return null
  const fits = RULES.flatMap((rule) => {
    const factor = Object.hasOwn(rule.units, unit.toLowerCase()) ? rule.units[unit.toLowerCase()] : undefined
    const isIt = factor !== undefined && rule.says.test(named) && rule.but?.test(named) !== true
    return isIt ? [{ id, rule, factor }] : []
  })
  return fits.length === 1 ? (fits[0] ?? null) : null
}

interface Sample {
  readonly day: string
  readonly value: number
}

/** What its changes, in time, come to on each day. A counter says nothing before its second value. */
export function valuesOf(
  { rule, factor }: BodyEntity,
  changes: readonly JsonRecord[],
  dayAt: Keeper['dayAt'],
): ReadonlyMap<string, DayValue> {
  const samples = changes
    .map((record) => ({
      at: Date.parse(stringOf(record, 'last_changed') || stringOf(record, 'last_updated')),
      value: numberIn(stringOf(record, 'state')),
    }))
    .flatMap(({ at, value }) => (Number.isNaN(at) || value === null ? [] : [{ at, value }]))
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, value }): Sample => ({ day: dayAt(at), value: value * factor }))
  return new Map([...BY_WAY[rule.way](samples)].map(([day, value]) => [day, rounded(value)]))
}

const BY_WAY: Readonly<Record<Way, (samples: readonly Sample[]) => ReadonlyMap<string, DayValue>>> = {
  counted(samples) {
    const days = new Map<string, DayValue>()
    for (const [at, { day, value }] of samples.entries()) {
      const before = samples[at - 1]?.value
      if (before === undefined) continue
      const more = value >= before ? value - before : value
      if (more === 0) continue
      days.set(day, { value: (days.get(day)?.value ?? 0) + more })
    }
    return days
  },
  measured(samples) {
    const days = new Map<string, number[]>()
    for (const { day, value } of samples) days.set(day, [...(days.get(day) ?? []), value])
    return new Map(
      [...days].map(([day, values]) => {
        const [low, high] = values.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [
          values[0] ?? 0,
          values[0] ?? 0,
        ] as const)
        const value = values.reduce((sum, one) => sum + one, 0) / values.length
        return [day, { value, low, high, samples: values.length }] as const
      }),
    )
  },
  night(samples) {
    return new Map(samples.flatMap(({ day, value }) => (value > 0 ? [[day, { value }] as const] : [])))
  },
}

function rounded(value: DayValue): DayValue {
  const round = (one: number): number => Math.round(one * 100) / 100
  return {
    value: round(value.value),
    ...(value.low !== undefined && { low: round(value.low) }),
    ...(value.high !== undefined && { high: round(value.high) }),
    ...(value.samples !== undefined && { samples: value.samples }),
  }
}
