/**
 * Finds a second name of the day beside the one that was read: "tomorrow the 23rd", "12/12 Sat". The reading is accepted only if
 * both name the same day. Pure. Called by read.ts.
 */
import type { ParsedResult } from 'chrono-node/en'
import { type Days, dateOf, dayOfMonth, oneDay, weekdayOf } from './civil.ts'
import { ENGLISH_WORD, GERMAN_WORD, NO_DAY, ordinalOf } from './numbers.ts'

/** Maximum characters before and after a day that can contain the second name. */
const AROUND = 40

/** A number word must not begin something else: "today the first visit". */
const NO_THING = '(?=\\s*(?:$|[?!.,;:)]|\\d|(?:at|from|in the|um|ab|von|bis)(?!\\p{L})))'
/** In German a dot makes a number a day of the month; in English it ends a sentence. */
const numberOf = (dotted: string): string =>
  `(\\d{1,2}(?:st|nd|rd|th)|(?<=\\bthe )${ENGLISH_WORD}${NO_THING}|(?<=\\bde[nmr] )(?:${GERMAN_WORD}${NO_THING}|\\d{1,2}\\.?)${dotted})`
/** Excludes numbers of a named month, and numbers that are no day. */
const NO_OTHER =
  '(?![\\p{L}\\d])(?! ?(?:of |in )?(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)|\\.?\\d)'
const ARTICLE = '(?:(?:on|am) )?(?:(?:the|de[nmr]) )?'
const behind = (number: string): RegExp =>
  new RegExp(`^[\\s,(]{0,3}${ARTICLE}${number}${NO_OTHER}${NO_DAY}`, 'iu')
/** Excludes "somebody's 21st", which is a birthday. */
const before = (number: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\d])(?<!(?:\\b(?:my|your|her|our|their)|s|['’]) )${ARTICLE}${number}[\\s,]{0,2}$`,
    'iu',
  )
const PLAIN = numberOf('')
const DOTTED = numberOf('|\\d{1,2}\\.(?=\\s|$)')
const PATTERNS = [
  { behind: behind(PLAIN), before: before(PLAIN) },
  { behind: behind(DOTTED), before: before(DOTTED) },
] as const
/** A preceding number means that several days are listed. */
const LISTED = /\d(?:st|nd|rd|th|\.)(?:,| and| &| und)? *$/i

/** Days that are counted from today. */
const COUNTED =
  /(?<!\p{L})(?:today|tonight|tonite|tom\p{L}{2,8}|tmrw?|tmw|tmoro|2moro|heute?|heit|(?:über)?morgen)(?!\p{L})/iu
/** A bare number of the month, or a range of two. */
const BARE = new RegExp(
  `^(?:(?:on|from|by|for|the|am|vom|ab|bis|zum|de[nmr]) )*(\\d{1,2}(?:st|nd|rd|th|\\.)|${ENGLISH_WORD}|${GERMAN_WORD})(?: ?(?:to|until|till?|through|bis|[-–]) ?(?:(?:the|zum) )?(\\d{1,2}(?:st|nd|rd|th|\\.)|${ENGLISH_WORD}))?`,
  'iu',
)
const MONTH = /(?:jan|jän|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)/i

interface Place {
  readonly start: number
  readonly end: number
}

export interface NamedDay extends Place {
  readonly result: ParsedResult
  readonly days: Days
}

interface Whole {
  readonly text: string
  /** Whether a number with a dot is a day, because the text is German. */
  readonly dotted: boolean
  readonly today: number
}

/** `days`: null if the two names disagree. `found`: the second name of the day. */
export interface Agreed {
  readonly days: Days | null
  readonly found: readonly Place[]
}

export function agreed(whole: Whole, day: NamedDay, others: readonly NamedDay[]): Agreed {
  const numbered = inMonth(day, others)
  if (numbered !== null) return numbered
  const other = others.find((one) => isCounted(one) !== isCounted(day) && isBeside(whole.text, one, day))
  if (other === undefined) return withNumber(whole, [day], day.days)
  const [counted, date] = isCounted(day) ? [day, other] : [other, day]
  const { first, last } = date.days
  const weekday = isWeekday(counted) ? counted.result.start.get('weekday') : null
  const within = Array.from({ length: Math.min(last - first, 7) + 1 }, (_, at) => first + at)
  const meant = within.find((one) =>
    weekday === null ? one === counted.days.first : weekdayOf(one) === weekday,
  )
  // "December, Monday" does not name a single day.
  if (meant === undefined && last > first) return withNumber(whole, [day], day.days)
  const { found, days } = withNumber(whole, [day, other], meant === undefined ? date.days : oneDay(meant))
  return { found: [other, ...found], days: meant === undefined ? null : days }
}

/** "Im März … am dritten": the number belongs to that month. */
function inMonth(day: NamedDay, others: readonly NamedDay[]): Agreed | null {
  const of = [day, ...others].find(isMonth)
  const bare = [day, ...others].find(isBare)
  if (of === undefined || bare === undefined || (of !== day && bare !== day)) return null
  const { first, last } = of.days
  const [, from = '', to = from] = BARE.exec(bare.result.text) ?? []
  const days = { first: first + ordinalOf(from) - 1, last: first + ordinalOf(to) - 1 }
  return { found: [of, bare], days: days.last > last || days.last < days.first ? null : days }
}

function isMonth({ days: { first, last }, result }: NamedDay): boolean {
  return dateOf(first).day === 1 && last - first > 26 && dateOf(last + 1).day === 1 && MONTH.test(result.text)
}

function isBare({ result: { text } }: NamedDay): boolean {
  return BARE.test(text) && !MONTH.test(text)
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

/**
 * Combines a bare number of the month beside one of the places with the named days; if no day is named, the number is the day.
 */
export function withNumber(whole: Whole, places: readonly Place[], named: Days | null): Agreed {
  const found = places.flatMap((place) => numberBeside(whole, place) ?? [])
  const [first] = found
  const days = named ?? (first === undefined ? null : dayOfMonth(whole.today, first.number))
  const isOne = found.every(
    ({ number, listed }) =>
      !listed && days !== null && [days.first, days.last].some((day) => dateOf(day).day === number),
  )
  return { found, days: isOne ? days : null }
}

interface NumberPlace extends Place {
  readonly number: number
  readonly listed: boolean
}

function numberBeside({ text, dotted }: Whole, { start, end }: Place): NumberPlace | null {
  const from = Math.max(0, start - AROUND)
  const patterns = PATTERNS[dotted ? 1 : 0]
  const after = patterns.behind.exec(text.slice(end, end + AROUND))
  const ahead = patterns.before.exec(text.slice(from, start))
  const listed = ahead !== null && LISTED.test(text.slice(from, from + ahead.index))
  const found = [
    after === null
      ? null
      : { start: end, end: end + after[0].length, number: ordinalOf(after[1] ?? ''), listed: false },
    ahead === null
      ? null
      : { start: from + ahead.index, end: start, number: ordinalOf(ahead[1] ?? ''), listed },
  ]
  return found.find((one) => one !== null && one.number >= 1 && one.number <= 31) ?? null
}
