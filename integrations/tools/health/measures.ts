/**
 * The measures of a day: unit, whether values of a day are added, and the words by which people name each. Data, and a look-up by
 * word. Called by shape.ts, run.ts and home's reader of exports.
 */

export const UNITS = Object.freeze([
  ...([
    'step',
    'floor',
    'km',
    'kcal',
    'minutes',
    'bpm',
    'ms',
    'breaths',
    'percent',
    'kg',
    'mmHg',
    'vo2',
    'points',
  ] as const),
])
export type Unit = (typeof UNITS)[number]

interface MeasureSpec {
  readonly unit: Unit
  /** `sum`: total of the day. `mean`: average of the day's measurements. `night`: minutes in the night that ended on the day. */
  readonly day: 'sum' | 'mean' | 'night'
  /** A sample outside of these bounds, in `unit`, is implausible. */
  readonly least: number
  readonly most: number
  /** Sources measure different things by this name, so days of two sources are not one series. */
  readonly differs?: true
  /** Lower-case words; the first is used in answers. */
  readonly words: readonly string[]
}

const MINUTES_OF_NIGHT = { unit: 'minutes', day: 'night', least: 0, most: 1_440 } as const

/** For scores that a service defines itself. */
const SCORE = { unit: 'points', day: 'mean', least: 0, most: 100, differs: true } as const

const SPECS = {
  steps: {
    ...({ unit: 'step', day: 'sum', least: 0, most: 200_000 } as const),
    words: ['steps', 'step count', 'step', 'schritte', 'schrittzahl'],
  },
  distance: {
    ...({ unit: 'km', day: 'sum', least: 0, most: 300 } as const),
    words: [
      'distance on foot',
      'distance',
      'walking distance',
      'walk',
      'walked',
      'strecke',
      'gelaufen',
      'gegangen',
    ],
  },
  cycling: {
    ...({ unit: 'km', day: 'sum', least: 0, most: 600 } as const),
    words: ['distance by bike', 'cycling distance', 'cycle', 'cycled', 'cycling', 'radstrecke', 'geradelt'],
  },
  floors: {
    ...({ unit: 'floor', day: 'sum', least: 0, most: 2_000 } as const),
    words: ['floors', 'flights', 'flights of stairs', 'stairs', 'stockwerke', 'etagen'],
  },
  active_energy: {
    ...({ unit: 'kcal', day: 'sum', least: 0, most: 20_000 } as const),
    words: ['active energy', 'calories', 'active calories', 'energy', 'kalorien', 'aktivitätsenergie'],
  },
  exercise: {
    ...({ unit: 'minutes', day: 'sum', least: 0, most: 1_440 } as const),
    words: ['exercise', 'exercise minutes', 'exercise time', 'training minutes', 'trainingsminuten'],
  },
  sleep: { ...MINUTES_OF_NIGHT, words: ['sleep', 'slept', 'sleeping', 'schlaf', 'geschlafen'] },
  deep_sleep: { ...MINUTES_OF_NIGHT, words: ['deep sleep', 'tiefschlaf'] },
  rem_sleep: { ...MINUTES_OF_NIGHT, words: ['REM sleep', 'rem', 'rem-schlaf', 'rem schlaf'] },
  light_sleep: { ...MINUTES_OF_NIGHT, words: ['core sleep', 'light sleep', 'leichter schlaf'] },
  awake: { ...MINUTES_OF_NIGHT, words: ['time awake', 'awake'] },
  in_bed: { ...MINUTES_OF_NIGHT, words: ['time in bed', 'in bed', 'zeit im bett'] },
  heart_rate: {
    ...({ unit: 'bpm', day: 'mean', least: 20, most: 300 } as const),
    words: ['heart rate', 'pulse', 'heartbeat', 'heart', 'herzfrequenz', 'puls'],
  },
  resting_heart_rate: {
    ...({ unit: 'bpm', day: 'mean', least: 20, most: 200, differs: true } as const),
    words: ['resting heart rate', 'resting pulse', 'rhr', 'ruhepuls', 'ruheherzfrequenz'],
  },
  heart_rate_variability: {
    ...({ unit: 'ms', day: 'mean', least: 0, most: 1_000, differs: true } as const),
    words: ['heart rate variability', 'hrv', 'herzfrequenzvariabilität', 'herzratenvariabilität'],
  },
  respiratory_rate: {
    ...({ unit: 'breaths', day: 'mean', least: 2, most: 100 } as const),
    words: ['respiratory rate', 'breathing rate', 'breaths', 'atemfrequenz'],
  },
  oxygen: {
    ...({ unit: 'percent', day: 'mean', least: 40, most: 100 } as const),
    words: ['blood oxygen', 'oxygen', 'oxygen saturation', 'spo2', 'sauerstoffsättigung'],
  },
  weight: {
    ...({ unit: 'kg', day: 'mean', least: 2, most: 500 } as const),
    words: ['weight', 'body weight', 'weigh', 'weighed', 'gewicht', 'körpergewicht', 'wiege'],
  },
  body_fat: {
    ...({ unit: 'percent', day: 'mean', least: 1, most: 90 } as const),
    words: ['body fat', 'fat', 'body fat percentage', 'körperfett'],
  },
  systolic: {
    ...({ unit: 'mmHg', day: 'mean', least: 40, most: 320 } as const),
    words: ['systolic blood pressure', 'blood pressure', 'systolic', 'blutdruck'],
  },
  diastolic: {
    ...({ unit: 'mmHg', day: 'mean', least: 20, most: 220 } as const),
    words: ['diastolic blood pressure', 'diastolic', 'diastolischer blutdruck'],
  },
  vo2_max: {
    ...({ unit: 'vo2', day: 'mean', least: 5, most: 120 } as const),
    words: ['VO2 max', 'vo2max', 'vo2', 'cardio fitness', 'fitness', 'ausdauer'],
  },
  sleep_score: { ...SCORE, words: ['sleep score', 'schlafwert', 'schlafindex'] },
  readiness: { ...SCORE, words: ['readiness', 'readiness score', 'bereitschaft', 'tagesform'] },
  activity_score: { ...SCORE, words: ['activity score', 'aktivitätswert', 'aktivitätsindex'] },
} satisfies Readonly<Record<string, MeasureSpec>>

export type Measure = keyof typeof SPECS
export const MEASURES = Object.freeze(Object.keys(SPECS) as Measure[])

export function specOf(measure: Measure): MeasureSpec {
  return SPECS[measure]
}

/** Whether a single value is plausible for a human body. */
export function isPlausible(measure: Measure, value: number): boolean {
  return value >= SPECS[measure].least && value <= SPECS[measure].most
}

export function isMeasure(input: unknown): input is Measure {
  return typeof input === 'string' && Object.hasOwn(SPECS, input)
}

const BY_WORD: ReadonlyMap<string, Measure> = new Map(
  MEASURES.flatMap((measure) =>
    [measure, ...SPECS[measure].words].map((word) => [word.toLowerCase(), measure] as const),
  ),
)

/** Matches any of those words, longest first, so that none matches as a part of another. A pattern without groups. */
export const MEASURE_PATTERN = `(?:${MEASURES.flatMap((measure) => SPECS[measure].words)
  .sort((one, other) => other.length - one.length)
  .join('|')})`

/** By its name or one of its words; null for any other text. */
export function measureNamed(typed: string): Measure | null {
  const word = typed.normalize('NFC').trim().toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ')
  return BY_WORD.get(word) ?? BY_WORD.get(word.replaceAll(' ', '_')) ?? null
}

export const ACTIVITIES = Object.freeze([
  ...([
    'walking',
    'running',
    'cycling',
    'swimming',
    'hiking',
    'yoga',
    'pilates',
    'strength',
    'core',
  ] as const),
  ...(['hiit', 'elliptical', 'rowing', 'stairs', 'dance', 'climbing', 'skiing', 'snowboarding'] as const),
  ...(['soccer', 'tennis', 'basketball', 'badminton', 'golf', 'martial_arts', 'boxing', 'other'] as const),
])
export type Activity = (typeof ACTIVITIES)[number]
