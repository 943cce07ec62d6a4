/**
 * Puts a question to the owner from a namespace without an owner chat: whether a time suits the person who requests
 * it (F-02, F-18). Must not include any text of that person. Implemented at the edge; called by the pipeline.
 */
import type { Result } from '../../flow/verdict.ts'
import type { EventSource } from '../../task/event.ts'

export interface OwnerQuestion {
  /** Id of the approval on the asking side; the same id is the same question. */
  readonly id: string
  /** Principal who asks. */
  readonly asker: string
  /** Description of that person: kernel words around their channel name. */
  readonly called: string
  /** `<from>/<to>`, two instants. */
  readonly period: string
  /** Epoch milliseconds; no answer until then counts as a denial. */
  readonly until: number
}

/** The owner's answer to one question. */
export interface OwnerAnswer {
  readonly id: string
  readonly asker: string
  readonly decision: 'approve' | 'deny'
}

export interface OwnerServicePort {
  /** The owner's sink here: a question that may not be shown there is not asked. */
  readonly sink: string
  /** Records that somebody wrote, with their channel name. */
  recordSender(source: EventSource): void
  /** Whether this person may ask once more today. Refusal: grant_budget_spent. */
  admits(): Promise<Result<true>>
  /**
   * Durable when it resolves. Refusals: approvals_many when too many questions wait for the owner;
   * remote_unavailable, which is temporary.
   */
  put(question: Omit<OwnerQuestion, 'called'>): Promise<Result<true>>
}
