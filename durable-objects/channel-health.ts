/**
 * Looks now and then whether the owner's bot hears him (H-11): a message that its service cannot bring is one that he believes to be read. Told once
 * when it failed three times in a row. Looks by the object's alarm, so that nothing is kept awake. Must not repair anything. Called by
 * KernelObject.
 */
import type { Notice } from '../kernel/pipeline/deliver.ts'

/** Milliseconds between two looks: 96 requests a day of the 100,000 that the free plan has. */
export const HEALTH_EVERY = 900_000
/** The same after a failure. */
export const FAILING_EVERY = 300_000
/** Failures in a row of which the owner is told: fewer are a restart of somebody's. */
export const MOST_FAILURES = 3

export interface ChannelHealth {
  /** From now on it is looked at. */
  begin(): void
  /** Looks, if it is time. Never throws: an alarm that does is retried a few times and then forgotten. */
  look(): Promise<void>
  /** False once the owner was told, until it works again. */
  works(): boolean
}

export interface HealthInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put'>
  readonly now: () => number
  /** What is wrong since then (epoch milliseconds); null for nothing. Null instead of it where there is no channel. */
  readonly check: ((since: number) => Promise<string | null>) | null
  /** A line of the audit: what is wrong; `none` once it works again. */
  readonly note: (trouble: string) => void
  /** False when it cannot be told now; the same id twice is once. */
  readonly tell: (notice: Pick<Notice, 'id' | 'code'>) => Promise<boolean>
  readonly wakeAt: (at: number) => void
}

interface Looked {
  /** When, epoch milliseconds. */
  readonly at: number
  /** When to look again. */
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
      const told = isDue ? await tell({ id: `channel:${at}`, code: 'channel_failing' }) : known.told
      put({ at, next: at + FAILING_EVERY, failures, told })
    },
    works: () => kv.get<Looked>(HEALTH)?.told !== true,
  }
}
