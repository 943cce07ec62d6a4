/**
 * Finds what stands right beside the day that was read and names a day, too: "tomorrow the 23rd", "12/12 Sat". The reading holds only if
 * both are one day. Pure. Called by read.ts.
 */
import type { ParsedResult } from 'chrono-node/en'
import { type Days, dateOf, weekdayOf } from './civil.ts'
import { ENGLISH_WORD, GERMAN_WORD, NO_DAY, ordinalOf } from './numbers.ts'

/** Characters before and behind a day that can hold such a number. */
const AROUND = 40

/** A word is as often the first of other things: "today the first visit". */
const NO_THING = '(?=\\s*(?:$|[?!.,;:)]|\\d|(?:at|from|in the|um|ab|von|bis)(?!\\p{L})))'
const NUMBER = `(\\d{1,2}(?:st|nd|rd|th)|(?<=\\bthe )${ENGLISH_WORD}${NO_THING}|(?<=\\bde[nmr] )(?:${GERMAN_WORD}${NO_THING}|\\d{1,2}\\.?)|\\d{1,2}\\.(?=\\s|$))`
/** Of a month that is named, or no day at all. */
const NO_OTHER =
  '(?![\\p{L}\\d])(?! ?(?:of |in )?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)|\\.?\\d)'
const BEHIND = new RegExp(
  `^[\\s,(]{0,3}(?:(?:on|am) )?(?:(?:the|de[nmr]) )?${NUMBER}${NO_OTHER}${NO_DAY}`,
  'iu',
)
/** Somebody's 21st is a birthday. */
const BEFORE = new RegExp(
  `(?<![\\p{L}\\d])(?<!(?:\\b(?:my|your|her|our|their)|s|['’]) )(?:(?:on|am) )?(?:(?:the|de[nmr]) )?${NUMBER}[\\s,]{0,2}$`,
  'iu',
)

/** Days that are counted from today. */
const COUNTED =
  /(?<!\p{L})(?:today|tonight|tonite|tom\p{L}{2,8}|tmrw?|tmw|tmoro|2moro|heute?|heit|(?:über)?morgen)(?!\p{L})/iu

interface Place {
  readonly start: number
  readonly end: number
}

export interface NamedDay extends Place {
  readonly result: ParsedResult
  readonly days: Days
}

/** `days`: null if two are named. `found`: what else names the day. */
export interface Agreed {
  readonly days: Days | null
  readonly found: readonly Place[]
}

export function agreed(text: string, day: NamedDay, others: readonly NamedDay[]): Agreed {
  const other = others.find((one) => isCounted(one) !== isCounted(day) && isBeside(text, one, day))
  if (other === undefined) return withNumber(text, [day], day.days)
  const [counted, date] = isCounted(day) ? [day, other] : [other, day]
  const weekday = isWeekday(counted) ? counted.result.start.get('weekday') : null
  const isOne =
    weekday === null ? counted.days.first === date.days.first : weekdayOf(date.days.first) === weekday
  const { found, days } = withNumber(text, [day, other], date.days)
  return { found: [other, ...found], days: isOne ? days : null }
}

function isWeekday({ result: { start } }: NamedDay): boolean {
  return start.isCertain('weekday') && !start.isCertain('day') && !start.isCertain('month')
}

function isCounted(day: NamedDay): boolean {
  return isWeekday(day) || COUNTED.test(day.result.text)
}

function isBeside(text: string, one: Place, other: Place): boolean {
  const [first, second] = one.start < other.start ? [one, other] : [other, one]
  return (
    first.end <= second.start && /^[\s,]*(?:(?:the|de[nmr]) )?$/i.test(text.slice(first.end, second.start))
  )
}

/** A bare number of the month beside one of the places is one of the days. */
export function withNumber(text: string, places: readonly Place[], days: Days | null): Agreed {
  const found = places.flatMap((place) => numberBeside(text, place) ?? [])
  const isOne = found.every(
    ({ number }) => days !== null && [days.first, days.last].some((day) => dateOf(day).day === number),
  )
  return { found, days: isOne ? days : null }
}

function numberBeside(text: string, { start, end }: Place): (Place & { readonly number: number }) | null {
  const from = Math.max(0, start - AROUND)
  const behind = BEHIND.exec(text.slice(end, end + AROUND))
  const before = BEFORE.exec(text.slice(from, start))
  const found = [
    behind === null ? null : { start: end, end: end + behind[0].length, number: ordinalOf(behind[1] ?? '') },
    before === null ? null : { start: from + before.index, end: start, number: ordinalOf(before[1] ?? '') },
  ]
  return found.find((one) => one !== null && one.number >= 1 && one.number <= 31) ?? null
}
