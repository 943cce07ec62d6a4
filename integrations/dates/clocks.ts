/**
 * Clock times without a colon, which may also be dates or other numbers: "Mon 10.30", "Fri 9.15-10", "0730 to 2000". The rules
 * are the same for each language; only the words differ. Pure. Called by the grammars.
 */
import { nextDate, oneDay, upcoming, weekdayOf } from './civil.ts'
import type { Meaning, Phrase } from './grammar.ts'

export interface ClockWords {
  /** Pattern source with one group, the weekday. */
  readonly weekday: string
  readonly weekdayIn: (word: string) => number
  /** Pattern source of the words between day and time, and between two times. */
  readonly at: string
  readonly to: string
  /** Whether "10.12" is a time rather than a date. */
  readonly dottedIsTime: boolean
  readonly phrase: (source: string, read: Phrase[1]) => Phrase
}

/** Must not be part of a longer number, nor have marks that other parsers read. */
const ENDS = '(?![\\d:/]|\\.\\d| ?[ap]\\.?m| ?uhr)'

export function clockPhrases({
  weekday,
  weekdayIn,
  at,
  to,
  dottedIsTime,
  phrase,
}: ClockWords): readonly Phrase[] {
  // "Next Tuesday" is a different day, which other parsers read.
  const plainDay = `(?<!(?:next|nex|this|last|nächste[nr]?|diese[nr]?|letzte[nr]?|kommende[nr]?) )${weekday}`
  const between = `(?: ?[-–] ?| (?:${to}) )`
  return [
    phrase(
      `${plainDay}\\.?,? (?:${at})?(\\d{1,2})\\.(\\d\\d?)(?!\\d)(?:${between}(\\d{1,2})(?:[.:](\\d\\d))?(?!\\.?\\d))?(\\.?)${ENDS}`,
      ([, day = '', hour, minute, toHour, toMinute, dot], today) => {
        const name = weekdayIn(day)
        const days = oneDay(upcoming(today, name))
        const time = span(
          Number(hour),
          Number(minute),
          toHour === undefined ? null : [Number(toHour), Number(toMinute ?? 0)],
        )
        const isShort = minute?.length === 1
        if (toHour !== undefined) return time === null || isShort ? null : { days, ...time }
        const [number, month] = [Number(hour), Number(minute)]
        const isMonth = number >= 1 && number <= 31 && month >= 1 && month <= 12
        if (isMonth && dot === '.') return { date: { day: number, month } }
        const date = isMonth ? nextDate(today, month, number) : null
        if (date !== null && weekdayOf(date) === name) return { date: { day: number, month } }
        // "3.5 km" is no time.
        if (isShort) return null
        const isTime =
          time !== null && (dottedIsTime || !isMonth || (month % 5 === 0 && !/^0/.test(hour ?? '')))
        return isTime ? { days, ...time } : { impossible: true }
      },
    ),
    // chrono needs an end with minutes. The day may be elsewhere: "9.15-10 tomorrow".
    phrase(`(\\d{1,2})\\.(\\d\\d) ?[-–] ?(\\d{1,2})(?![.:])${ENDS}`, ([, hour, minute, toHour]) => {
      const isDate = Number(minute) >= 1 && Number(minute) <= 12 && Number(minute) % 5 !== 0
      const time = span(Number(hour), Number(minute), [Number(toHour), 0])
      return isDate || time === null ? null : { ...time, besideDay: true }
    }),
    // Phone numbers and years look alike.
    phrase(
      `([01]\\d|2[0-4])([0-5][05])${between}([01]\\d|2[0-4])([0-5][05])${ENDS}`,
      ([, hour, minute, toHour, toMinute]) => {
        if (hour === '20' && toHour === '20') return null
        const time = span(Number(hour), Number(minute), [Number(toHour), Number(toMinute)])
        return time === null ? null : { ...time, besideDay: true }
      },
    ),
    phrase(
      `${plainDay}\\.?,? (?:${at})?(\\d{1,2})([0-5][05])${between}(\\d{1,2})([0-5][05])${ENDS}`,
      ([, day = '', hour, minute, toHour, toMinute], today) => {
        const time = span(Number(hour), Number(minute), [Number(toHour), Number(toMinute)])
        return time === null ? null : { days: oneDay(upcoming(today, weekdayIn(day))), ...time }
      },
    ),
  ]
}

/** Minutes after midnight; null for a time that no clock shows. */
function span(
  hour: number,
  minute: number,
  end: readonly [number, number] | null,
): Pick<Meaning, 'from' | 'to'> | null {
  if (hour > 24 || minute > 59) return null
  if (end === null) return { from: hour * 60 + minute }
  return end[0] > 24 || end[1] > 59 ? null : { from: hour * 60 + minute, to: end[0] * 60 + end[1] }
}

/**
 * End of a 24-hour span across midnight, which chrono would take for the afternoon: "19:45 to 08:15", "20 bis 6 Uhr". Null for
 * any other.
 */
export function nightIn(text: string, isGerman: boolean): number | null {
  const [, from = '', to = '', minute] = NIGHT.exec(text) ?? []
  // "19:30 to 9" may equally end on the same evening.
  const isSaid = isGerman || /^0/.test(to) || Number(to) + (minute === undefined ? 12 : 10) <= Number(from)
  return to !== '' && isSaid ? Number(to) * 60 + Number(minute ?? 0) : null
}

const NIGHT =
  /(?<![\d.:])(1[7-9]|2[0-4])(?:[:.][0-5]\d)?(?: ?uhr)? *(?:[-–]|to|bis)(?: um)? *(0?\d|1[01])(?:[:.]([0-5]\d))?(?! ?[ap]\.?m|[\d:/]|\.\d)/i
