/**
 * Drives home's tasks: one run at a time for a principal, and the clock that wakes what is due. Nothing runs before it is
 * started (M-26). Must not decide what runs: the shell does. Called by runtime.ts.
 */
import type { Clock } from '../kernel/powers/ports.ts'
import type { Running } from '../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { startScheduler } from './scheduler.ts'

/** Milliseconds that running tasks have to come to rest when home stops. */
const STOP_GRACE = 3_000

export interface Engine {
  /** Drives a principal's tasks, the owner's if none is named, without being waited for. */
  drive(principal?: string): void
  /** What is due may have changed, for anybody: looks at all of it now. */
  wake(): void
  /** Picks up what a crash left behind, and begins to watch the clock. */
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
      // Nobody waits for the notes that are made of a long conversation (O-34).
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
