/**
 * Calls `tick` when something is due, such as an approval that expires or raw content to delete, and sleeps until the
 * time that `tick` returns. Must not do the work itself. Called by engine.ts and memory-job.ts.
 */

export interface Scheduler {
  /** Checks again now, because what is due may have changed. */
  wake(): void
  /** Resolves when no tick is running and none will start. */
  stop(): Promise<void>
}

export interface SchedulerPowers {
  /** Does what is due. Returns the time of the next call (epoch milliseconds), or null. */
  readonly tick: () => Promise<number | null>
  readonly now: () => number
  readonly fault: () => void
}

/** Longest sleep, milliseconds: a changed clock or a suspended laptop is noticed within it. */
const LONGEST_SLEEP = 60_000
/** Shortest sleep, milliseconds: a time that stays in the past must not cause a busy loop. */
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
