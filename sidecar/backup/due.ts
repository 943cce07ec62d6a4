/**
 * When a backup is due (E-13, E-17): at 03:00 of the owner's day, counted from the last one, so that a time that passed
 * while home was off is made up for once. Pure but for the calendar of time zones. Called by job.ts.
 */
import { Cron } from 'croner'

/** Every day at 03:00. */
const DAILY = '0 3 * * *'
/** Milliseconds after which the owner is told that none was made: a day, and two hours to make it in. */
export const MISSED_AFTER = 93_600_000
/** Milliseconds between tries after a failure: a full disk is not emptied in a minute. */
export const RETRY_AFTER = 3_600_000
/** Milliseconds until the edge's part is tried again, with a whole backup of home: an edge that is down stays so for a while. */
export const RETRY_EDGE_AFTER = 21_600_000

export interface Situation {
  readonly now: number
  /** When the last backup was made; before the first, when the key was. */
  readonly last: number
  /** When the last try failed, or null. */
  readonly failedAt: number | null
  /** When the last one was made without the edge's part, or null. */
  readonly partialAt: number | null
  readonly timezone: string
}

export interface Due {
  readonly run: boolean
  readonly missed: boolean
  /** When to look again (epoch milliseconds). */
  readonly next: number
}

export function dueAt({ now, last, failedAt, partialAt, timezone }: Situation): Due {
  const again = partialAt === null ? Number.POSITIVE_INFINITY : partialAt + RETRY_EDGE_AFTER
  const scheduled = Math.min(nextScheduled(last, timezone), again)
  const allowedFrom = failedAt === null ? scheduled : Math.max(scheduled, failedAt + RETRY_AFTER)
  const missedFrom = last + MISSED_AFTER
  const missed = now >= missedFrom
  const run = now >= allowedFrom
  return { run, missed, next: missed ? allowedFrom : Math.min(allowedFrom, missedFrom) }
}

/** The first 03:00 in `timezone` after `moment`; clock changes are the library's to know. */
export function nextScheduled(moment: number, timezone: string): number {
  const next = new Cron(DAILY, { timezone, paused: true }).nextRun(new Date(moment))
  if (next === null) throw new RangeError('a daily time always comes again')
  return next.getTime()
}
