/**
 * The owner's working hours: their bounds, how people type them, and how they are shown. Pure. Called by the operations of this
 * folder and by home.
 */

/** Minutes from midnight, on the owner's clock. */
export interface WorkingHours {
  readonly from: number
  readonly to: number
}

/** Implemented by home, which reads the calendars. */
export interface WorkingHoursPort {
  /** The hours that the owner set, otherwise the default ones. */
  read(): WorkingHours
  set(hours: WorkingHours): void
}

export const USUAL_HOURS: WorkingHours = Object.freeze({ from: 9 * 60, to: 18 * 60 })

const NOON = 12 * 60
const DAY = 24 * 60
const HALF = String.raw`(?:am|pm|a\.m\.|p\.m\.)`
const TIME = String.raw`\d{1,2}(?:[:.]\d{2})?\s?(?:${HALF}|uhr)?`
/** Pattern source of typed hours: `9 to 17:30`, `from 9am to 5:30pm`, `9:00-17:30`, `von 9 bis 17 Uhr`. */
export const HOURS_TYPED = String.raw`(?:(?:from|between|von) )?${TIME}\s?(?:to|till|until|and|bis|und|-|–)\s?${TIME}`

/** Null unless the words are two times of one day, the first before the last. */
export function hoursIn(typed: string): WorkingHours | null {
  const times = [...typed.matchAll(new RegExp(String.raw`(\d{1,2})(?:[:.](\d{2}))?\s?(${HALF})?`, 'gi'))]
  const [first, last, ...others] = times.map(([, hour, minute = '0', half = '']) =>
    minuteOf(Number(hour), Number(minute), half.replaceAll('.', '').toLowerCase()),
  )
  if (first == null || last == null || others.length > 0) return null
  // In "9 to 5", the 5 means 17:00.
  const isBare = last <= first && last + NOON > first && !/[ap]\.?m/i.test(typed)
  const to = isBare ? last + NOON : last
  return first < to && to <= DAY ? { from: first, to } : null
}

function minuteOf(hour: number, minute: number, half: string): number | null {
  if (minute > 59 || hour > 24 || (half !== '' && (hour < 1 || hour > 12))) return null
  const whole = half === '' ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  return whole * 60 + minute
}

export function hoursWords({ from, to }: WorkingHours): string {
  return `${clockTime(from)}–${clockTime(to)}`
}

export function clockTime(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}
