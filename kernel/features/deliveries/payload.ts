/**
 * The input of the egress step: a payload, a notice in kernel words, and the guarded text of a reply, so that the bytes
 * on the card, in the digest, in the token and in the message are identical (invariant 6). Must not release or send.
 * Called by deliver.ts, resolve.ts and by every module that delivers.
 */

import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, provenanceOf, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Delivery } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ReasonCode } from '../../reasons.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef, Task } from '../../task/task.ts'
import { tellAnswer } from '../../wording/guard/answer.ts'
import { type GuardPorts, guardFor } from '../../wording/guard/guard.ts'
import { USUAL_ANSWER } from '../../wording/output.ts'
import { wordsFor } from '../../wording/words.ts'

export interface Payload {
  /** Stable per delivery: sending it again replaces it. */
  readonly id: string
  readonly kind: Delivery['kind']
  readonly text: Labeled<string>
  readonly approval: string | null
  readonly buttons?: Delivery['buttons']
  readonly offers?: Delivery['offers']
  /** Reference to the sealed text, if it is stored already; otherwise the outbox keeps its own copy. */
  readonly stored?: SealedRef
  /** Epoch milliseconds after which the text is useless; null keeps it until it is acknowledged. */
  readonly until?: number | null
  /**
   * Edits a delivery that is in its chat already. The outbox row is written after the chat accepted the edit, so a
   * crash in between loses nothing.
   */
  readonly changes?: true
}

/** What happens when the chat cannot be reached: refuse, queue, or queue without an attempt (waiting-line.ts). */
export type Patience = 'once' | 'waits' | 'behind'

export interface Notice {
  /** Stable per notice: sending it again has no effect. */
  readonly id: string
  readonly sink: string
  readonly principal: string
  readonly code: ReasonCode
  /** Kernel words that replace the sentence of the reason code. */
  readonly words?: string
  /** A text with a label of its own, in place of all kernel words. */
  readonly text?: Labeled<string>
  /** Name of the tool concerned, where that is more helpful. */
  readonly about?: string | undefined
  /** Lines with names that others chose; shown as theirs, below the kernel's words. */
  readonly names?: readonly string[] | undefined
  readonly offers?: Delivery['offers']
  readonly changes?: Payload['changes']
  /** `waits` unless given. */
  readonly patience?: Patience
}

export function noticeOf(notice: Omit<Notice, 'sink' | 'principal'>): Payload {
  const { id, code, about, names = [], words = wordsFor(code), offers, changes } = notice
  const more = { ...(offers && { offers }), ...(changes && { changes }) }
  if (notice.text !== undefined) return { id, kind: 'notice', text: notice.text, approval: null, ...more }
  const own = receive(about === undefined ? words : `${about}: ${words}`, kernelWords())
  const theirs = receive(names.join('\n'), provenanceOf('third_party_message', 'handle'))
  const text = names.length === 0 ? own : combine([own, theirs], (lines) => lines.join('\n'))
  return { id, kind: 'notice', text, approval: null }
}

/**
 * Marks a text to the owner that only code made (`Delivery.own`): kernel words, and answers of operations except those that show
 * a card. Text that a model wrote, or that somebody approved, is not marked.
 */
export function ownIf(
  { kind, principal }: Pick<Delivery, 'kind' | 'principal'>,
  { taint: { level, origins } }: Labeled,
): Pick<Delivery, 'own'> {
  const isCodes =
    kind !== 'card' &&
    level === 'clean' &&
    (origins.join() === 'kernel' || origins.some((one) => /^operation:(?!approvals\.)/.test(one)))
  return isCodes && principal === OWNER_PRINCIPAL ? { own: true } : {}
}

/**
 * Keeps links from the owner's own message; removes any other, which the text's author invented, including links that
 * a stranger wrote. Raw text is marked as not the assistant's own words, and the owner reads it before it is sent.
 * Refusal: answer_empty when nothing may remain.
 */
export async function guardReply(
  powers: GuardPorts & SealedReading,
  task: Task,
  { text, cut }: { readonly text: Labeled; readonly cut: boolean },
): Promise<Result<Labeled>> {
  const words = task.words.taint.level === 'clean' ? await openTextOf(powers, task.words) : null
  const said: readonly Labeled[] = words?.ok === true ? [words.value] : []
  const isOthers = text.taint.level === 'raw'
  const judged = guardFor(powers, task, { looksBack: false })
  const guarded = combine<Json, Json>([text, ...said], ([reply, ...read]) =>
    typeof reply === 'string'
      ? tellAnswer(reply, { ...judged, read, others: isOthers ? [reply] : [] }, cut, USUAL_ANSWER)
      : (reply ?? null),
  )
  return test(guarded, (inner) => inner === '') ? err('answer_empty') : ok(guarded)
}
