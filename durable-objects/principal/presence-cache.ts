/**
 * Caches whether home is online. TunnelObject answers with a lifetime for which the answer is valid, and notifies this object if
 * the state changes before that, so the cache is never less accurate than the tunnel. Must be cleared when a forward to home
 * fails. Called by home-line.ts.
 */
import type { PresenceAnswer } from '../tunnel/presence.ts'

export interface PresenceCache {
  up(): Promise<boolean>
  /** Drops the cached answer. */
  changed(): void
}

interface PresenceCacheInput {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly ask: () => Promise<Pick<PresenceAnswer, 'up'> & Partial<PresenceAnswer>>
  readonly onAnswer: (up: boolean, here: boolean) => void
}

export function createPresenceCache({ now, ask, onAnswer }: PresenceCacheInput): PresenceCache {
  let known: { readonly up: boolean; readonly until: number } | null = null
  let asking: Promise<boolean> | null = null
  /** Number of changes. An answer that was requested before the last change is not cached. */
  let changes = 0
  const fetch = async (): Promise<boolean> => {
    const [before, at] = [changes, now()]
    const { up, ms = 0, here = up } = await ask()
    if (changes === before) known = { up, until: at + ms }
    if (changes === before) onAnswer(up, here)
    return up
  }
  return {
    async up() {
      if (known !== null && now() < known.until) return known.up
      asking ??= fetch().finally(() => {
        asking = null
      })
      return asking.catch(() => false)
    },
    changed() {
      changes += 1
      known = null
      asking = null
    },
  }
}
