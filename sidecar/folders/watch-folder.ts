/** Looks into a folder of the owner's again and again, so that a saved file counts without a command. Must not read a file itself. Called by home-jobs.ts. */
import { type Scheduler, startScheduler } from '../jobs/scheduler.ts'

/** Milliseconds between two looks. */
const LOOK_EVERY = 10_000

interface WatchInput {
  /** One look. `signal`: home stops. */
  readonly look: (signal: AbortSignal) => Promise<void> | void
  readonly now: () => number
  readonly fault: () => void
}

export function watchFolder({ look, now, fault }: WatchInput): Pick<Scheduler, 'stop'> {
  const stopping = new AbortController()
  const tick = async (): Promise<number> => {
    await look(stopping.signal)
    return now() + LOOK_EVERY
  }
  const scheduler = startScheduler({ tick, now, fault })
  return {
    async stop() {
      stopping.abort()
      await scheduler.stop()
    },
  }
}
