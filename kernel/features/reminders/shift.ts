/** By how much words move a reminder from where it is: "an hour later", "the day before". Pure. Called by moved.ts and recognise-move.ts. */

const COUNTS: Readonly<Record<string, number>> = {
  ...{
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    ten: 10,
    fifteen: 15,
    twenty: 20,
    thirty: 30,
  },
  ...{
    ein: 1,
    eine: 1,
    einen: 1,
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    zehn: 10,
    fünfzehn: 15,
    zwanzig: 20,
  },
  ...{ dreißig: 30, 'half an': 0.5, 'eine halbe': 0.5, '': 1 },
}
const MINUTE = 60_000
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^m/i, MINUTE],
  [/^(?:h|st)/i, 60 * MINUTE],
  [/^(?:d|t)/i, 1_440 * MINUTE],
  [/^w/i, 7 * 1_440 * MINUTE],
]
const COUNT = `(?<count>\\d{1,3}|${Object.keys(COUNTS)
  .filter((word) => word !== '')
  .toSorted((one, other) => other.length - one.length)
  .join('|')})`
const UNIT = '(?<unit>minutes?|mins?|hours?|hrs?|days?|weeks?|minuten?|stunden?|tage?|wochen?)'
const BACK = 'earlier|sooner|before|früher|eher|vorher|davor'
const ON = 'later|after|afterwards|später|danach'
const SHIFT = new RegExp(`^(?:by )?${COUNT}[ -]?${UNIT} (?:(?<back>${BACK})|(?:${ON}))$`, 'iu')
const BY = new RegExp(`^(?:back )?by ${COUNT}[ -]?${UNIT}$`, 'iu')
const DAY = new RegExp(`^(?:the|am) (?<unit>day|week|tag)(?<count>) (?:(?<back>${BACK})|(?:${ON}))$`, 'iu')

export interface Shift {
  /** Milliseconds, below zero for earlier. */
  readonly by: number
  /** Whole days keep the time of day. */
  readonly isDays: boolean
}

/** Null for words that name no length with a direction. */
export function shiftIn(words: string): Shift | null {
  const said = words.trim().replace(/(?<![\s.!?])[\s.!?]+$/, '')
  const { count = '', unit = '', back } = (SHIFT.exec(said) ?? BY.exec(said) ?? DAY.exec(said))?.groups ?? {}
  const each = UNITS.find(([pattern]) => pattern.test(unit))?.[1]
  if (each === undefined) return null
  const many = COUNTS[count.toLowerCase()] ?? Number(count)
  const by = many * each
  return { by: back === undefined ? by : -by, isDays: by % (1_440 * MINUTE) === 0 }
}
