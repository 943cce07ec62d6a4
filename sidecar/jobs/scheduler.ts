/**
 * Calls work when it is due, and runs home's tasks: one run at a time per principal. Nothing runs before `start` (M-26). Must
 * not decide what runs: the shell does. Called by wiring.ts and the jobs.
 */

import type { Clock } from '../../kernel/powers/ports.ts'
import type { Running } from '../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'

export interface Scheduler {
  /** Checks again now, because what is due may have changed. */
  wake(): void
  /** Resolves when no tick is running and none will start. */
  stop(): Promise<void>
}

interface SchedulerPowers {
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

/** Milliseconds that running tasks get to finish when home stops. */
const STOP_GRACE = 3_000

export type Engine = ReturnType<typeof createEngine>

export function createEngine(shell: Running, powers: Clock, onFault: (part: string) => void) {
  const running = new Set<Promise<void>>()
  let scheduler: ReturnType<typeof startScheduler> | null = null
  const track = (part: string, work: Promise<void>): void => {
    const settled = work
      .catch(() => onFault(part))
      .finally(() => {
        running.delete(settled)
        scheduler?.wake()
      })
    running.add(settled)
  }
  return {
    /** Runs the tasks of a principal in the background. */
    drive(principal: string = OWNER_PRINCIPAL): void {
      // Compaction of a long conversation runs afterwards; no request waits for it (O-34).
      const compact = (): void => track('compact', shell.compact(principal))
      track('run', shell.run(principal).then(compact))
    },
    /** Checks now what is due, for every principal. */
    wake: (): void => scheduler?.wake(),
    /** Resumes what a crash interrupted, and starts the timer. */
    start(): void {
      track('recover', shell.recover())
      scheduler = startScheduler({ tick: () => shell.tick(), now: powers.now, fault: () => onFault('tick') })
    },
    async stop(): Promise<void> {
      await scheduler?.stop()
      await Promise.race([
        Promise.all(running),
        new Promise((resolve) => setTimeout(resolve, STOP_GRACE).unref()),
      ])
    },
  }
}
