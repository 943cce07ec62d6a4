/**
 * Which cards this chat has shown, and what a bare yes or no is about: a card that was shown here and still waits, if there is one and
 * no other. Must not decide. Called by chat.ts.
 */
import type { WaitingCard } from './cards.ts'

export interface SeenCards {
  see(ids: readonly string[]): void
  /** Something else was said since, which may have been written to be said yes to. */
  forget(): void
  /** The one that is meant; `unseen` where nothing that waits was shown here, `several` where more than one was. */
  meant(waiting: readonly WaitingCard[]): WaitingCard | 'none' | 'unseen' | 'several'
}

export function createSeenCards(): SeenCards {
  const seen = new Set<string>()
  return {
    see(ids) {
      for (const id of ids) seen.add(id)
    },
    forget: () => seen.clear(),
    meant(waiting) {
      const [one, ...others] = waiting.filter(({ id }) => seen.has(id))
      if (one !== undefined) return others.length > 0 ? 'several' : one
      return waiting.length === 0 ? 'none' : 'unseen'
    },
  }
}
