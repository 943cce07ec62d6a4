/**
 * Stores of deliveries that wait until their channel accepts them (F-18, Q-19), and of messages still to be deleted in
 * their chats (H-16); part of `Store`. Ids and times only; the text stays sealed in the delivery's row. Types only.
 */

export interface WaitingDelivery {
  /** Id of the delivery. */
  readonly id: string
  readonly principal: string
  readonly sink: string
  /** When the request that it answers was made. This and all other times in epoch milliseconds. */
  readonly asked: number
  readonly since: number
  /** Earliest time to send. Only the first of a chat is attempted. */
  readonly due: number
  /** True when the channel itself set `due`; a later message does not shorten it. */
  readonly held: boolean
  readonly attempts: number
  /** Size of the text, UTF-8. */
  readonly bytes: number
  /** The owner was notified in another chat that something waits for this one. */
  readonly told: boolean
}

export interface WaitingStore {
  /** Appends it, or updates it after an attempt. */
  putWaiting(row: WaitingDelivery): void
  /** All, in sending order. */
  waiting(): readonly WaitingDelivery[]
  dropWaiting(id: string): void
}

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
