/**
 * Days that a mail names relative to the day on which it was written: "next week on Tuesday at 08:15" (J-04). `writtenDates`
 * reads dates with a year. Pure; must not read a clock. Called by the mail tool and appointments.ts.
 */
import { type Moment, readDates } from './read.ts'
import { DAY } from './zone.ts'

/** Maximum number of sentences of one text, and of days in one sentence: each costs a parse. */
const MOST_SENTENCES = 60
const MOST_OF_ONE = 3

const MONTHS =
  'jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sep(?:tember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?'
const WEEKDAYS =
  '(?<!\\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)(?!\\p{L})'
/** Matches text that names a single day. A month alone does not, and is ignored. */
export const DAYS = new RegExp(
  [
    WEEKDAYS,
    '(?<!\\p{L})(?:today|tonight|tomorrow|heute|(?<!guten )(?:über)?morgen)(?!\\p{L})',
    '(?<!\\p{L})in (?:\\p{L}+|\\d{1,2}) (?:days?|weeks?|tage?n?|wochen?)(?!\\p{L})',
    `(?<![\\d.,])\\d{1,2}(?:st|nd|rd|th|\\.)? ?(?:of )?(?:${MONTHS})(?!\\p{L})`,
    `(?<!\\p{L})(?:${MONTHS}) \\d{1,2}(?![\\d.,]\\d|\\d)`,
  ].join('|'),
  'iu',
)
const WEEKDAY = new RegExp(WEEKDAYS, 'iu')
/** Words that determine which of two possible days is meant. */
const WHICH = /next|week|nächst|naechst|kommend|woche|today|heute|in /i
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/

/** In text order, as `2026-12-01` or with a time as `2026-12-01T08:15:00-05:00`. `sent.now`: when the mail was written. */
export function mentionedDates(sentences: readonly string[], sent: Moment, max: number): readonly string[] {
  const found = new Set<string>()
  const dated = sentences.filter((one) => DAYS.test(one) && !YEAR.test(one)).slice(0, MOST_SENTENCES)
  for (const sentence of dated) for (const date of datesOf(sentence, sent)) found.add(date)
  return [...found].slice(0, max)
}

function datesOf(sentence: string, sent: Moment): readonly string[] {
  const dates: string[] = []
  let left = sentence
  for (let count = 0; count < MOST_OF_ONE && DAYS.test(left); count += 1) {
    const { span, rest } = readDates(left, sent)
    if (span === null || rest === left) break
    const { zone } = sent
    const day = (instant: number): string => new Date(zone.dayOf(instant) * DAY).toISOString().slice(0, 10)
    const [first, last] = [day(span.from), day(span.to - 1)]
    if (!isEitherWeek(left, span.from, sent))
      dates.push(...(span.named === 'time' ? [zone.iso(span.from)] : new Set([first, last])))
    left = rest
  }
  return dates
}

/** Whether two weeks are possible: "by Thursday", written on a Thursday, may mean that day or a week later. */
export function isEitherWeek(text: string, from: number, { now, zone }: Moment): boolean {
  return zone.dayOf(from) - zone.dayOf(now) === 7 && WEEKDAY.test(text) && !WHICH.test(text)
}
