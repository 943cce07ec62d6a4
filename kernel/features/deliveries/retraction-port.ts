/**
 * Store of messages that are still to be deleted in their chats (H-16); part of `Store`. Types only. Implemented in
 * integrations/store.
 */

/** A message to be deleted in its chat (H-16). */
export interface Retraction {
  /** The task created from the message. */
  readonly id: string
  readonly principal: string
  readonly sink: string
  /** The channel's id of the message. */
  readonly message: string
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly due: number
}

export interface RetractionStore {
  /** Inserts it, or updates it after an attempt. */
  saveRetraction(row: Retraction): void
  /** All, earliest due first. */
  retractions(): readonly Retraction[]
  dropRetraction(id: string): void
}
