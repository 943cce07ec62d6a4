/**
 * The single inbox of all channels. Passes each event to the shell, which detects duplicates. After a
 * temporary refusal the service delivers the event again; any other refusal is reported to the owner once
 * (B-24 – B-26). A tap counts only for the owner, in the chat of its button (F-02). Must not decide anything:
 * the kernel does. Called by the channel packages at the place that holds the token.
 */
import { err, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { InboundEvent } from '../../../kernel/task/event.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import type { CheckedTap, TapAnswer } from './cards.ts'
import { buttonIdIn } from './cards.ts'
import type { Called } from './channel-state.ts'

/**
 * Temporary refusals: the service delivers the event again. Any other one is final, because it would block
 * later events.
 */
const AGAIN: readonly ReasonCode[] = ['storage_failed', 'storage_full', 'edge_locked']

export interface InboxPorts {
  /** Stores the event: durable when it resolves. */
  receive(event: InboundEvent): Promise<Result<{ readonly duplicate: boolean }>>
  /** Tells the sender's chat why the event is refused, in the kernel's words. Idempotent by id. */
  refuse(notice: { readonly id: string; readonly code: ReasonCode }): Promise<unknown>
  /** Carries out a tap on a card, once. */
  settle(tap: CheckedTap): Promise<Result<TapAnswer>>
}

/**
 * `again`: not accepted; the service should deliver the event again. Other cases: accepted, or finally
 * refused with `code`.
 */
export type Taken =
  | { readonly what: 'again'; readonly reason: Refusal }
  | { readonly what: 'taken'; readonly duplicate: boolean }
  | { readonly what: 'refused'; readonly code: ReasonCode }

/** `isOwners`: the sender is the owner. Only the owner is told the reason. */
export async function takeMessage(
  ports: Pick<InboxPorts, 'receive' | 'refuse'>,
  input: { readonly channel: string; readonly event: InboundEvent; readonly isOwners: boolean },
): Promise<Taken> {
  const { channel, event, isOwners } = input
  const received = await ports.receive(event)
  if (received.ok) return { what: 'taken', duplicate: received.value.duplicate }
  const { reason } = received
  if (AGAIN.includes(reason.code)) return { what: 'again', reason }
  if (isOwners) await ports.refuse({ id: `${channel}:${event.id}`, code: reason.code })
  return { what: 'refused', code: reason.code }
}

/** A tap of the owner in the owner's chat. The package drops any other tap. */
export interface OwnersTap<Id extends Called = Called> {
  readonly chat: Id
  readonly message: Id
  /** Callback data of the button. */
  readonly data: string
  /** False when the message with the button is a copy of the bot's message. */
  readonly original: boolean
}

/**
 * `words`: shown to the person who tapped; `late` when the question was over before. `button`: null for a
 * button that was not made here.
 */
export type Tapped = { readonly button: string | null } & (
  | { readonly what: 'again'; readonly reason: Refusal }
  | { readonly what: 'said' | 'late'; readonly words: string }
  | { readonly what: 'refused'; readonly code: ReasonCode; readonly words: string }
)

/** `key`: key of the buttons' MAC. */
export async function takeTap(
  { settle }: Pick<InboxPorts, 'settle'>,
  { channel, key, tap }: { readonly channel: string; readonly key: Uint8Array; readonly tap: OwnersTap },
): Promise<Tapped> {
  const { chat, message, data, original } = tap
  const button = original ? buttonIdIn(key, { channel, chat }, data) : null
  const settled = button === null ? err('approval_unknown') : await settle({ button, chat, message })
  if (settled.ok) {
    const { what, words } = settled.value
    return { button, what: what === 'late' ? 'late' : 'said', words }
  }
  const { reason } = settled
  if (AGAIN.includes(reason.code)) return { button, what: 'again', reason }
  return { button, what: 'refused', code: reason.code, words: wordsFor(reason.code) }
}
