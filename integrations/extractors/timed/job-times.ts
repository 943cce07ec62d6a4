/**
 * Reads new times for an existing job: "make that 7:30", "only on weekdays", "not on fridays", "half an hour
 * earlier". Pure. Must not know which jobs exist. Called by job.ts.
 */
import { LENGTH, minutesOf } from '../../dates/lengths.ts'
import { type Moment, readDates } from '../../dates/read.ts'
import { listedDays } from './days-of-week.ts'
import { readOften } from './often.ts'
import { readWhen, type When } from './reminder.ts'

/** Of a reading, all but which job it is of. */
export interface TimesReading {
  readonly at: number | null
  /** Exclusive, of several times a day the last one. */
  readonly last?: number
  readonly repeat: When['repeat'] | 'minutes' | null
  readonly count: number | null
  readonly step?: number
  readonly times?: readonly number[]
  /** No time of day was named. */
  readonly untimed?: true
  readonly which?: 'without' | 'also'
}

const NOTHING = { at: null, repeat: null, count: null } as const

/** A time of day, days, or both, and nothing else; null for other words. `name`: what the job is called. */
export function readTimes(said: string, moment: Moment, name = ''): TimesReading | null {
  const when = said.trim()
  const at = timeIn(when, moment, name)
  if (at !== null) return { ...NOTHING, at }
  const bare = when.replace(/^(?:only|just)\s+|\s+(?:only|alone)$/gi, '').replace(WEEKEND, 'weekends')
  const often = readOften(bare, moment)
  if (often !== null) {
    const { step, within, times } = often
    if (within === null) return { ...NOTHING, repeat: 'minutes', count: step }
    const { repeat, every, first, last } = within
    if (times !== undefined) return { at: first, repeat, count: every, times }
    return { at: first, repeat, count: every, step, last }
  }
  const read = whenOf(bare, moment)
  if (read === null) return null
  const { repeat, every, first, timed } = read
  return { at: first, repeat, count: every, ...(!timed && { untimed: true }) }
}

/** "Mondays" and "weekends" are days that come again also without "on". */
function whenOf(bare: string, moment: Moment): When | null {
  const read = readWhen(bare, moment)
  if (read !== null && read.repeat !== 'unclear') return read
  return readWhen(`on ${bare}`, moment) ?? read
}

const WEEKEND = /\b(?:the )?weekends?\b/gi

/** Days of the week that it is to leave out, or to have as well; null for other words. */
export function readDays(said: string, which: 'without' | 'also'): TimesReading | null {
  const bare = said
    .trim()
    .replace(/^(?:on|at) /i, '')
    .replace(WEEKEND, 'weekends')
  const listed = listedDays(`on ${bare}`)
  if (listed === null || listed.left.trim() !== '') return null
  return { ...NOTHING, repeat: 'on_days', count: listed.days, which }
}

const SHIFT = new RegExp(
  `^(?:by |back by |forward by |back |about )?(?<length>${LENGTH})(?: (?<way>later|earlier|sooner|back))?$`,
  'i',
)

/** So many minutes later, less than none for earlier; null for other words. */
export function readShift(said: string, back: boolean): TimesReading | null {
  const { length = '', way } = SHIFT.exec(said.trim())?.groups ?? {}
  const minutes = minutesOf(length)
  if (minutes === null || (way === undefined && !back)) return null
  return { ...NOTHING, step: /earlier|sooner/i.test(way ?? '') ? -minutes : minutes }
}

function timeIn(bare: string, moment: Moment, name: string): number | null {
  // A briefing at 6 comes in the morning.
  const half = /^(?:[5-9]|1[01])(?:[:.]\d\d)?$/.test(bare) && !/evening|night|abend/i.test(name) ? ' am' : ''
  const text = /^\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?$/i.test(bare) ? `at ${bare}${half}` : bare
  const { span, rest } = readDates(text.replace(/^(?:to|for) /i, ''), moment)
  return span !== null && span.named === 'time' && /^[\s,.]*(?:at|to|instead|then)?[\s,.]*$/i.test(rest)
    ? span.from
    : null
}

/** `at 7:30`, of a job that has a repetition of its own. */
export function atOnly(when: string, moment: Moment): When | null {
  const first = timeIn(when.trim(), moment, '')
  return first === null ? null : { repeat: null, every: null, first, timed: true }
}
