/**
 * Times as people write them where it is known that they are times: "1945", "monday week", "to friday now". Said as the reader of dates knows them. Pure. Must not
 * read what is no time. Called by plain.ts.
 */
import { type Moment, readDates } from '../../../dates/read.ts'
import { DAY } from '../../../dates/zone.ts'

const B = '(?<![\\p{L}\\p{N}:.])'
const E = '(?![\\p{L}\\p{N}:.])'
/** Words around a new time that are said of the change. */
const AROUND =
  /^(?:to|auf|for|zu|nach|till|until)\s+(?=\S)|[\s,]+(?:now|instead|please|rather|lieber|jetzt|stattdessen|then|same (?:time|hours?|day)|sharp|ish|or so)$/giu
const MONTH =
  /(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*\.?\s+$|(?<!\p{L})(?:in|seit|since)\s+$/iu
const WEEKDAY =
  '(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend'
const WEEK_ON = new RegExp(`${B}(?:on |am )?(${WEEKDAY}) (?:week|in einer woche)${E}`, 'iu')
/** Four digits of a clock, and three. */
const DIGITS = /(?<![\p{L}\p{N}:./-])([01]?\d|2[0-3])([0-5]\d)(?![\p{L}\p{N}:./-]|\.\d)/gu
const SPACED =
  /(?<![\p{L}\p{N}:./-])([01]?\d|2[0-3]) ([0-5]\d)(?=$|\s*(?:[ap]m|uhr)|\s+(?:til|till|to|bis|on|am)\s)/giu
const HOURS = /(?<![\p{L}\p{N}])(\d{1,2}) ?h(?![\p{L}\p{N}])/gu
const WHOLE_DAY =
  /(?:,\s*)?(?:(?:the |for the |den |die |für den )?(?:whole|all|entire|full|ganzen|ganze) (?:day|tag)|all[- ]day|ganztags|ganztägig)/giu

/** The day alone of "the 28th, all day", and whether all of it was said. */
export function wholeDayIn(text: string): { readonly day: string; readonly isWhole: boolean } {
  const day = text.replace(WHOLE_DAY, '').trim()
  return { day: day.replace(/^[\s,]+|[\s,]+$/g, ''), isWhole: day !== text.trim() }
}

export function plainTime(text: string, moment: Moment): string {
  const said = text
    .trim()
    .replace(AROUND, '')
    .replace(/(?<!\p{L})o[ ']?clock(?!\p{L})/giu, "o'clock")
    .replace(HOURS, '$1:00')
    .replace(SPACED, '$1:$2')
    .replace(DIGITS, (digits, hour: string, minutes: string, at: number, all: string) =>
      MONTH.test(all.slice(0, at)) || digits.length < 3 ? digits : `${hour}:${minutes}`,
    )
  return said.replace(WEEK_ON, (all, day: string) => {
    const { span } = readDates(day, moment)
    return span === null ? all : `on ${dayOf(span.from + 7 * DAY, moment)}`
  })
}

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

function dayOf(at: number, { zone }: Moment): string {
  const [year, month, day] = zone.iso(at).slice(0, 10).split('-').map(Number)
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`
}
