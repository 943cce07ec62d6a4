/**
 * What passes between home and the owner's chat at the edge by his acknowledgement (DESIGN §1): his words to home, home's text to the
 * chat, and how that went. Data alone. Called by both ends of the tunnel and by the egress step.
 */
import type { Delivery } from '../../powers/ports.ts'
import type { HowFar } from '../deliveries/work-port.ts'

/** A message of his as the edge tells it; home says itself whose it is and what it is worth. */
export interface SaidThere {
  /** The channel's id of it: the same message is said once. */
  readonly id: string
  readonly text: string
  readonly quoted: readonly string[]
  /**
   * The channel says that it was edited: it takes the place of its former versions. `elsewhere`: the edge answers it, and its words are
   * not told; what home was asked by a former one is asked no more.
   */
  readonly version?: 'edited' | 'elsewhere'
}

/** A text that home has released for that chat. `label`: what home says it is worth, which the edge looks at again. */
export interface Handed extends Pick<Delivery, 'id' | 'text' | 'label'> {
  readonly kind: 'answer' | 'notice'
  /** The message of his that it comes of; absent where it comes of none. */
  readonly said?: string
}

/** That home is at work for the edge (C-32): in words of a closed list, and lost without harm. */
export type HomeWork =
  /** At a call of one of the edge's tasks; how far that is the edge knows itself. */
  | { readonly on: 'call'; readonly id: string; readonly task: string }
  /** At what he wrote there, by the name under which the edge told it. */
  | { readonly on: 'said'; readonly id: string; readonly how: HowFar | null }
  /** At it no more, and nothing is said of it there. */
  | { readonly on: 'rest'; readonly id: string }

/** What the channel said to it. */
export type HandedBack =
  | { readonly id: string; readonly ok: true }
  /** `after`: milliseconds for which the channel wants to be left alone. */
  | { readonly id: string; readonly ok: false; readonly reason: string; readonly after?: number }
