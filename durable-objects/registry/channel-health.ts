/**
 * Periodic check that the bot's service can deliver to the edge (H-11): otherwise the owner would believe that a message was
 * read. Sends one notice after three failures in a row. Runs by the object's alarm, so no object stays awake for it. Must not
 * repair anything. Called by KernelObject.
 */
import type { KernelPorts } from './ports.ts'

/** Milliseconds between two checks: 96 requests a day of the 100,000 on the free plan. */
export const HEALTH_EVERY = 900_000
/** Milliseconds between two checks after a failure. */
export const FAILING_EVERY = 300_000
/** Failures in a row before the owner is notified: fewer may be a restart at either end. */
export const MOST_FAILURES = 3

export interface ChannelHealth {
  /** Starts the periodic check. */
  begin(): void
  /** Checks if a check is due. Never throws: the platform retries a throwing alarm a few times and then drops it. */
  look(): Promise<void>
  /** False from the notice until a check succeeds. */
  works(): boolean
}

interface HealthInput extends Pick<KernelPorts, 'kv' | 'now' | 'tell' | 'wakeAt'> {
  /**
   * What has been wrong since `since` (epoch milliseconds); null for nothing. The function itself is null where no channel is
   * configured.
   */
  readonly check: ((since: number) => Promise<string | null>) | null
  /** Writes an audit line with the fault; `none` once it works again. */
  readonly note: (trouble: string) => void
}

interface Looked {
  /** Time of the last check, epoch milliseconds. */
  readonly at: number
  /** Time of the next check, epoch milliseconds. */
  readonly next: number
  readonly failures: number
  readonly told: boolean
}

const HEALTH = 'channel-health'

export function createChannelHealth(input: HealthInput): ChannelHealth {
  const { kv, now, check, note, tell, wakeAt } = input
  const put = (looked: Looked): void => {
    kv.put(HEALTH, looked)
    wakeAt(looked.next)
  }
  return {
    begin() {
      const at = now()
      const known = kv.get<Looked>(HEALTH)
      if (check !== null) put(known ?? { at, next: at + HEALTH_EVERY, failures: 0, told: false })
    },
    async look() {
      const known = kv.get<Looked>(HEALTH)
      if (known === undefined || check === null) return
      if (now() < known.next) return wakeAt(known.next)
      const at = now()
      const trouble = await check(known.at).catch(() => 'internal_fault')
      if (trouble === null) {
        if (known.told) note('none')
        return put({ at, next: at + HEALTH_EVERY, failures: 0, told: false })
      }
      const failures = known.failures + 1
      if (failures === MOST_FAILURES) note(trouble)
      const isDue = failures >= MOST_FAILURES && !known.told
      const isNotified = isDue ? await tell({ id: `channel:${at}`, code: 'channel_failing' }) : known.told
      put({ at, next: at + FAILING_EVERY, failures, told: isNotified })
    },
    works: () => kv.get<Looked>(HEALTH)?.told !== true,
  }
}
