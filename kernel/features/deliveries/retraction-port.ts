/**
 * Messages that are still to be deleted in their chats (H-16), as a place keeps them: a part of `Store`. Types alone.
 * Implemented in integrations/store.
 */

/** A message that is to be deleted in its chat (H-16). */
export interface Retraction {
  /** The task that it became. */
  readonly id: string
  readonly principal: string
  readonly sink: string
  /** What the channel calls it there. */
  readonly message: string
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly due: number
}

export interface RetractionStore {
  /** New, or another attempt at it. */
  saveRetraction(row: Retraction): void
  /** All, the first due first. */
  retractions(): readonly Retraction[]
  dropRetraction(id: string): void
}
