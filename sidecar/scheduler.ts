/**
 * Wakes the shell when something is due: an approval that expires, raw content to delete. Sleeps until the moment
 * that the shell names. Must not do the work itself. Called by runtime.ts.
 */

export interface Scheduler {
  /** What is due may have changed: ask again now. */
  wake(): void
  /** Resolves when no tick runs and none will. */
  stop(): Promise<void>
}

export interface SchedulerPowers {
  /** Does what is due; returns the next moment (epoch milliseconds) or null. */
  readonly tick: () => Promise<number | null>
  readonly now: () => number
  readonly fault: () => void
}

/** Longest sleep, milliseconds: a clock that was set forward, or a laptop that slept, is noticed within it. */
const LONGEST_SLEEP = 60_000
/** Shortest, milliseconds: a moment that stays in the past must not spin. */
const SHORTEST_SLEEP = 50

export function startScheduler({ tick, now, fault }: SchedulerPowers): Scheduler {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  const sleepUntil = (moment: number | null): void => {
    if (stopped) return
    const wait = Math.min(LONGEST_SLEEP, Math.max(SHORTEST_SLEEP, (moment ?? Infinity) - now()))
    timer = setTimeout(wake, wait)
  }
  const once = async (): Promise<void> => {
    again = false
    const next = await tick().catch(() => {
      fault()
      return null
    })
    running = null
    if (again && !stopped) wake()
    else sleepUntil(next)
  }
  const wake = (): void => {
    if (stopped) return
    again = true
    if (running !== null) return
    if (timer !== null) clearTimeout(timer)
    running = once()
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      await running
    },
  }
}
