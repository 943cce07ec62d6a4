/**
 * Runs home's tasks: one run at a time per principal, plus the timer for due work. Nothing runs before `start` (M-26).
 * Must not decide what runs: the shell does. Called by runtime.ts.
 */
import type { Clock } from '../kernel/powers/ports.ts'
import type { Running } from '../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { startScheduler } from './scheduler.ts'

/** Milliseconds that running tasks get to finish when home stops. */
const STOP_GRACE = 3_000

export interface Engine {
  /** Runs the tasks of a principal (default: the owner) in the background. */
  drive(principal?: string): void
  /** Checks now what is due, for every principal. */
  wake(): void
  /** Resumes what a crash interrupted, and starts the timer. */
  start(): void
  stop(): Promise<void>
}

export function createEngine(shell: Running, powers: Clock, onFault: (part: string) => void): Engine {
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
    drive(principal = OWNER_PRINCIPAL) {
      // Compaction of a long conversation runs afterwards; no request waits for it (O-34).
      const compact = (): void => track('compact', shell.compact(principal))
      track('run', shell.run(principal).then(compact))
    },
    wake: () => scheduler?.wake(),
    start() {
      track('recover', shell.recover())
      scheduler = startScheduler({ tick: () => shell.tick(), now: powers.now, fault: () => onFault('tick') })
    },
    async stop() {
      await scheduler?.stop()
      await Promise.race([
        Promise.all(running),
        new Promise((resolve) => setTimeout(resolve, STOP_GRACE).unref()),
      ])
    },
  }
}
