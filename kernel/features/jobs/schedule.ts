/**
 * Next times of a job (G-03 – G-05), and how missed times are handled. Pure. Called by runner.ts, and where
 * times are shown.
 */
import type { Clock } from '../../powers/ports.ts'
import { localMoment } from '../../wording/output.ts'
import { isCronDay, parseCron } from '../reminders/cron.ts'
import { clockOf, type JobRepeat, nextOccurrence } from '../reminders/repeat.ts'
import { JOB_LATE_AFTER, JOB_SKIPS_AFTER, type Job, type JobRun, MISSED_NOTED } from './port.ts'

/** The next `count` times after `after`, epoch milliseconds; fewer of one that comes once. */
export function nextTimes(
  { repeat, zone }: Pick<Job, 'repeat' | 'zone'>,
  after: number,
  count: number,
): readonly number[] {
  const times: number[] = []
  for (let at = after; times.length < count; ) {
    at = nextOccurrence(repeat, at, zone)
    if (!Number.isFinite(at)) break
    times.push(at)
  }
  return times
}

/**
 * Maximum occurrences of a long absence that are examined one by one; beyond that only the last one is
 * searched.
 */
const MOST_WALKED = 1_000
const DAY = 86_400_000

export interface Passed {
  /** The time that is run or refused now. */
  readonly scheduled: number
  /** Earlier occurrences without a run, oldest first; at most `MISSED_NOTED`. */
  readonly missed: readonly number[]
  /** Whether `scheduled` is run. */
  readonly runs: boolean
  readonly late: boolean
  /** Null after one that comes once. */
  readonly next: number | null
}

/**
 * One run at most, however many times have passed: for the last of them, unless that is long ago and the job
 * skips what it missed.
 */
export function passed(job: Pick<Job, 'repeat' | 'zone' | 'due' | 'missed'>, now: number): Passed | null {
  const { due, repeat, zone } = job
  if (due === null || due > now) return null
  const times = [due]
  let at = due
  for (let walked = 0; ; walked += 1) {
    const next = nextOccurrence(repeat, at, zone)
    if (next > now) break
    // Avoids iterating day by day after the clock jumped by years.
    at = walked < MOST_WALKED ? next : Math.max(next, lastBefore(repeat, zone, now))
    times.push(at)
  }
  const late = now - at > JOB_LATE_AFTER
  return {
    ...{ scheduled: at, missed: times.slice(0, -1).slice(-MISSED_NOTED), late },
    ...{
      runs: now - at <= JOB_SKIPS_AFTER || job.missed === 'once',
      next: nextTimes({ repeat, zone }, now, 1)[0] ?? null,
    },
  }
}

/** The last occurrence by `now`. */
function lastBefore(repeat: JobRepeat, zone: string, now: number): number {
  const { kind, every } = repeat
  const isOfDays = kind === 'daily' || kind === 'weekdays' || kind === 'on_days'
  const back = kind === 'minutes' ? 2 * every * 60_000 : isOfDays ? 60 * DAY : 400 * DAY
  let at = nextOccurrence(repeat, now - back, zone)
  // What comes by a cron string may come once in years.
  if (at > now) return -Infinity
  for (;;) {
    const next = nextOccurrence(repeat, at, zone)
    if (next > now) return at
    at = next
  }
}

/** The same repetition at another time of day: minutes after midnight. */
export function atTime(repeat: JobRepeat, minutes: number): JobRepeat {
  const [day = ''] = repeat.first.split(' ')
  return { ...repeat, first: `${day} ${clockOf(minutes)}` }
}

/** Runs several times a day, so it has no single time to move. */
export function isOften(repeat: JobRepeat): boolean {
  return repeat.kind === 'minutes' || timesADay(repeat) > 1
}

const DAY_MINUTES = 1_440

/** Times of a day on which it comes. */
export function timesADay({ kind, every, times, cron }: JobRepeat): number {
  if (kind === 'minutes') return Math.floor(DAY_MINUTES / every)
  return kind === 'cron' ? (parseCron(cron ?? '')?.times.length ?? 0) : (times?.length ?? 1)
}

const YEAR = 366

/** Times of a year, at the most: whether another repetition comes more often. */
export function timesAYear(repeat: JobRepeat): number {
  return timesADay(repeat) * daysAYear(repeat)
}

function daysAYear({ kind, every, cron }: JobRepeat): number {
  switch (kind) {
    case 'minutes':
      return YEAR
    case 'once':
      return 1
    case 'daily':
      return YEAR / every
    case 'weekdays':
      return ((YEAR / 7) * 5) / every
    case 'on_days':
      return (YEAR / 7) * every.toString(2).replaceAll('0', '').length
    case 'weekly':
      return YEAR / 7 / every
    case 'monthly':
    case 'monthly_weekday':
    case 'month_end':
    case 'last_weekday':
      return 12 / every
    case 'cron': {
      const read = parseCron(cron ?? '')
      // A leap year that begins on a Sunday.
      const days = Array.from({ length: YEAR }, (_, day) => Date.UTC(2040, 0, 1) + day * DAY)
      return read === null ? 0 : days.filter((day) => isCronDay(read, day)).length
    }
  }
}

/**
 * Whether a local date is left out: `skips` is one, or the first and the last of several,
 * `2026-11-27/2026-12-04`.
 */
export function isLeftOut(day: string, skips: string | null): boolean {
  const [first = '', last = first] = skips?.split('/') ?? []
  return first !== '' && day >= first && day <= last
}

/** `2026-11-27`, in the job's zone. */
export function dayOf(at: number, zone: string): string {
  return localMoment(at, zone).slice(0, 10)
}

/** The next time that is not on a day that is left out. */
export function nextKept({
  repeat,
  zone,
  due,
  skips,
}: Pick<Job, 'repeat' | 'zone' | 'due' | 'skips'>): number | null {
  let at = due
  while (at !== null && isLeftOut(dayOf(at, zone), skips)) at = nextTimes({ repeat, zone }, at, 1)[0] ?? null
  return at
}

/** Whether one repetition has more times than another: in a year, or as its end is later. */
export function comesMore(one: JobRepeat, before: JobRepeat): boolean {
  const isLonger = before.last !== undefined && (one.last ?? LAST) > before.last
  return isLonger || timesAYear(one) > timesAYear(before)
}

/** After every date. */
const LAST = '~'

/** Whether none of its times is left before its end. */
export function isPastEnd({ repeat, zone }: Pick<Job, 'repeat' | 'zone'>, now: number): boolean {
  return repeat.last !== undefined && nextTimes({ repeat, zone }, now, 1).length === 0
}

/** It has an end, and no time is left before it. */
export function isEnded({ repeat, state, due }: Job): boolean {
  return repeat.last !== undefined && state === 'on' && due === null
}

/** A one-time job ends after its time, and one with an end after its last; a watch ends once it was reported. */
export function isOverAfter(job: Job, { outcome, delivery }: JobRun): boolean {
  const { repeat, watch } = job
  if (repeat.kind === 'once' || isEnded(job)) return true
  return watch !== null && (outcome === 'told' || delivery === 'waiting')
}

/** The next time after now, for a job that is turned on. */
export function nextDue(powers: Clock, job: Pick<Job, 'repeat' | 'zone'>): number {
  return nextTimes(job, powers.now(), 1)[0] ?? powers.now()
}
