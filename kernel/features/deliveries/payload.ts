/**
 * What is handed to the egress step: a payload, and a notice as one, in kernel words. Must not open, release or send. Called by deliver.ts and
 * by whoever delivers.
 */
import { combine, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, provenanceOf, receive } from '../../flow/provenance.ts'
import type { Delivery } from '../../powers/ports.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { SealedRef } from '../../task/task.ts'
import { wordsFor } from '../../wording/words.ts'

export interface Payload {
  /** Stable per delivery: sending it again replaces it. */
  readonly id: string
  readonly kind: Delivery['kind']
  readonly text: Labeled<string>
  readonly approval: string | null
  readonly buttons?: Delivery['buttons']
  /** Where the text lies sealed already, when it does; otherwise the outbox keeps a copy of its own. */
  readonly stored?: SealedRef
  /** Epoch milliseconds after which its text is of no use to anyone; null keeps it until it was acknowledged. */
  readonly until?: number | null
  /** It changes what stands in its chat already: the outbox has it once the chat has, so that it is not lost in between. */
  readonly changes?: true
}

/** What a delivery does where its chat cannot be reached: it is refused, it waits, or it waits without a try (waiting-line.ts). */
export type Patience = 'once' | 'waits' | 'behind'

export interface Notice {
  /** Stable per notice: telling it again is telling it once. */
  readonly id: string
  readonly sink: string
  readonly principal: string
  readonly code: ReasonCode
  /** The kernel's own, in place of the code's sentence. */
  readonly words?: string
  /** Name of the tool that it is about, where that says more. */
  readonly about?: string | undefined
  /** Lines that hold names which others chose: told as theirs, and below the kernel's own words. */
  readonly names?: readonly string[] | undefined
  /** It waits, unless this says something else. */
  readonly patience?: Patience
}

export function noticeOf(notice: Omit<Notice, 'sink' | 'principal'>): Payload {
  const { id, code, about, names = [], words = wordsFor(code) } = notice
  const own = receive(about === undefined ? words : `${about}: ${words}`, kernelWords())
  const theirs = receive(names.join('\n'), provenanceOf('third_party_message', 'handle'))
  const text = names.length === 0 ? own : combine([own, theirs], (lines) => lines.join('\n'))
  return { id, kind: 'notice', text, approval: null }
}
