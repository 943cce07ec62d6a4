/**
 * English phrases for a day by its number and for parts of days and months: "tues 14th", "the evening of the 22nd", "w/c 3rd",
 * "mid December". A weekday with a number must match both, or is reported as a day that does not exist. Called by english.ts.
 */
import { type Days, dayOfMonth, nextDate, numberedWeekday, oneDay, upcoming, weekAround } from './civil.ts'
import { clockPhrases } from './clocks.ts'
import type { Meaning, Part, Phrase } from './grammar.ts'
import { type OfMonth, type PartOfMonth, partOfMonth, untilMonthEnd } from './months.ts'
import { ENGLISH_FEW, ENGLISH_NUMBER, ENGLISH_WORD, NO_DAY, ordinalOf } from './numbers.ts'

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const A_WEEKDAY =
  '(?:sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?)'
const WEEKDAY = `(${A_WEEKDAY})`
/** Excludes "last", which means another day. */
const COMING = '(?<!\\blast )(?:(?:this|next|nex|coming) )?'
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const A_MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const MONTH = `(${A_MONTH})`
/** Allowed text after a day, so that its number does not belong to something else: "Friday 2nd interview". */
export const AFTER =
  '(?=\\s*(?:$|[?!.,;:)–-]|\\d|(?:at|from|to|until|till?|between|after|before|by|for|with|and|or|in|on|all|is|was|please|pls|if|works?|suits|instead|noon|morning|afternoon|evening|night|[ap]m|half|quarter|five|ten|twenty|lunch ?time|midday|this|next)\\b))'
/** Excludes a continued date, which other parsers read: "Friday 27th November". */
const NO_MONTH = `(?! ?(?:of (?:the )?)?${A_MONTH}\\b|\\d)`

function phrase(source: string, read: Phrase[1]): Phrase {
  return [new RegExp(`(?<![\\w/.])(?:${source})(?!\\w)`, 'i'), read]
}

function weekdayIn(word: string): number {
  return WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase())
}

function monthIn(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1
}

function named(days: Days | null, part?: Part): Meaning {
  return days === null ? { impossible: true } : { days, ...(part !== undefined && { part }) }
}

function both([, day = '', number = '']: RegExpMatchArray, today: number): Meaning {
  return named(numberedWeekday(today, weekdayIn(day), ordinalOf(number)))
}

function numbered([, number = '']: RegExpMatchArray, today: number): Meaning | null {
  const days = dayOfMonth(today, ordinalOf(number))
  return days === null ? null : { days }
}

function partIn(word: string): Part {
  if (/^(?:a(?!f)|mo)/i.test(word)) return 'casualReference/morning'
  return /^(?:[pa]|arvo)/i.test(word) ? 'casualReference/afternoon' : 'casualReference/evening'
}

const WHICH: Readonly<Record<string, number>> = { last: 0, final: 0 }
const NTH = '(first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|last|final)'

function nthOf(word: string): number {
  return WHICH[word.toLowerCase()] ?? ordinalOf(word)
}

const OF_MONTH = `(?:of|in) (?:${MONTH}|(?:the|this|(next)) month)`

function inMonth(part: PartOfMonth, today: number, [name, next]: readonly (string | undefined)[]): Meaning {
  const of: OfMonth = name === undefined ? { shift: next === undefined ? 0 : 1 } : { number: monthIn(name) }
  return named(partOfMonth(today, of, part))
}

const WEEK_OF =
  '(?:in |for |on |from )?(?:the )?(?:(?:week|wk) (?:of|commencing|comm|beginning|starting)|w\\/[cb]|w[cb](?= (?:the )?\\d))'

/** An appointment that is moved goes from one day to another. */
const MOVES =
  /\b(?:move|moved|change|changed|shift|shifted|push|pushed|switch|reschedul\w*|postpon\w*|bring|brought|put back|bump)\b/i

const NUMBERED: readonly Phrase[] = [
  phrase(`${COMING}${WEEKDAY},? (?:the )?(\\d{1,2}(?:th|(?<=\\d\\d)(?:st|nd|rd)))${NO_DAY}${NO_MONTH}`, both),
  phrase(`${COMING}${WEEKDAY},? the (\\d{1,2}(?:st|nd|rd|th)?)${NO_DAY}${NO_MONTH}`, both),
  phrase(`${COMING}${WEEKDAY},? (\\d(?:st|nd|rd))${NO_MONTH}${AFTER}`, both),
  phrase(`${COMING}${WEEKDAY},? (?:the )?(${ENGLISH_WORD})${NO_DAY}${NO_MONTH}${AFTER}`, both),
  // A number beyond the hours of a day, or with an hour after it.
  phrase(
    `${WEEKDAY},? (2[5-9]|3[01])(?=\\s*(?:$|[?!,;]|(?:at|from)\\b|\\d{1,2}(?:[.:]\\d\\d)? ?[ap]\\.?m))`,
    both,
  ),
  phrase(`${WEEKDAY},? (\\d{1,2})(?=,? (?:at )?\\d{1,2}(?:[.:]\\d\\d)? ?[ap]\\.?m)`, both),
  // "The 2nd Tuesday" counts Tuesdays.
  phrase(
    `(?:(?:on )?the |(?<=^))((?:[6-9]|[12]\\d|3[01])(?:st|nd|rd|th)),? (?:a )?${WEEKDAY}`,
    ([, number = '', day = ''], today) => named(numberedWeekday(today, weekdayIn(day), ordinalOf(number))),
  ),
  phrase(
    `(?<!(?:\\b(?:my|your|her|our|their)|s|['’]) )(\\d{1,2}(?:st|nd|rd|th))(?=,? (?:(?:at|from) )?\\d{1,2}(?:[:.]\\d\\d(?!\\d)| ?[ap]\\.?m))`,
    numbered,
  ),
  phrase(
    `(?:on|by|from|until|till) the (?!${ENGLISH_FEW}\\b)(${ENGLISH_WORD})${NO_DAY}${NO_MONTH}${AFTER}`,
    numbered,
  ),
  phrase(
    `on the (${ENGLISH_FEW})${NO_MONTH}(?=,? (?:at \\d|at \\w+|from \\d|\\d|in the (?:morning|afternoon|evening)))`,
    numbered,
  ),
  phrase(
    `(?:on |the )*(?!${ENGLISH_FEW}\\b)(${ENGLISH_NUMBER})(?=,? (?:the )?(?:all|whole)[- ]day\\b)`,
    numbered,
  ),
  phrase(`^(?:the )?(?!${ENGLISH_FEW}\\b)(${ENGLISH_WORD})$`, numbered),
  phrase(
    `from the (${ENGLISH_NUMBER}) (?:to|until|till?|through) the (${ENGLISH_NUMBER})${NO_DAY}${NO_MONTH}`,
    (match, today) => {
      const [, from = '', to = ''] = match
      if (MOVES.test(match.input ?? '')) return null
      const first = dayOfMonth(today, ordinalOf(from))?.first
      const last = first === undefined ? undefined : dayOfMonth(first, ordinalOf(to))?.last
      return first === undefined || last === undefined ? null : { days: { first, last } }
    },
  ),
  phrase(`(?:on )?${MONTH},? the (${ENGLISH_NUMBER})${NO_DAY}${AFTER}`, ([, name = '', number = '']) => ({
    date: { month: monthIn(name), day: ordinalOf(number) },
  })),
]

const PARTS_OF_DAYS: readonly Phrase[] = [
  phrase(
    `(?:(?:on|in|for|by) )?(?:the )?(morning|afternoon|evening|night) of (?:(?:the )?(${ENGLISH_NUMBER}|\\d{1,2})(?: of)? ${MONTH}|${MONTH} (?:the )?(${ENGLISH_NUMBER}|\\d{1,2}))`,
    ([, part = '', day = '', name = '', otherName = '', otherDay = '']) => ({
      date: { month: monthIn(name === '' ? otherName : name), day: ordinalOf(day === '' ? otherDay : day) },
      part: partIn(part),
    }),
  ),
  phrase(
    `(?:(?:on|in|for|by) )?(?:the )?(morning|afternoon|evening|night) of (?:${WEEKDAY},? )?(?:the )?(${ENGLISH_NUMBER})${NO_MONTH}`,
    ([, part = '', day, number = ''], today) =>
      named(
        day === undefined
          ? dayOfMonth(today, ordinalOf(number))
          : numberedWeekday(today, weekdayIn(day), ordinalOf(number)),
        partIn(part),
      ),
  ),
  phrase(
    `(?<!\\b(?:next|nex|this|last) )${WEEKDAY},? (am|pm|morn|mornin|eve|evng|aft|aftn|afternn|nite)(?! i\\b)`,
    ([, day = '', part = ''], today) => ({
      days: oneDay(upcoming(today, weekdayIn(day))),
      part: partIn(part),
    }),
  ),
  // After another day.
  phrase(
    `(?<=(?:\\d(?:st|nd|rd|th)|${A_MONTH}|${A_MONTH} \\d{1,2}|today|tomorrow|tomoz|tmrw|tmr|tmw|2moro|next ${A_WEEKDAY}),? )(am|pm|morn|mornin|eve|evng|aft|aftn|afternn|nite)(?! i\\b)`,
    ([, part = '']) => ({ part: partIn(part) }),
  ),
]

const WEEKS: readonly Phrase[] = [
  phrase(
    `${WEEK_OF} (?:${A_WEEKDAY},? )?(?:the )?(?:(${ENGLISH_NUMBER}|\\d{1,2})(?: of)? ${MONTH}|${MONTH} (?:the )?(${ENGLISH_NUMBER}|\\d{1,2}))`,
    ([, day = '', name = '', otherName = '', otherDay = ''], today) => {
      const number = ordinalOf(day === '' ? otherDay : day)
      const date = nextDate(today, monthIn(name === '' ? otherName : name), number)
      return named(date === null ? null : weekAround(date))
    },
  ),
  phrase(
    `${WEEK_OF} (?:${WEEKDAY},? )?(?:the )?(${ENGLISH_NUMBER})${NO_MONTH}`,
    ([, day, number = ''], today) => {
      const of = ordinalOf(number)
      const days = day === undefined ? dayOfMonth(today, of) : numberedWeekday(today, weekdayIn(day), of)
      return named(days === null ? null : weekAround(days.first))
    },
  ),
  phrase(`${WEEK_OF} ${WEEKDAY}(?! (?:the )?\\d)`, ([, day = ''], today) => ({
    days: weekAround(upcoming(today, weekdayIn(day))),
  })),
]

const PARTS_OF_MONTHS: readonly Phrase[] = [
  phrase(
    `(?:(?:in|during) )?(?:the )?(first|1st|second|2nd|latter) half ${OF_MONTH}`,
    ([, which = '', ...of], today) => inMonth({ half: /^(?:f|1)/i.test(which) ? 1 : 2 }, today, of),
  ),
  phrase(`(?:(?:in|at|by) )?(?:the )?(start|beginning|middle) ${OF_MONTH}`, ([, which = '', ...of], today) =>
    inMonth(/^m/i.test(which) ? 'middle' : 'start', today, of),
  ),
  phrase(`(?:(?:in|by) )?(early|mid|late)[- ]${MONTH}`, ([, which = '', ...of], today) =>
    inMonth(/^m/i.test(which) ? 'middle' : /^e/i.test(which) ? 'start' : 'end', today, of),
  ),
  phrase(`(?:(?:in|for|during) )?(?:the )?${NTH} week ${OF_MONTH}`, ([, nth = '', ...of], today) =>
    inMonth({ week: nthOf(nth) }, today, of),
  ),
  phrase(`(?:on )?(?:the )?${NTH} ${WEEKDAY} ${OF_MONTH}`, ([, nth = '', day = '', ...of], today) =>
    inMonth({ nth: nthOf(nth), weekday: weekdayIn(day) }, today, of),
  ),
  phrase(`(?:(?:on|for) )?(?:the )?${NTH} (?:weekend|wkend|wknd) ${OF_MONTH}`, ([, nth = '', ...of], today) =>
    inMonth({ weekend: nthOf(nth) }, today, of),
  ),
  // The rest of the month; "by" means its last day.
  phrase('(?:before|b4) (?:the )?(?:end|close) of (?:the |this )?month', (_, today) => ({
    days: untilMonthEnd(today),
  })),
  phrase(
    `(?:(?:on|by) )?(?:the )?(first|1st|last)(?: day)? of (?:${MONTH}|(?:the|this|(next)) month)`,
    ([, nth = '', ...of], today) => {
      const { days } = inMonth({ week: /^l/i.test(nth) ? 0 : 1 }, today, of)
      return days === undefined ? null : { days: oneDay(/^l/i.test(nth) ? days.last : days.first) }
    },
  ),
  phrase('by (?:the )?end of (?:the |this )?month', (_, today) => ({
    days: oneDay(untilMonthEnd(today).last),
  })),
]

/** "5 Dec 2-4": chrono would read the 2nd to the 4th. */
const DATED_HOURS = phrase(
  `(?:${A_WEEKDAY},? )?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (?:from )?(\\d{1,2}) ?(?:-|–|to|till?|until) ?(\\d{1,2})(?: ?(p)\\.?m)?(?![\\d/]|[.:-]\\d| ?am| (?:of )?${A_MONTH})`,
  ([, day, name = '', from, to, half]) => {
    const [first, last] = [Number(from), Number(to)]
    if (first > 24 || last > 24) return null
    const later = half !== undefined && last < 12 ? 12 : 0
    const isBoth = first < last && first < 12
    return {
      date: { day: Number(day), month: monthIn(name) },
      ...{ from: (first + (isBoth ? later : 0)) * 60, to: (last + later) * 60 },
    }
  },
)

/** Opening and start time: "6.30 for 7 p.m.". */
const DOORS = phrase(
  '(?:at )?(\\d{1,2})(?:[.:](\\d\\d))? for (\\d{1,2})(?:[.:](\\d\\d))? ?([ap])\\.?m\\.?',
  ([, hour, minute = '0', toHour, toMinute = '0', half = '']) => {
    const from = Number(hour) * 60 + Number(minute)
    const ahead = Number(toHour) * 60 + Number(toMinute) - from
    if (Number(toHour) > 12 || ahead <= 0 || ahead > 60) return null
    return { from: from + (/p/i.test(half) && Number(toHour) < 12 ? 12 * 60 : 0) }
  },
)

export const ENGLISH_DAYS: readonly Phrase[] = [
  ...NUMBERED,
  ...PARTS_OF_DAYS,
  ...WEEKS,
  ...PARTS_OF_MONTHS,
  DATED_HOURS,
  DOORS,
  ...clockPhrases({
    ...{ weekday: WEEKDAY, weekdayIn, phrase, dottedIsTime: true },
    at: '(?:at|from) ',
    to: 'to|til|till|until',
  }),
]
