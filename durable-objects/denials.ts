/**
 * The audit of what was refused on the link: a line each, up to a rate; beyond it one line that counts, written by the
 * object's alarm when the minute is over. Each source has its own rate, so that a stranger who knocks cannot hide what an
 * enrolled device did. Must not decide what is refused. Called by KernelObject.
 */
import type { ReasonFacts } from '../kernel/flow/verdict.ts'
import { beyond, countOne, MINUTE, type RateWindow } from './rate-window.ts'

/** Who was refused: a stranger without a good signature, an enrolled device, someone who tried to pair, or who wrote by a channel what none sends. */
export type DenialSource = 'knock' | 'link' | 'pairing' | 'channel'

/** Lines a minute and source: a flood must neither fill the audit nor bury its other lines. */
export const MAX_DENIALS = 20

const WINDOW = 'denials:'

export interface Denials {
  /** Notes one refusal, or counts it. */
  deny(of: DenialSource, facts: ReasonFacts): void
  /** Writes the counts of the minutes that are over. Called by the alarm. */
  close(): void
}

export interface DenialPowers {
  readonly now: () => number
  readonly write: (facts: ReasonFacts) => void
  /** Asks that `close` be called at this time, epoch milliseconds. */
  readonly wakeAt: (at: number) => void
}

/** The windows are durable: an eviction neither forgets a count nor opens the rate anew. */
export function createDenials(kv: SyncKvStorage, { now, write, wakeAt }: DenialPowers): Denials {
  const writeCount = (of: string, count: number): void => {
    if (count > 0) write({ of, left_out: count })
  }
  return {
    deny(of, facts) {
      const { window, within, leftOut } = countOne(
        kv.get<RateWindow>(WINDOW + of) ?? null,
        now(),
        MAX_DENIALS,
      )
      kv.put(WINDOW + of, window)
      writeCount(of, leftOut)
      if (within) write({ of, ...facts })
      else if (beyond(window, MAX_DENIALS) === 1) wakeAt(window.since + MINUTE)
    },
    close() {
      for (const [key, window] of [...kv.list<RateWindow>({ prefix: WINDOW })]) {
        const count = beyond(window, MAX_DENIALS)
        if (now() - window.since < MINUTE) {
          if (count > 0) wakeAt(window.since + MINUTE)
          continue
        }
        kv.delete(key)
        writeCount(key.slice(WINDOW.length), count)
      }
    },
  }
}
