/**
 * Deliveries that wait until their channel takes them (F-18, Q-19), as a place keeps them: a part of `Store`. Holds ids and times; the
 * text stays sealed in the delivery's own row. Types alone. Implemented in integrations/store.
 */

export interface WaitingDelivery {
  /** Of the delivery. */
  readonly id: string
  readonly principal: string
  readonly sink: string
  /** When what it answers was asked for; this and all other times in epoch milliseconds. */
  readonly asked: number
  readonly since: number
  /** Not sent before. Of those of one chat only the first is tried. */
  readonly due: number
  /** True where `due` is the channel's own word, which a later message does not shorten. */
  readonly held: boolean
  readonly attempts: number
  /** Of its text, UTF-8. */
  readonly bytes: number
  /** The owner was told in another chat that something waits for this one. */
  readonly told: boolean
}

export interface WaitingStore {
  /** New at the end, or another attempt in its place. */
  putWaiting(row: WaitingDelivery): void
  /** All, in the order in which they are sent. */
  waiting(): readonly WaitingDelivery[]
  dropWaiting(id: string): void
}
