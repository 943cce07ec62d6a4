/**
 * Messages between home and the owner's chat at the edge, under the owner's acknowledgement (DESIGN §1): the owner's
 * text to home, home's text to the chat, and the delivery result. Data only. Called by both ends of the tunnel and by
 * the egress step.
 */
import type { Delivery } from '../../powers/ports.ts'
import type { WorkProgress } from '../deliveries/work-port.ts'

/** A message of the owner as reported by the edge; home assigns principal and label itself. */
export interface RemoteMessage {
  /** The channel's message id; duplicates are ignored. */
  readonly id: string
  readonly text: string
  readonly quoted: readonly string[]
  /**
   * `edited`: this version replaces the former ones. `elsewhere`: the edge answers the edited message, so its text is not sent;
   * questions that home asked because of a former version end.
   */
  readonly version?: 'edited' | 'elsewhere'
}

/** A text that home released for that chat. `label`: as stated by home; the edge checks it again. */
export interface DeliveredText extends Pick<Delivery, 'id' | 'text' | 'label'> {
  readonly kind: 'answer' | 'notice'
  /** Id of the owner's message that it answers; absent when there is none. */
  readonly said?: string
}

/** Home's progress on work for the edge (C-32): words from a closed list; losing it is harmless. */
export type HomeWork =
  /** Home runs a call of an edge task; the edge knows the step itself. */
  | { readonly on: 'call'; readonly id: string; readonly task: string }
  /** Home works on a message of the owner; `id` is the edge's name for it. */
  | { readonly on: 'said'; readonly id: string; readonly how: WorkProgress | null }
  /** Home stopped working on it, and no answer will follow there. */
  | { readonly on: 'rest'; readonly id: string }

/** Result from the channel. */
export type HandoverResult =
  | { readonly id: string; readonly ok: true }
  /** `after`: milliseconds that the channel asks to wait before a retry. */
  | { readonly id: string; readonly ok: false; readonly reason: string; readonly after?: number }
