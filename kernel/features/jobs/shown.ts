/** Times and past runs of a job in words. Pure. Called by the card and by the operations on jobs. */

import { isReasonCode } from '../../reasons.ts'
import {
  localMoment,
  monthName,
  namedDay,
  namedMoment,
  weekdayName,
  weekdayNames,
} from '../../wording/output.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { clockOf, type JobRepeat, spokenRepeat } from '../reminders/repeat.ts'
import type { JobView, RunView } from './port.ts'
import { isPastEnd } from './schedule.ts'

/** Whole names, so that the edge has no other sentence for the beginning of one. */
const OFTEN = {
  daily: 'jobs.daily',
  weekdays: 'jobs.weekdays',
  weekly: 'jobs.weekly',
  monthly: 'jobs.monthly',
  monthly_weekday: 'jobs.monthly_weekday',
  on_days: 'jobs.on_days',
  month_end: 'jobs.month_end',
  last_weekday: 'jobs.last_weekday',
  yearly: 'jobs.yearly',
} as const
const EVERY = {
  daily: 'jobs.every_daily',
  weekdays: 'jobs.every_weekdays',
  weekly: 'jobs.every_weekly',
  monthly: 'jobs.every_monthly',
  monthly_weekday: 'jobs.every_monthly_weekday',
  on_days: 'jobs.on_days',
  month_end: 'jobs.every_month_end',
  last_weekday: 'jobs.every_last_weekday',
  yearly: 'jobs.every_yearly',
} as const

/** `every weekday at 08:00`, `every 15 minutes`, `every day every 2 hours from 09:00 to 17:00`. */
export function whenWords({ last, ...repeat }: JobRepeat): string {
  const often = ruleWords(repeat)
  return last === undefined ? often : `${often} ${tell('reminders.ends', { day: figuredDay(last) })}`
}

function ruleWords({ kind, every, first, times = [], cron }: JobRepeat): string {
  if (kind === 'cron') return tell('jobs.cron', { cron: cron ?? '' })
  if (kind === 'minutes') return tell('jobs.minutes', { step: lengthWords(every) })
  if (kind === 'once')
    return tell('jobs.once', { at: namedMoment(Date.parse(`${first.replace(' ', 'T')}Z`), 'UTC', 0) })
  const day = new Date(`${first.slice(0, 10)}T00:00:00Z`)
  const weekday = weekdayName(day.getTime())
  const { unit, every: many } = spokenRepeat(kind, every)
  const often = tell((many === 1 ? OFTEN : EVERY)[unit], {
    ...{ weekday, day: day.getUTCDate(), every: many, nth: Math.ceil(day.getUTCDate() / 7) },
    ...{ days: weekdayNames(every), month: monthName(day.getTime()) },
  })
  const at = times.map(clockOf)
  const [one = 0, two = 0] = times
  const step = two - one
  const isEven = times.length > MOST_NAMED && times.every((time, nth) => time === one + nth * step)
  if (isEven)
    return tell('jobs.between', { often, step: lengthWords(step), from: at[0] ?? '', to: at.at(-1) ?? '' })
  return tell('jobs.at', { often, time: times.length === 0 ? first.slice(11, 16) : at.join(', ') })
}

/** Times of a day that are named one by one; more are told by their distance. */
const MOST_NAMED = 3

function lengthWords(minutes: number): string {
  if (minutes === 60) return tell('jobs.hour')
  return minutes % 60 === 0
    ? tell('jobs.hours', { count: minutes / 60 })
    : tell('jobs.in_minutes', { count: minutes })
}

const STOPPED = {
  owner: 'jobs.is_paused',
  done: 'jobs.is_paused',
  failures: 'jobs.is_failing',
  budget: 'jobs.is_spent',
  widened: 'jobs.is_widened',
} as const

/** As one line says it: without what it used. */
type RunShown = Omit<RunView, 'ended' | 'tokens'>

/** One line: number, title, when, the next time, and what the last one became. */
export function jobLine(
  view: Omit<JobView, 'last'> & { readonly last: RunShown | null },
  now: number,
): string {
  const { number, title, state, why, due, zone, skips } = view
  const { repeat: kind, every, first, times, cron, ends } = view
  const repeat: JobRepeat = {
    ...{ kind, every, first, ...(times.length > 0 && { times }) },
    ...(cron !== null && { cron }),
    ...(ends !== null && { last: ends }),
  }
  const when = whenWords(repeat)
  const isOver = state === 'paused' && isPastEnd({ repeat, zone }, now)
  const is = isOver ? wordsFor('job_over') : tell(STOPPED[why ?? 'owner'], { number })
  const stopped = state === 'removed' ? [] : [is]
  const next = due === null ? stopped : [tell('jobs.next', { at: namedMoment(due, zone, now) })]
  const lines = [
    `${number}. ${title}: ${when}, ${view.chat}.`,
    ...next,
    ...(view.off === null || state !== 'on' ? [] : [tell('jobs.is_off', { tool: view.off })]),
    ...(view.page === null ? [] : [tell('jobs.has_page', { tool: view.page })]),
    ...(skips !== null && state === 'on' ? [leftOutWords(skips)] : []),
    ...(view.last === null ? [] : [tell('jobs.last', { run: runLine(view.last, zone, now) })]),
  ]
  return lines.join(' ')
}

function leftOutWords(skips: string): string {
  const [first = '', last] = skips.split('/').map((day) => figuredDay(day))
  return last === undefined
    ? tell('jobs.leaves_out', { day: first })
    : tell('jobs.leaves_out_days', { first, last })
}

/** `Friday 27 November` of `2026-11-27`. */
function figuredDay(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return namedDay(at, 'UTC', at)
}

/** `Friday 27 November, 08:00: sent`. */
export function runLine(
  { scheduled, started, outcome, delivery, code, page, pageCode }: RunShown,
  zone: string,
  now: number,
): string {
  const what = outcome === 'undelivered' ? tell(`jobs.delivery_${delivery}`) : tell(`jobs.run_${outcome}`)
  const why = outcome === 'missed' ? '' : whyOf(code)
  const late = outcome === 'told' && started - scheduled > LATE ? ` ${tell('jobs.run_late')}` : ''
  const beside = page === 'none' ? '' : `; ${tell(PAGE_WORDS[page])}${whyOf(pageCode)}`
  return `${namedMoment(scheduled, zone, now)}: ${what}${late}${why}${beside}`
}

/** The same, and when it began and ended, and what its models used. */
export function runDetail(run: RunView, zone: string, now: number): string {
  const { started, ended, outcome, tokens } = run
  const line = runLine(run, zone, now)
  if (outcome === 'missed' || outcome === 'skipped') return line
  const clock = (at: number): string => localMoment(at, zone).slice(CLOCK)
  const began = clock(started)
  const span =
    ended === null ? tell('jobs.run_since', { began }) : tell('jobs.run_span', { began, ended: clock(ended) })
  return `${line}; ${span}, ${tell('jobs.run_tokens', { count: tokens })}`
}

/** Where `07:30` begins in `2026-11-27 07:30`. */
const CLOCK = 11

const PAGE_WORDS = {
  running: 'jobs.page_running',
  asked: 'jobs.page_asked',
  written: 'jobs.page_written',
  refused: 'jobs.page_refused',
  unclear: 'jobs.page_unclear_run',
  failed: 'jobs.page_failed_run',
} as const

function whyOf(code: string | null): string {
  return code !== null && isReasonCode(code) ? ` (${wordsFor(code).replace(/\.$/, '')})` : ''
}

const LATE = 120_000
