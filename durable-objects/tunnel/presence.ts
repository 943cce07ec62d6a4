/**
 * Which objects hold a cached answer about home's presence, and until when; without caches each message would call TunnelObject.
 * A change is pushed to all that hold one; where time alone changes the state, the answer expires by then. Kept in memory, for
 * less time than this object stays awake. Must not decide whether home is online. Called by TunnelObject.
 */
import { OFFLINE_AFTER, STABLE_AFTER, type TimedStatus } from './socket.ts'

/**
 * Milliseconds for which an answer may be cached: shorter than the ten seconds after which the platform may let this object sleep
 * and lose this state, and than `STABLE_AFTER`, before which a new connection cannot count as online.
 */
export const CACHED_FOR = 5_000
/** Maximum number of objects with a cached answer; others ask each time. Each is called when home goes away. */
const MOST_HOLDERS = 64

export interface PresenceAnswer {
  readonly up: boolean
  /** Whether home's connection is open, though it may not count as online yet. */
  readonly here: boolean
  /** Milliseconds for which the answer is valid, unless a change is pushed. */
  readonly ms: number
}

export interface CachedPresence {
  /** Returns the answer for `principal`, whose object is notified if it changes within `ms`. */
  ask(principal: string): Omit<PresenceAnswer, 'here'>
  /** The connection ended, or was replaced. */
  changed(): void
}

/** `tell` is not awaited, and must not reject. */
export function createCachedPresence(
  status: () => TimedStatus,
  notify: (principal: string) => void,
  now: () => number = () => Date.now(),
): CachedPresence {
  /** By principal: until when its answer is cached, epoch milliseconds. */
  const holders = new Map<string, number>()
  const prune = (at: number): void => {
    for (const [principal, until] of holders) if (until <= at) holders.delete(principal)
  }
  return {
    ask(principal) {
      const at = now()
      const { up, beat, drained } = status()
      // Offline although home has received everything: it counts as online after `STABLE_AFTER`, or after a beat, which this
      // object does not see.
      const change = up ? beat + OFFLINE_AFTER : drained === null ? Infinity : drained + STABLE_AFTER
      const ms = Math.max(0, Math.min(CACHED_FOR, change - at))
      prune(at)
      if (ms === 0 || (holders.size >= MOST_HOLDERS && !holders.has(principal))) return { up, ms: 0 }
      holders.set(principal, at + ms)
      return { up, ms }
    },
    changed() {
      prune(now())
      const all = [...holders.keys()]
      holders.clear()
      for (const principal of all) notify(principal)
    },
  }
}
