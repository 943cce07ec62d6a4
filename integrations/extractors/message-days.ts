/**
 * Civil days that an English sentence names: `tomorrow`, `Friday next week`, `this weekend`, `29 Feb`. Not by chrono, which
 * uses the machine's time zone or reads `next week` as one day. Days are numbers since 1970-01-01. Must not know times or
 * zones. Called by message-dates.ts.
 */
import { DAY } from './message-zone.ts'

/** The days from `first` to `last`, inclusive. */
export interface Days {
  readonly first: number
  readonly last: number
}

export interface DaysFound extends Days {
  readonly start: number
  readonly end: number
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY =
  '(sunday|monday|tuesday|wednesday|thursday|friday|saturday|sun|mon|tues?|wed|thurs?|thu|fri|sat)'
const NUMBER = '(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple of|few)'
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  'couple of': 2,
  three: 3,
  few: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
}

type Rule = readonly [RegExp, (match: RegExpExecArray, today: number) => Days | null]

/** At equal positions in the text, the earlier rule wins. */
const RULES: readonly Rule[] = [
  [rule('(?:on )?(?:the )?day after tomorrow'), (_, today) => one(today + 2)],
  [rule(`(?:on )?${WEEKDAY}(?:,| of)? next week`), (m, today) => one(inNextWeek(today, m[1]))],
  [rule(`next week(?:,? on)? ${WEEKDAY}`), (m, today) => one(inNextWeek(today, m[1]))],
  [
    rule(`(?:on |from |between )?${WEEKDAY} {0,2}(?:to|until|till|through|and|[-–]) {0,2}${WEEKDAY}`),
    weekdayRange,
  ],
  [rule(`(?:on )?(this|next|last|coming|the coming)? ?${WEEKDAY}`), weekday],
  [rule('(?:during |for |on |at |over )?(?:(this|next|last)|the|my) week(end)?'), week],
  [rule('(?:during |for )?(this|next|last) month'), month],
  [rule(`(?:(?:in|for|over|during) )?(?:the )?(?:next|coming|following) ${NUMBER} (day|week)s?`), ahead],
  [rule(`in (?:a )?${NUMBER} (day|week|month)s?`), later],
  [rule(`${NUMBER} (day|week|month)s? from (?:now|today)`), later],
  [rule('(?:on )?(?:29(?:th)?(?: of)? feb(?:ruary)?|feb(?:ruary)? 29(?:th)?)(?!,? ?\\d)'), leapDay],
  [
    rule('on the (\\d{1,2})(?:st|nd|rd|th)(?! (?:of|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))'),
    dayOfMonth,
  ],
  [rule('today|tonight|this (?=morning|afternoon|evening)'), (_, today) => one(today)],
  [rule('tomorrow|tmrw'), (_, today) => one(today + 1)],
  [rule('yesterday'), (_, today) => one(today - 1)],
]

/** The first day or range of days in the text, or null. */
export function findDays(text: string, today: number): DaysFound | null {
  let found: DaysFound | null = null
  for (const [pattern, read] of RULES) {
    const match = pattern.exec(text)
    if (match === null || (found !== null && match.index >= found.start)) continue
    const days = read(match, today)
    if (days !== null) found = { ...days, start: match.index, end: match.index + match[0].length }
  }
  return found
}

export function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / DAY
}

/** The whole month, for `in March`. */
export function monthDays(year: number, month: number): Days {
  return { first: dayNumber(year, month, 1), last: dayNumber(year, month + 1, 1) - 1 }
}

export function numberOf(word: string | undefined): number {
  const text = (word ?? '').toLowerCase()
  return NUMBERS[text] ?? Number(text)
}

function rule(source: string): RegExp {
  return new RegExp(`\\b(?:${source})(?!\\w)`, 'i')
}

function one(day: number): Days {
  return { first: day, last: day }
}

function weekdayIndex(word: string | undefined): number {
  return WEEKDAYS.indexOf((word ?? '').slice(0, 3).toLowerCase())
}

/** 1970-01-01 was a Thursday; Sunday is 0. */
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** Weeks start on Monday. */
function monday(day: number): number {
  return day - ((weekdayOf(day) + 6) % 7)
}

function inNextWeek(today: number, word: string | undefined): number {
  return monday(today) + 7 + ((weekdayIndex(word) + 6) % 7)
}

/** Strictly after `today`: a person who means today says "today". */
function upcoming(today: number, word: string | undefined): number {
  return today + ((weekdayIndex(word) - weekdayOf(today) + 6) % 7) + 1
}

function weekday(match: RegExpExecArray, today: number): Days {
  const [, which, word] = match
  if (which?.toLowerCase() === 'next') return one(inNextWeek(today, word))
  if (which?.toLowerCase() === 'last') return one(upcoming(today, word) - (isToday(today, word) ? 14 : 7))
  return one(which?.toLowerCase() === 'this' && isToday(today, word) ? today : upcoming(today, word))
}

function isToday(today: number, word: string | undefined): boolean {
  return weekdayOf(today) === weekdayIndex(word)
}

function weekdayRange(match: RegExpExecArray, today: number): Days {
  const first = upcoming(today, match[1])
  return { first, last: upcoming(first, match[2]) }
}

function week(match: RegExpExecArray, today: number): Days {
  const shift = { next: 7, last: -7 }[(match[1] ?? '').toLowerCase()] ?? 0
  const start = monday(today) + shift
  if (match[2] !== undefined) return { first: start + 5, last: start + 6 }
  return { first: shift === 0 ? today : start, last: start + 6 }
}

function month(match: RegExpExecArray, today: number): Days {
  const shift = { next: 1, last: -1 }[(match[1] ?? '').toLowerCase()] ?? 0
  const date = new Date(today * DAY)
  const days = monthDays(date.getUTCFullYear(), date.getUTCMonth() + 1 + shift)
  return shift === 0 ? { first: today, last: days.last } : days
}

function ahead(match: RegExpExecArray, today: number): Days {
  const length = numberOf(match[1]) * (match[2]?.toLowerCase() === 'week' ? 7 : 1)
  return { first: today, last: today + Math.max(length, 1) - 1 }
}

function later(match: RegExpExecArray, today: number): Days {
  const count = numberOf(match[1])
  if (match[2]?.toLowerCase() !== 'month')
    return one(today + count * (match[2]?.toLowerCase() === 'week' ? 7 : 1))
  const date = new Date(today * DAY)
  const target = monthDays(date.getUTCFullYear(), date.getUTCMonth() + 1 + count)
  return one(Math.min(target.first + date.getUTCDate() - 1, target.last))
}

/** The next existing 29 February, within two leap cycles (2100 has none). */
function leapDay(_: RegExpExecArray, today: number): Days | null {
  const year = new Date(today * DAY).getUTCFullYear()
  for (let ahead = 0; ahead <= 8; ahead++) {
    const day = dayNumber(year + ahead, 2, 29)
    if (new Date(day * DAY).getUTCMonth() === 1 && day >= today) return one(day)
  }
  return null
}

/** In the next month that has such a day. */
function dayOfMonth(match: RegExpExecArray, today: number): Days | null {
  const wanted = Number(match[1])
  const date = new Date(today * DAY)
  for (let ahead = 0; ahead <= 2; ahead++) {
    const days = monthDays(date.getUTCFullYear(), date.getUTCMonth() + 1 + ahead)
    const day = days.first + wanted - 1
    if (wanted >= 1 && day <= days.last && day >= today) return one(day)
  }
  return null
}
