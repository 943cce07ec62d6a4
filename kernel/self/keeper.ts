/**
 * Keeps the newest snapshot of a place: taken anew only after something changed, at most once in five seconds, and
 * always before the next prompt that comes later than that (M-19 – M-22). Works without a timer: whoever asks does the
 * work, so that an object that sleeps owes nothing. A task keeps the version that it began with (M-18). Called by
 * view.ts through `Powers.self`, and by the places when something changes.
 */
import { type SelfSnapshot, type SelfSources, takeSnapshot } from './snapshot.ts'

/** Milliseconds between two rebuilds: a flood of changes costs one (M-21). */
export const LEAST_BETWEEN = 5_000
/** Tasks whose version is held; the oldest is let go, and would read the newest. */
const MOST_PINNED = 500

/** What makes the picture old (M-19). */
export const SELF_TRIGGERS = Object.freeze([
  'startup',
  'integration',
  'skill',
  'persona',
  'channel',
  'job',
  'memory',
  'flow',
  'home',
] as const)
export type SelfTrigger = (typeof SELF_TRIGGERS)[number]

export interface SelfKeeper {
  /** What a prompt of this task is told of the assistant; the same for every call of one task. */
  of(task: string): SelfSnapshot
  /** The newest, for the owner's own eyes. */
  current(): SelfSnapshot
  /** Something changed; costs nothing until somebody asks. */
  touch(trigger: SelfTrigger): void
  /** How often a snapshot was taken, and how many of these kept a section from before (M-14). */
  readonly counts: () => { readonly rebuilt: number; readonly failed: number }
}

export interface KeeperInput {
  readonly sources: SelfSources
  readonly now: () => number
  /** A section could not be read; names it, never data. */
  readonly fault: (part: string) => void
}

export function createSelfKeeper({ sources, now, fault }: KeeperInput): SelfKeeper {
  let newest: SelfSnapshot | null = null
  let dirty = true
  const counts = { rebuilt: 0, failed: 0 }
  const pinned = new Map<string, SelfSnapshot>()

  const current = (): SelfSnapshot => {
    const at = now()
    // A clock that was set back must not keep an old picture for ever.
    const rested = newest === null || at - newest.at >= LEAST_BETWEEN || at < newest.at
    if (newest !== null && !(dirty && rested)) return newest
    dirty = false
    newest = takeSnapshot(sources, newest, at)
    counts.rebuilt += 1
    if (newest.failed.length > 0) {
      counts.failed += 1
      // A source that failed is asked again by the next prompt after the pause.
      dirty = true
      fault(`self: ${newest.failed.join(', ')}`)
    }
    return newest
  }

  return {
    current,
    of(task) {
      const known = pinned.get(task)
      if (known !== undefined) return known
      const snapshot = current()
      if (pinned.size >= MOST_PINNED) {
        const [oldest] = pinned.keys()
        if (oldest !== undefined) pinned.delete(oldest)
      }
      pinned.set(task, snapshot)
      return snapshot
    },
    touch() {
      dirty = true
    },
    counts: () => ({ ...counts }),
  }
}
