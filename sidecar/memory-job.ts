/**
 * Schedules the consolidation of long-term memory (B-19): Sundays at 04:00 in the owner's time zone, counted from the
 * last run, so that a missed run is made up for once. Must not do the work: kernel/features/memory/consolidate.ts does. Called
 * by home-jobs.ts.
 */
import { Cron } from 'croner'
import { type Scheduler, startScheduler } from './scheduler.ts'
import type { HomeNotes } from './store/home-notes.ts'

/** Sundays at 04:00, an hour after the backup, which thus still contains what is merged. */
const WEEKLY = '0 4 * * 0'
/** Milliseconds until a retry after a failure. */
const RETRY_AFTER = 3_600_000

export interface MemoryJobInput {
  readonly notes: Pick<HomeNotes, 'read' | 'write'>
  readonly timezone: string
  readonly now: () => number
  readonly run: () => Promise<unknown>
  readonly fault: () => void
}

export function startMemoryJob(input: MemoryJobInput): Pick<Scheduler, 'stop'> {
  return startScheduler({ tick: () => lookAtMemory(input), now: input.now, fault: input.fault })
}

/** One check, without the timer. Returns the time of the next check (epoch milliseconds). */
export async function lookAtMemory(input: MemoryJobInput): Promise<number> {
  const { notes, timezone, now, run, fault } = input
  const last = notes.read('consolidated')
  if (last === null) notes.write('consolidated', now())
  else if (now() >= nextSunday(last, timezone)) {
    try {
      await run()
      notes.write('consolidated', now())
    } catch {
      fault()
      return now() + RETRY_AFTER
    }
  }
  return nextSunday(notes.read('consolidated') ?? now(), timezone)
}

/** The first Sunday 04:00 in `timezone` after `moment`. The library handles daylight saving time. */
export function nextSunday(moment: number, timezone: string): number {
  const next = new Cron(WEEKLY, { timezone, paused: true }).nextRun(new Date(moment))
  if (next === null) throw new RangeError('a Sunday always comes again')
  return next.getTime()
}
