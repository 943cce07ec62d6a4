/**
 * Records which cards this chat has shown, and determines what a bare yes or no refers to: the only pending card that
 * was shown. Must not decide. Called by chat.ts.
 */
import type { WaitingCard } from './cards.ts'

export interface SeenCards {
  see(ids: readonly string[]): void
  /** Call when other text was shown since, which may be crafted to provoke a yes. */
  forget(): void
  /** The card meant. `unseen`: no pending card was shown here; `several`: more than one was. */
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
