/**
 * Arithmetic of civil days, as numbers since 1970-01-01. Must not know text, times or zones. Called by the grammars and read.ts.
 */
import { DAY } from './zone.ts'

/** The days from `first` to `last`, inclusive. */
export interface Days {
  readonly first: number
  readonly last: number
}

export interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** Accepts a month or day beyond its range, which continues in the next year or month. */
export function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / DAY
}

export function dateOf(day: number): CivilDate {
  const at = new Date(day * DAY)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }
}

export function exists({ year, month, day }: CivilDate): boolean {
  const at = dateOf(dayNumber(year, month, day))
  return at.year === year && at.month === month && at.day === day
}

export function oneDay(day: number): Days {
  return { first: day, last: day }
}

export function monthDays(year: number, month: number): Days {
  return { first: dayNumber(year, month, 1), last: dayNumber(year, month + 1, 1) - 1 }
}

/** Sunday is 0; 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** Strictly after `today`: a person who means today says "today". */
export function upcoming(today: number, weekday: number): number {
  return today + ((weekday - weekdayOf(today) + 6) % 7) + 1
}

/** The weekday in the week that is `weeks` after the current one. Weeks start on Monday. */
export function inWeek(today: number, weeks: number, weekday: number): number {
  return today - ((weekdayOf(today) + 6) % 7) + weeks * 7 + ((weekday + 6) % 7)
}

/** "Monday in two weeks". With one week it is a week after the coming Monday, since the coming Monday itself is not called so. */
export function inWeeks(today: number, weeks: number, weekday: number): number {
  const day = inWeek(today, weeks, weekday)
  const isSoon = weeks === 1 ? day === upcoming(today, weekday) : day < today + weeks * 7 - 3
  return isSoon ? day + 7 : day
}

/** Monday of the ISO 8601 week with this number, in this year or, if it is over, in the next. */
export function weekOfYear(today: number, number: number): number {
  const mondayIn = (year: number): number => inWeek(dayNumber(year, 1, 4), number - 1, 1)
  const { year } = dateOf(today)
  const first = mondayIn(year)
  return first + 6 >= today ? first : mondayIn(year + 1)
}

/**
 * The rest of the current week, or a whole week before or after it. On Sunday it includes the next week, because nobody plans the
 * rest of a Sunday as a week.
 */
export function week(today: number, shift: number): Days {
  if (shift === 0 && weekdayOf(today) === 0) return { first: today, last: today + 7 }
  return { first: shift === 0 ? today : inWeek(today, shift, 1), last: inWeek(today, shift, 0) }
}

export function weekend(today: number, shift: number): Days {
  return { first: inWeek(today, shift, 6), last: inWeek(today, shift, 0) }
}

/** This month, or the next one with that number. */
export function namedMonth(today: number, number: number): Days {
  const { year, month: current } = dateOf(today)
  return monthDays(number < current ? year + 1 : year, number)
}

/** The rest of the current month, or a whole month before or after it. */
export function month(today: number, shift: number): Days {
  const { year, month: current } = dateOf(today)
  const days = monthDays(year, current + shift)
  return shift === 0 ? { first: today, last: days.last } : days
}

export type Unit = 'day' | 'week' | 'month'

/** The same day of another month, or its last day if the month is shorter. */
export function later(today: number, count: number, unit: Unit): number {
  if (unit !== 'month') return today + count * (unit === 'week' ? 7 : 1)
  const { year, month: current, day } = dateOf(today)
  const days = monthDays(year, current + count)
  return Math.min(days.first + day - 1, days.last)
}

/** `the next three days`, starting today. */
export function ahead(today: number, count: number, unit: Unit): Days {
  return { first: today, last: Math.max(later(today, count, unit) - 1, today) }
}

/** In the next month that has such a day. */
export function dayOfMonth(today: number, wanted: number): Days | null {
  const { year, month: current } = dateOf(today)
  for (let shift = 0; shift <= 2; shift++) {
    const days = monthDays(year, current + shift)
    const day = days.first + wanted - 1
    if (wanted >= 1 && day <= days.last && day >= today) return oneDay(day)
  }
  return null
}

/**
 * Maximum days from today within which a weekday and a number of the month must coincide; further away, one of them is more
 * likely a mistake.
 */
const MOST_AHEAD = 100

/** The next such weekday with that number, "Tuesday the 8th"; null if there is none within `MOST_AHEAD`. */
export function numberedWeekday(today: number, weekday: number, number: number): Days | null {
  const last = today + MOST_AHEAD
  let day = upcoming(today - 1, weekday)
  while (day <= last && dateOf(day).day !== number) day += 7
  return day <= last ? oneDay(day) : null
}

/** Longest distance in years between two 29 February, such as 2096 and 2104. */
export const LEAP_CYCLE = 8

/** The next day with that month and number; null for a day that exists in no year. */
export function nextDate(today: number, number: number, day: number): number | null {
  const { year } = dateOf(today)
  for (let at = year; at <= year + LEAP_CYCLE; at += 1) {
    const found = dayNumber(at, number, day)
    if (found >= today && exists({ year: at, month: number, day })) return found
  }
  return null
}

/** The week of the day, Monday to Sunday. */
export function weekAround(day: number): Days {
  return { first: inWeek(day, 0, 1), last: inWeek(day, 0, 0) }
}
