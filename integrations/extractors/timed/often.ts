/**
 * Reads repetitions within a day: "every 15 minutes", "hourly", "every two hours between 9 and 17 on
 * weekdays". For jobs only; reminders do not repeat that often. Pure. Called by job.ts.
 */
import { type Moment, numberIn } from '../../dates/read.ts'
import { readWhen } from './reminder.ts'

export interface Often {
  /** Minutes from one time to the next; of times that are not as far apart, those between the nearest. */
  readonly step: number
  /** Times that are named one by one and are not as far apart: minutes after midnight, rising. */
  readonly times?: readonly number[]
  /**
   * The days, and the first time of such a day (epoch milliseconds) with the last one; null for day and
   * night.
   */
  readonly within: {
    readonly repeat: NonNullable<ReturnType<typeof readWhen>>['repeat']
    readonly every: number | null
    readonly first: number | null
    readonly last: number
  } | null
}

const COUNT = String.raw`\d{1,4}|two|three|four|five|six|eight|ten|twelve|fifteen|twenty|thirty|forty|forty-five`
const STEP = new RegExp(
  String.raw`\b(?:every|each) (?:(?<half>half(?: an)? hour)|(?<quarter>quarter(?: of an)? hour)|(?:(?<count>${COUNT}) )?(?<unit>minutes?|mins?|hours?))\b|\b(?<hourly>hourly)\b`,
  'i',
)
const CLOCK = String.raw`(\d{1,2})(?:[:.](\d\d))?(?: ?([ap])\.?m\.?| o'?clock| uhr)?`
const WITHIN = new RegExp(
  String.raw`\b(?:between ${CLOCK} and|from ${CLOCK} (?:to|until|till)) ${CLOCK}(?![\d:])`,
  'i',
)
const JOINS = /^[\s,;.]*(?:(?:and|on)\b[\s,]*)?$/i
const DAY_MINUTES = 1_440

/** "At 8 and at 6pm", "8:00, 12:00 and 16:00". */
const SEVERAL = new RegExp(
  String.raw`\b(?:at )?(?<first>${CLOCK})(?<more>(?:(?:,? and| &|,)(?: again)?(?: at)? ${CLOCK}){1,5})(?![\d:])`.replace(
    /\((?![?])/g,
    '(?:',
  ),
  'i',
)
const NEXT = new RegExp(CLOCK, 'gi')

/** Null for any other text, also where a word of it is left over. */
export function readOften(text: string, moment: Moment): Often | null {
  const found = STEP.exec(text)
  if (found === null) return readSeveral(text, moment)
  const step = stepOf(found.groups ?? {})
  if (step === null) return null
  const rest = without(text, found)
  const window = WITHIN.exec(rest)
  if (window === null) return JOINS.test(rest) ? { step, within: null } : null
  const from = clockOf(window.slice(1, 4)) ?? clockOf(window.slice(4, 7))
  const named = clockOf(window.slice(7, 10))
  if (from === null || named === null) return null
  // "Between 9 and 5" ends in the afternoon; "9am and 12am" says its half of the day.
  const isHalfSaid = window[9] !== undefined
  const to = !isHalfSaid && named <= from && named < DAY_MINUTES / 2 ? named + DAY_MINUTES / 2 : named
  const days = without(rest, window).replace(/\s+/g, ' ').trim()
  const read = readWhen(`${days === '' ? 'every day' : days} at ${wordsOf(from)}`, moment)
  if (read === null || read.first === null || to <= from || to >= DAY_MINUTES) return null
  const { repeat, every, first } = read
  const last = moment.zone.instantOf(Math.floor(moment.zone.wallOf(first) / (DAY_MINUTES * 60_000)), to)
  return { step, within: { repeat, every, first, last } }
}

/**
 * Times of a day that are named one by one, rising. Null for others, and for days that are not read.
 */
function readSeveral(text: string, moment: Moment): Often | null {
  const found = SEVERAL.exec(text)
  const { first: one = '', more = '' } = found?.groups ?? {}
  if (found === null) return null
  const days = without(text, found).replace(/\s+/g, ' ').trim()
  const read = readWhen(`${days} at ${one}`, moment)
  if (read === null || read.first === null || !read.timed) return null
  const day = Math.floor(moment.zone.wallOf(read.first) / (DAY_MINUTES * 60_000))
  const times = [Math.floor(moment.zone.wallOf(read.first) / 60_000) - day * DAY_MINUTES]
  for (const said of more.matchAll(NEXT)) {
    const at = clockOf(said.slice(1, 4))
    const before = times.at(-1) ?? 0
    if (at === null) return null
    // "At 9 and 5" is in the afternoon; "18:00" and "5am" say their half of the day.
    const isOpen = said[3] === undefined && at <= DAY_MINUTES / 2
    times.push(isOpen && at <= before ? at + DAY_MINUTES / 2 : at)
  }
  const [from = 0, second = 0] = times
  const gaps = times.slice(1).map((time, nth) => time - (times[nth] ?? 0))
  const step = Math.min(...gaps)
  const isEven = gaps.every((gap) => gap === second - from)
  const to = times.at(-1) ?? 0
  if (step <= 0 || to >= DAY_MINUTES) return null
  const { repeat, every } = read
  const within = { repeat, every, first: read.first, last: moment.zone.instantOf(day, to) }
  return { step, within, ...(!isEven && { times }) }
}

function without(text: string, found: RegExpExecArray): string {
  return `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
}

function stepOf({
  half,
  quarter,
  count,
  unit = '',
  hourly,
}: RegExpExecArray['groups'] & object): number | null {
  if (half !== undefined) return 30
  if (quarter !== undefined) return 15
  if (hourly !== undefined) return 60
  const often = count === undefined ? 1 : numberIn(count)
  if (!Number.isInteger(often) || often < 1) return null
  return /^h/i.test(unit) ? often * 60 : often
}

/** Minutes after midnight. */
function clockOf([hours, minutes = '0', half]: readonly (string | undefined)[]): number | null {
  if (hours === undefined) return null
  const named = Number(hours)
  const hour = half === undefined ? named : (named % 12) + (/p/i.test(half) ? 12 : 0)
  return hour > 23 || Number(minutes) > 59 ? null : hour * 60 + Number(minutes)
}

function wordsOf(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Several times a day, of a job that is set; null for any other words. */
export function oftenBy(topic: string, when: string, moment: Moment) {
  const read = readOften(when, moment)
  if (read === null) return null
  const { step, within, times } = read
  const set = { intent: 'job_set', topic } as const
  if (within === null) return { ...set, at: null, repeat: 'minutes' as const, count: step }
  const { repeat, every, first, last } = within
  if (times !== undefined) return { ...set, at: first, repeat, count: every, times }
  return { ...set, at: first, repeat, count: every, step, last }
}
