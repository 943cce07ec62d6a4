/**
 * Times that people name when they ask how it was at home: "last night" (evening to morning), "yesterday", "since this morning", "the last three hours"; English
 * and German. Pure: now and the zone are arguments. Called by run.ts and phrases.ts.
 */
import { DAY, MINUTE, type Zone } from '../../dates/zone.ts'

/** Epoch milliseconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Minutes after midnight. */
const HOUR = 60
const EVENING = 18 * HOUR
const MORNING = 8 * HOUR
const NIGHT_ENDS = 6 * HOUR
/** Days of one question: a history is one answer of the service, and it keeps ten days by itself. */
const MOST_DAYS = 31

const WEEKDAYS: readonly string[] = [
  ...['sunday|sonntag', 'monday|montag', 'tuesday|dienstag', 'wednesday|mittwoch', 'thursday|donnerstag'],
  ...['friday|freitag', 'saturday|samstag|sonnabend'],
]
const NUMBERS: readonly string[] = [
  ...['one|a|an|einen|einer|eine', 'two|zwei', 'three|drei', 'four|vier', 'five|fünf', 'six|sechs'],
  ...['seven|sieben', 'eight|acht', 'nine|neun', 'ten|zehn', 'eleven|elf', 'twelve|zwölf'],
]
const COUNT = `(?:\\d{1,3}|${NUMBERS.join('|')})`
const LAST = '(?:last|past|letzten?|letzter|vergangenen?)'
const DAYS = [
  ...['last night', 'letzte nacht', 'heute nacht', 'gestern nacht', 'tonight', 'this morning'],
  ...['heute morgen', 'heute früh', 'yesterday evening', 'gestern abend', 'today', 'heute', 'yesterday'],
  ...['gestern', 'this week', 'diese woche', 'last week', 'letzte woche'],
  `(?:on |am |last |letzten )?(?:${WEEKDAYS.join('|')})`,
]
const COUNTED = `(?:(?:in|over|during|for|within|within the|in den|in der|über) )?(?:the |den |der |die )?${LAST} (?:${COUNT} )?(?:hours?|days?|weeks?|stunden?|tagen?|tage|wochen?)`

/** What a time looks like in a sentence; a pattern without named groups. */
export const SPAN_PATTERN = `(?:${[...DAYS.map((one) => `(?:since |seit |during |over |in der |im laufe von )?${one}`), COUNTED].join('|')})`

/** Null for what names no time that has begun, or one that is too long. */
export function spanNamed(typed: string, now: number, zone: Zone): Span | null {
  const text = typed
    .normalize('NFC')
    .toLowerCase()
    .replace(/[?!.,]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:during|over|in der|im laufe von|on|am) (?=\S)/, '')
  const since = /^(?:since|seit) (.+)$/.exec(text)?.[1]
  const found = counted(text, now) ?? named(since ?? text, now, zone)
  if (found === null || found.from >= now) return null
  const to = since === undefined ? Math.min(found.to, now) : now
  return to - found.from > MOST_DAYS * DAY ? null : { from: found.from, to }
}

function counted(text: string, now: number): Span | null {
  const found = new RegExp(`${LAST} (${COUNT} )?(hours?|days?|weeks?|stunden?|tagen?|tage|wochen?)$`).exec(
    text,
  )
  if (found === null) return null
  const [, word, unit = ''] = found
  // "Last week" and "last weeks" without a number are weeks of the calendar.
  if (word === undefined && /^(?:week|woche)$/.test(unit)) return null
  const count = word === undefined ? 1 : numberIn(word.trim())
  const length = /^(?:h|st)/.test(unit) ? HOUR * MINUTE : /^w/.test(unit) ? 7 * DAY : DAY
  return count < 1 ? null : { from: now - count * length, to: now }
}

function named(text: string, now: number, zone: Zone): Span | null {
  const today = zone.dayOf(now)
  const at = (day: number, minutes: number): number => zone.instantOf(day, minutes)
  const days = (first: number, last: number): Span => ({ from: at(first, 0), to: at(last + 1, 0) })
  const weekday = (((today + 4) % 7) + 7) % 7
  const monday = today - ((weekday + 6) % 7)
  const minutes = (now - at(today, 0)) / MINUTE
  switch (text) {
    case 'last night':
    case 'letzte nacht':
    case 'gestern nacht':
    case 'heute nacht': {
      // In the small hours, the night is the one that is not over yet.
      return { from: at(today - 1, EVENING), to: at(today, MORNING) }
    }
    case 'tonight':
      return minutes < NIGHT_ENDS
        ? { from: at(today - 1, EVENING), to: at(today, MORNING) }
        : { from: at(today, EVENING), to: at(today + 1, MORNING) }
    case 'this morning':
    case 'heute morgen':
    case 'heute früh':
      return { from: at(today, 5 * HOUR), to: at(today, 12 * HOUR) }
    case 'yesterday evening':
    case 'gestern abend':
      return { from: at(today - 1, EVENING), to: at(today, 0) }
    case 'today':
    case 'heute':
      return days(today, today)
    case 'yesterday':
    case 'gestern':
      return days(today - 1, today - 1)
    case 'this week':
    case 'diese woche':
      return days(monday, today)
    case 'last week':
    case 'letzte woche':
      return days(monday - 7, monday - 1)
    default: {
      const wanted = WEEKDAYS.findIndex((names) =>
        names.split('|').includes(text.replace(/^(?:on|am|last|letzten) /, '')),
      )
      if (wanted < 0) return null
      const back = (weekday - wanted + 7) % 7
      const day = today - (back === 0 && /^(?:last|letzten) /.test(text) ? 7 : back)
      return days(day, day)
    }
  }
}

function numberIn(word: string): number {
  return /^\d+$/.test(word) ? Number(word) : NUMBERS.findIndex((names) => names.split('|').includes(word)) + 1
}
