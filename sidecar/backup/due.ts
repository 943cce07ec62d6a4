/**
 * Decides when a backup is due (E-13, E-17): daily at 03:00 in the owner's time zone, counted from the last backup, so
 * that a missed time is made up for once. Pure but for the time zone data. Called by job.ts.
 */
import { Cron } from 'croner'

/** Every day at 03:00. */
const DAILY = '0 3 * * *'
/** Milliseconds without a backup until the owner is notified: a day, plus two hours to make it. */
export const MISSED_AFTER = 93_600_000
/** Milliseconds until a retry after a failure: a full disk does not clear within a minute. */
export const RETRY_AFTER = 3_600_000
/**
 * Milliseconds until a backup without the edge's part is repeated as a whole: an outage of the edge lasts for a while.
 */
export const RETRY_EDGE_AFTER = 21_600_000

export interface Situation {
  readonly now: number
  /** When the last backup was made; before the first one, when the key was created. */
  readonly last: number
  /** When the last attempt failed, or null. */
  readonly failedAt: number | null
  /** When the last backup was made without the edge's part, or null. */
  readonly partialAt: number | null
  readonly timezone: string
}

export interface Due {
  readonly run: boolean
  readonly missed: boolean
  /** Time of the next check (epoch milliseconds). */
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

/** The first 03:00 in `timezone` after `moment`. The library handles daylight saving time. */
export function nextScheduled(moment: number, timezone: string): number {
  const next = new Cron(DAILY, { timezone, paused: true }).nextRun(new Date(moment))
  if (next === null) throw new RangeError('a daily time always comes again')
  return next.getTime()
}
