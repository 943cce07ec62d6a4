/**
 * Where a place that has no chat with the owner in this namespace puts a question to him: whether a time suits somebody who asks
 * for it (F-02, F-18). Must not carry a word of that person's own. Implemented at the edge, called by the pipeline.
 */
import type { Result } from '../../flow/verdict.ts'
import type { EventSource } from '../../task/event.ts'

export interface OwnerQuestion {
  /** Of the asking side's approval: the same twice is one question. */
  readonly id: string
  /** Who asks, as a principal. */
  readonly asker: string
  /** Who that is, in kernel words around what his channel calls him. */
  readonly called: string
  /** `<from>/<to>`, two instants. */
  readonly period: string
  /** Epoch milliseconds: silence until then is *no*. */
  readonly until: number
}

/** What the owner said to one. */
export interface GivenWord {
  readonly id: string
  readonly asker: string
  readonly decision: 'approve' | 'deny'
}

export interface OwnerDeskPort {
  /** The owner's sink here: what may not be shown there is not asked. */
  readonly sink: string
  /** Somebody wrote, under this name. */
  heard(source: EventSource): void
  /** Whether he may ask once more today. Refusal: grant_budget_spent. */
  admits(): Promise<Result<true>>
  /** Durable when it resolves. Refusals: approvals_many where too much waits for him; remote_unavailable, which may pass. */
  put(question: Omit<OwnerQuestion, 'called'>): Promise<Result<true>>
}
