/**
 * Reads the end of what comes again: "until Christmas", "for two weeks", "five times", "bis Ende März", "noch dreimal". Pure; must not know what
 * comes again. Called by repeated-event.ts, reminder.ts and job.ts.
 */
import { type JobRepeat, nextOccurrence } from '../../../kernel/features/reminders/repeat.ts'
import { type Moment, numberIn } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'
import { lastDay } from './last-day.ts'

/** Words of an end: "until the end of next March". */
const WINDOW = 8
/** Times of day before it that are passed over: a message of thousands would take as many readings. */
const MOST_LOOKED = 3

export type End =
  | { readonly is: 'never' }
  | { readonly is: 'day'; readonly day: number }
  | { readonly is: 'times'; readonly times: number }
  | { readonly is: 'after'; readonly count: number; readonly unit: 'day' | 'week' | 'month' | 'year' }

const COUNT = String.raw`\d{1,5}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eine?n?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf`
const NUMBERS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, ein: 1, eine: 1, einen: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7 },
  ...{ acht: 8, neun: 9, zehn: 10, elf: 11, zwölf: 12 },
}
const UNITS = 'days?|weeks?|months?|years?|tage?n?|wochen?|monate?n?|jahre?n?'
const LASTS = new RegExp(
  String.raw`(?<!\p{L})(?:(?:for|für|over)(?: the next| die nächsten)? (?<count>${COUNT}) (?<unit>${UNITS})|(?:die nächsten )?(?<long>${COUNT}) (?<einheit>${UNITS}) lang)(?!\p{L})`,
  'iu',
)
const TIMES = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(?:for|just|only|noch|nur|for only|for just) )?(?:(?<count>${COUNT})(?: more)? times(?: only)?|(?<mal>${COUNT}) ?mal)(?!\p{L})(?! (?:a|per|each|every|am|pro|im|die|in) )`,
  'iu',
)
const UNTIL =
  /(?<!\p{L})(?:,? ?(?:but )?only )?(?:up )?(?:until|till|til|bis(?: zum| zur| zu)?|through)(?!\p{L})\s+(?<rest>\S.*)$/iu

export interface Ended {
  /** The message without its end. */
  readonly text: string
  readonly end: End
  /** Where the end stood in the message: the text before it, and behind it. */
  readonly before: string
  readonly after: string
}

/** Null where an end is named that is not understood. */
export function endIn(typed: string, moment: Moment): Ended | null {
  const at = (from: number, to: number, end: End): Ended => {
    const [before, after] = [typed.slice(0, from), typed.slice(to)]
    return { text: `${before} ${after}`, end, before, after }
  }
  const without = ({ index, 0: found }: RegExpExecArray, end: End): Ended =>
    at(index, index + found.length, end)
  const never: Ended = { text: typed, end: { is: 'never' }, before: typed, after: '' }
  const lasts = LASTS.exec(typed)
  if (lasts !== null) {
    const { count, unit, long = '', einheit = '' } = lasts.groups ?? {}
    const many = countOf(count ?? long)
    const [letter = ''] = (unit ?? einheit).toLowerCase()
    const named =
      letter === 'd' || letter === 't' ? 'day' : letter === 'w' ? 'week' : letter === 'm' ? 'month' : 'year'
    return Number.isNaN(many) ? null : without(lasts, { is: 'after', count: many, unit: named })
  }
  const times = TIMES.exec(typed)
  if (times !== null) {
    const many = countOf(times.groups?.['count'] ?? times.groups?.['mal'] ?? '')
    return Number.isNaN(many) ? null : without(times, { is: 'times', times: many })
  }
  // "Till 9 until Easter": a time of day may stand before it.
  for (let [from, looked] = [0, 0]; looked < MOST_LOOKED; looked += 1) {
    const until = UNTIL.exec(typed.slice(from))
    if (until === null) return never
    const rest = until.groups?.['rest'] ?? ''
    const words = rest.split(' ')
    for (let size = Math.min(WINDOW, words.length); size > 0; size -= 1) {
      const part = words.slice(0, size).join(' ')
      // A date in figures has its dot.
      const day = lastDay(part.replace(/[.,!]+$/, ''), moment) ?? lastDay(part, moment)
      if (day !== null)
        return at(from + until.index, typed.length - rest.length + part.length, { is: 'day', day })
    }
    // "Von 12 bis 13 Uhr" is a time of day.
    if (!/^\d/.test(rest)) return null
    from = typed.length - rest.length
  }
  return never
}

function countOf(word: string): number {
  const text = word.toLowerCase()
  return Object.hasOwn(NUMBERS, text) ? (NUMBERS[text] ?? Number.NaN) : numberIn(text)
}

/** Most times that are counted: ten years of days. */
const MOST_TIMES = 3_660

/**
 * The last local day, `2026-12-24`, of a repetition that has this end; null where it has none, and where it would end before it begins. `first`
 * of the repetition is local time.
 */
export function lastDayOf(end: End, repeat: JobRepeat): string | null {
  const start = Date.parse(`${repeat.first.replace(' ', 'T')}Z`)
  const first = Math.floor(start / DAY)
  const last = dayOfEnd(end, { repeat, start, first })
  return last === null || last < first ? null : new Date(last * DAY).toISOString().slice(0, 10)
}

interface Begin {
  readonly repeat: JobRepeat
  /** Local time as if it were UTC, and its day since 1970-01-01. */
  readonly start: number
  readonly first: number
}

function dayOfEnd(end: End, { repeat, start, first }: Begin): number | null {
  switch (end.is) {
    case 'never':
      return null
    case 'day':
      return end.day
    case 'after':
      return afterDays(end, first)
    case 'times': {
      if (end.times > MOST_TIMES) return null
      let at = start - 1
      for (let n = 0; n < end.times; n += 1) at = nextOccurrence(repeat, at, 'UTC')
      return Number.isFinite(at) ? Math.floor(at / DAY) : null
    }
  }
}

/** The last day of so many days, weeks, months or years that begin with `first`. */
export function afterDays({ count, unit }: Extract<End, { readonly is: 'after' }>, first: number): number {
  if (unit === 'day' || unit === 'week') return first + count * (unit === 'week' ? 7 : 1) - 1
  const at = new Date(first * DAY)
  const months = unit === 'month' ? count : count * 12
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, at.getUTCDate()) / DAY - 1
}
