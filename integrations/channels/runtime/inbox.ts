/**
 * The one inbox of all channels: an event is taken in by the shell, which finds one that was taken before; a refusal that may be over is
 * left for the service to bring again; any other is told to the owner, once for however many times it comes (B-24 – B-26). A tap counts
 * for the owner alone, in the chat that its button was made for (F-02). Must not decide: the kernel does. Called by the lines of the
 * packages, at the place that holds the token.
 */
import { err, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { InboundEvent } from '../../../kernel/task/event.ts'
import { wordsFor } from '../../../kernel/wording/words.ts'
import { buttonIdIn } from './button.ts'
import type { CheckedTap, TapAnswer } from './cards.ts'
import type { Called } from './kept.ts'

/** Refusals that may be over when the service brings it again. Any other is final: it would hold up what comes behind it. */
const AGAIN: readonly ReasonCode[] = ['storage_failed', 'storage_full', 'edge_locked']

export interface InboxWays {
  /** Durable when it resolves. */
  receive(event: InboundEvent): Promise<Result<{ readonly duplicate: boolean }>>
  /** Says in the sender's chat why it is not taken, in the kernel's words; the same id twice is once. */
  refuse(notice: { readonly id: string; readonly code: ReasonCode }): Promise<unknown>
  /** What a tap on a card says, said once. */
  settle(tap: CheckedTap): Promise<Result<TapAnswer>>
}

/** `again`: not taken, and the service is to bring it again. `code`: why it is left alone. */
export type Taken =
  | { readonly what: 'again'; readonly reason: Refusal }
  | { readonly what: 'taken'; readonly duplicate: boolean }
  | { readonly what: 'refused'; readonly code: ReasonCode }

/** `isOwners`: nobody else is told why. */
export async function takeMessage(
  ways: Pick<InboxWays, 'receive' | 'refuse'>,
  input: { readonly channel: string; readonly event: InboundEvent; readonly isOwners: boolean },
): Promise<Taken> {
  const { channel, event, isOwners } = input
  const received = await ways.receive(event)
  if (received.ok) return { what: 'taken', duplicate: received.value.duplicate }
  const { reason } = received
  if (AGAIN.includes(reason.code)) return { what: 'again', reason }
  if (isOwners) await ways.refuse({ id: `${channel}:${event.id}`, code: reason.code })
  return { what: 'refused', code: reason.code }
}

/** The owner's own tap, in his chat: whoever else taps is for the package to leave alone. */
export interface OwnersTap<Id extends Called = Called> {
  readonly chat: Id
  readonly message: Id
  /** What was sent with the button. */
  readonly data: string
  /** False where the message with the button is a copy of the bot's. */
  readonly original: boolean
}

/** `words`: what the one who tapped is told; `late` where the question was over before. `button`: null for one that was not made here. */
export type Tapped = { readonly button: string | null } & (
  | { readonly what: 'again'; readonly reason: Refusal }
  | { readonly what: 'said' | 'late'; readonly words: string }
  | { readonly what: 'refused'; readonly code: ReasonCode; readonly words: string }
)

/** `key`: what proves that a button was made here. */
export async function takeTap(
  { settle }: Pick<InboxWays, 'settle'>,
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
