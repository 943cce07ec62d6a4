/**
 * When a job runs (G-03 – G-05): its next times, and what to do with those that have passed. Pure. Called by runner.ts, and where
 * times are shown.
 */
import { localMoment } from '../../wording/output.ts'
import { nextOccurrence, type Repeat } from '../reminders/repeat.ts'
import { JOB_LATE_AFTER, JOB_SKIPS_AFTER, type Job, MISSED_NOTED } from './port.ts'

/** The next `count` times after `after`, epoch milliseconds. */
export function nextTimes(
  { repeat, zone }: Pick<Job, 'repeat' | 'zone'>,
  after: number,
  count: number,
): readonly number[] {
  const times: number[] = []
  for (let at = after; times.length < count; ) {
    at = nextOccurrence(repeat, at, zone)
    times.push(at)
  }
  return times
}

/** Occurrences of a long absence that are walked through one by one; further back, only the last one is looked for. */
const MOST_WALKED = 1_000
const DAY = 86_400_000

export interface Passed {
  /** The time that is run or refused now. */
  readonly scheduled: number
  /** Earlier ones that nothing ran for, oldest first; at most `MISSED_NOTED`. */
  readonly missed: readonly number[]
  /** Whether `scheduled` is run. */
  readonly runs: boolean
  readonly late: boolean
  readonly next: number
}

/** One run at most, however many times have passed: for the last of them, unless that is long ago and the job skips what it missed. */
export function passed(job: Pick<Job, 'repeat' | 'zone' | 'due' | 'missed'>, now: number): Passed | null {
  const { due, repeat, zone } = job
  if (due === null || due > now) return null
  const times = [due]
  let at = due
  for (let walked = 0; ; walked += 1) {
    const next = nextOccurrence(repeat, at, zone)
    if (next > now) break
    // A clock that jumped by years must not be walked through day by day.
    at = walked < MOST_WALKED ? next : Math.max(next, lastBefore(repeat, zone, now))
    times.push(at)
  }
  const late = now - at > JOB_LATE_AFTER
  return {
    ...{ scheduled: at, missed: times.slice(0, -1).slice(-MISSED_NOTED), late },
    ...{
      runs: now - at <= JOB_SKIPS_AFTER || job.missed === 'once',
      next: nextOccurrence(repeat, now, zone),
    },
  }
}

/** The last occurrence by `now`, looked for from a year back. */
function lastBefore(repeat: Repeat, zone: string, now: number): number {
  let at = nextOccurrence(repeat, now - 400 * DAY, zone)
  for (;;) {
    const next = nextOccurrence(repeat, at, zone)
    if (next > now) return at
    at = next
  }
}

/** The same repetition at another time of day: minutes after midnight. */
export function atTime(repeat: Repeat, minutes: number): Repeat {
  const two = (value: number): string => String(value).padStart(2, '0')
  const [day = ''] = repeat.first.split(' ')
  return { ...repeat, first: `${day} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}` }
}

/** `07:30` of a repetition. */
export function timeOf({ first }: Repeat): string {
  return first.slice(11, 16)
}

/** `2026-11-27`, in the job's zone. */
export function dayOf(at: number, zone: string): string {
  return localMoment(at, zone).slice(0, 10)
}

/** The next time that is not left out. */
export function nextKept({
  repeat,
  zone,
  due,
  skips,
}: Pick<Job, 'repeat' | 'zone' | 'due' | 'skips'>): number | null {
  return due !== null && dayOf(due, zone) === skips ? nextOccurrence(repeat, due, zone) : due
}
