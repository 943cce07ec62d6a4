/**
 * Store of deliveries that wait until their channel accepts them (F-18, Q-19); part of `Store`. Ids and times only;
 * the text stays sealed in the delivery's row. Types only. Implemented in integrations/store.
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
