/**
 * Parses Apple Health's export.xml from a stream of tags: records, sleep and workouts of known kinds in known
 * units. Anything else is skipped and counted. Device names only keep sources apart and are not returned.
 * Drops implausible values. Called by export-file.ts.
 */
import type { HealthMonth, Workout } from '../../integrations/tools/health/health-port.ts'
import { type Activity, isMeasure, type Measure, specOf } from '../../integrations/tools/health/measures.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { createDayBook, type Stage } from './health-day.ts'
import { attributesOf, createXmlReader } from './xml-reader.ts'

export interface AppleReader {
  /** Refusal: health_malformed. */
  push(text: string): Result<true>
  end(): Result<AppleExport>
}

export interface AppleExport {
  readonly months: readonly HealthMonth[]
  readonly taken: number
  /** Number of records of a known kind with an invalid date, unit or value. */
  readonly odd: number
}

type Attributes = ReadonlyMap<string, string>

const QUANTITY = 'HKQuantityTypeIdentifier'
const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis'

const MEASURE_OF: Readonly<Record<string, Measure>> = {
  ...{ StepCount: 'steps', DistanceWalkingRunning: 'distance', DistanceCycling: 'cycling' },
  ...{ FlightsClimbed: 'floors', ActiveEnergyBurned: 'active_energy', AppleExerciseTime: 'exercise' },
  ...{ HeartRate: 'heart_rate', RestingHeartRate: 'resting_heart_rate', RespiratoryRate: 'respiratory_rate' },
  ...{ HeartRateVariabilitySDNN: 'heart_rate_variability', OxygenSaturation: 'oxygen', BodyMass: 'weight' },
  ...{
    BodyFatPercentage: 'body_fat',
    BloodPressureSystolic: 'systolic',
    BloodPressureDiastolic: 'diastolic',
  },
  VO2Max: 'vo2_max',
}

/** Factors from units of the export to the units of PFAR. */
const FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  step: { count: 1 },
  floor: { count: 1 },
  km: { km: 1, m: 0.001, mi: 1.609344, yd: 0.0009144, ft: 0.0003048, cm: 0.00001 },
  kcal: { kcal: 1, Cal: 1, kJ: 1 / 4.184, cal: 0.001, J: 1 / 4_184 },
  minutes: { min: 1, hr: 60, s: 1 / 60 },
  bpm: { 'count/min': 1, 'count/s': 60 },
  ms: { ms: 1, s: 1_000 },
  breaths: { 'count/min': 1 },
  // The export writes percentages as fractions of one.
  percent: { '%': 100 },
  kg: { kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125, st: 6.35029318 },
  mmHg: { mmHg: 1, kPa: 7.50061683 },
  vo2: { 'mL/min·kg': 1, 'mL/kg*min': 1, 'ml/(kg*min)': 1 },
}

const STAGE_OF: Readonly<Record<string, Stage>> = {
  ...{ InBed: 'in_bed', Asleep: 'asleep', AsleepUnspecified: 'asleep', Awake: 'awake' },
  ...{ AsleepCore: 'light', AsleepDeep: 'deep', AsleepREM: 'rem' },
}

const ACTIVITY_OF: Readonly<Record<string, Activity>> = {
  ...{ Walking: 'walking', Running: 'running', Cycling: 'cycling', HandCycling: 'cycling', Hiking: 'hiking' },
  ...{ Swimming: 'swimming', Yoga: 'yoga', Pilates: 'pilates', CoreTraining: 'core', Rowing: 'rowing' },
  ...{ TraditionalStrengthTraining: 'strength', FunctionalStrengthTraining: 'strength', Golf: 'golf' },
  ...{ HighIntensityIntervalTraining: 'hiit', Elliptical: 'elliptical', StairClimbing: 'stairs' },
  ...{ Stairs: 'stairs', StairStepper: 'stairs', Dance: 'dance', SocialDance: 'dance', CardioDance: 'dance' },
  ...{ Climbing: 'climbing', CrossCountrySkiing: 'skiing', DownhillSkiing: 'skiing', Soccer: 'soccer' },
  ...{ Snowboarding: 'snowboarding', Tennis: 'tennis', Basketball: 'basketball', Badminton: 'badminton' },
  ...{ MartialArts: 'martial_arts', Boxing: 'boxing', Kickboxing: 'boxing' },
}

/** Milliseconds that a record may lie in the future: tolerance for a wrong clock. */
const AHEAD = 86_400_000
/** Earliest year: before it nothing wrote such records. */
const FIRST = Date.UTC(2000, 0, 1)
/** Milliseconds. */
const LONGEST = { sleep: 86_400_000, workout: 7 * 86_400_000 } as const
/** UTF-16 units of a device's name. */
const NAME = 100

export function createAppleReader(now: number): AppleReader {
  const book = createDayBook()
  const counts = { taken: 0, odd: 0 }
  let within = 0
  let workout: { readonly made: Workout; readonly km: number[]; readonly kcal: number[] } | null = null
  const count = (fits: boolean | null): void => {
    if (fits === true) counts.taken += 1
    if (fits === false) counts.odd += 1
  }
  const endWorkout = (): void => {
    if (workout === null) return
    const { made, km, kcal } = workout
    workout = null
    book.workout({ ...made, ...atMost('km', km, 1_000), ...atMost('kcal', kcal, 20_000) })
  }
  const record = (attributes: Attributes): boolean | null => {
    const type = attributes.get('type') ?? ''
    const source = (attributes.get('sourceName') ?? '').slice(0, NAME)
    const span = spanOf(attributes, now)
    if (type === SLEEP) {
      const stage = STAGE_OF[(attributes.get('value') ?? '').replace('HKCategoryValueSleepAnalysis', '')]
      if (stage === undefined || span === null || span.to <= span.from) return false
      if (span.to - span.from > LONGEST.sleep) return false
      book.sleep(stage, { ...span, source })
      return true
    }
    const name = type.startsWith(QUANTITY) ? type.slice(QUANTITY.length) : ''
    const measure = Object.hasOwn(MEASURE_OF, name) ? MEASURE_OF[name] : undefined
    if (!isMeasure(measure)) return null
    const value = amountIn(attributes.get('value'), attributes.get('unit'), specOf(measure).unit)
    const { least, most } = specOf(measure)
    if (span === null || value === null || value < least || value > most) return false
    book.add(measure, { at: span.from, value, source })
    return true
  }
  const begin = (attributes: Attributes): boolean => {
    const span = spanOf(attributes, now)
    if (span === null || span.to < span.from || span.to - span.from > LONGEST.workout) return false
    const name = (attributes.get('workoutActivityType') ?? '').replace('HKWorkoutActivityType', '')
    const stated = amountIn(attributes.get('duration'), attributes.get('durationUnit'), 'minutes')
    const lasted = (span.to - span.from) / 60_000
    const minutes = stated !== null && stated >= 0 && stated <= LONGEST.workout / 60_000 ? stated : lasted
    const start = new Date(span.from).toISOString()
    const activity = Object.hasOwn(ACTIVITY_OF, name) ? (ACTIVITY_OF[name] ?? 'other') : 'other'
    workout = {
      made: { day: start.slice(0, 10), at: start.slice(11, 16), activity, minutes: Math.round(minutes) },
      km: listOf(amountIn(attributes.get('totalDistance'), attributes.get('totalDistanceUnit'), 'km')),
      kcal: listOf(
        amountIn(attributes.get('totalEnergyBurned'), attributes.get('totalEnergyBurnedUnit'), 'kcal'),
      ),
    }
    return true
  }
  const statistics = (attributes: Attributes): void => {
    if (workout === null) return
    const type = (attributes.get('type') ?? '').replace(QUANTITY, '')
    const [sum, unit] = [attributes.get('sum'), attributes.get('unit')]
    if (type.startsWith('Distance')) workout.km.push(...listOf(amountIn(sum, unit, 'km')))
    if (type === 'ActiveEnergyBurned') workout.kcal.push(...listOf(amountIn(sum, unit, 'kcal')))
  }
  const xml = createXmlReader({
    open(name, inside, closed) {
      if (name === 'Correlation' && !closed) within += 1
      // The export repeats records of a correlation outside of it, so these are skipped.
      else if (name === 'Record' && within === 0) count(record(attributesOf(inside)))
      else if (name === 'Workout') {
        endWorkout()
        count(begin(attributesOf(inside)))
        if (closed) endWorkout()
      } else if (name === 'WorkoutStatistics') statistics(attributesOf(inside))
    },
    close(name) {
      if (name === 'Correlation') within = Math.max(0, within - 1)
      if (name === 'Workout') endWorkout()
    },
  })
  return {
    push: (text) => xml.push(text),
    end() {
      const ended = xml.end()
      return ended.ok ? { ok: true, value: { months: book.months(), ...counts } } : ended
    },
  }
}

function listOf(value: number | null): number[] {
  return value === null ? [] : [value]
}

/** The largest stated value: exports write a total in one of two forms. */
function atMost(name: 'km' | 'kcal', values: readonly number[], most: number): Partial<Workout> {
  const value = Math.max(0, ...values.filter((one) => one <= most))
  return value > 0 ? { [name]: Math.round(value * 100) / 100 } : {}
}

const NUMBER = /^-?\d{1,12}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?$/

/** The value in `unit`. Null if it is no number, or its unit cannot be converted. */
function amountIn(value: string | undefined, given: string | undefined, unit: string): number | null {
  const factors = FACTORS[unit] ?? {}
  const factor = given !== undefined && Object.hasOwn(factors, given) ? factors[given] : undefined
  if (value === undefined || factor === undefined || !NUMBER.test(value)) return null
  const amount = Number(value) * factor
  return Number.isFinite(amount) ? amount : null
}

const MOMENT = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/

interface Moment {
  readonly wall: number
  readonly utc: number
}

function momentOf(text: string | undefined): Moment | null {
  const found = MOMENT.exec(text ?? '')
  if (found === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number)
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  // JavaScript turns 31 February into a day of March.
  const isDay = new Date(wall).getUTCDate() === day && month >= 1 && month <= 12 && hour < 24 && minute < 60
  const offset = (Number(found[8]) * 60 + Number(found[9])) * 60_000 * (found[7] === '-' ? -1 : 1)
  return isDay && Math.abs(offset) <= 15 * 3_600_000 ? { wall, utc: wall - offset } : null
}

/**
 * Wall-clock times in the zone of the end, with the true duration, so that a change of zone or clock neither
 * adds nor removes time.
 */
function spanOf(attributes: Attributes, now: number): { readonly from: number; readonly to: number } | null {
  const start = momentOf(attributes.get('startDate'))
  const end = momentOf(attributes.get('endDate'))
  if (start === null || end === null) return null
  if (start.wall < FIRST || end.utc > now + AHEAD || end.utc < start.utc) return null
  return { from: end.wall - (end.utc - start.utc), to: end.wall }
}
