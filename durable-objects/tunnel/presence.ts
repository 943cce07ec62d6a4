/**
 * Who was told whether home is there, and for how long: an object that asks for each message would call this one for each. While
 * anybody may believe an answer, a change is told to them; where time alone changes it, it ends by itself. Kept in memory: it is
 * shorter than this object stays awake. Must not decide whether home is there. Called by TunnelObject.
 */
import { OFFLINE_AFTER, STABLE_AFTER, type TimedStatus } from './socket.ts'

/**
 * Milliseconds for which an answer is vouched for: shorter than the ten seconds after which the platform lets this object sleep, and
 * forget who was told; and than `STABLE_AFTER`, within which nothing but time makes an absent home present.
 */
export const VOUCHED_FOR = 5_000
/** Objects that may believe an answer at the same time; the rest ask each time. Each is called when home goes. */
const MOST_TOLD = 64

export interface HomeThereFor {
  readonly up: boolean
  /** Its connection is open, though it may not count as online yet. */
  readonly here: boolean
  /** Milliseconds for which this holds, unless a change is told. */
  readonly ms: number
}

export interface ToldPresence {
  /** `principal` will be told of a change within the time of the answer. */
  ask(principal: string): Omit<HomeThereFor, 'here'>
  /** The connection ended, or was replaced. */
  changed(): void
}

/** `tell` is not awaited, and must not reject. */
export function createToldPresence(
  status: () => TimedStatus,
  tell: (principal: string) => void,
  now: () => number = () => Date.now(),
): ToldPresence {
  /** By principal: until when the answer is believed. */
  const told = new Map<string, number>()
  const prune = (at: number): void => {
    for (const [principal, until] of told) if (until <= at) told.delete(principal)
  }
  return {
    ask(principal) {
      const at = now()
      const { up, beat, drained } = status()
      // Down, though all was taken: it waits for `STABLE_AFTER`, or for a beat, which this object does not hear.
      const change = up ? beat + OFFLINE_AFTER : drained === null ? Infinity : drained + STABLE_AFTER
      const ms = Math.max(0, Math.min(VOUCHED_FOR, change - at))
      prune(at)
      if (ms === 0 || (told.size >= MOST_TOLD && !told.has(principal))) return { up, ms: 0 }
      told.set(principal, at + ms)
      return { up, ms }
    },
    changed() {
      prune(now())
      const all = [...told.keys()]
      told.clear()
      for (const principal of all) tell(principal)
    },
  }
}
