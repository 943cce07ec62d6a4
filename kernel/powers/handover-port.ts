/**
 * What passes between home and the owner's chat at the edge by his acknowledgement (DESIGN §1): his words to home, home's text to the
 * chat, and how that went. Data alone. Called by both ends of the tunnel and by the egress step.
 */
import type { Delivery } from './ports.ts'

/** A message of his as the edge tells it; home says itself whose it is and what it is worth. */
export interface SaidThere {
  /** The channel's id of it: the same message is said once. */
  readonly id: string
  readonly text: string
  readonly quoted: readonly string[]
}

/** A text that home has released for that chat. `label`: what home says it is worth, which the edge looks at again. */
export interface Handed extends Pick<Delivery, 'id' | 'text' | 'label'> {
  readonly kind: 'answer' | 'notice'
}

/** What the channel said to it. */
export type HandedBack =
  | { readonly id: string; readonly ok: true }
  /** `after`: milliseconds for which the channel wants to be left alone. */
  | { readonly id: string; readonly ok: false; readonly reason: string; readonly after?: number }
