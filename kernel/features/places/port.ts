/**
 * What an operation may do with the places and their connections to the owner. Types only. Called by the operations
 * on places.
 */
import type { Result } from '../../flow/verdict.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'

/** One bot for both lines (DESIGN §1). */
export interface BothLinesPort {
  /**
   * Sends the approval card. Refusals: sink_unknown when the edge has no bot, those of the request to the edge, those of
   * `proposeBothLines`.
   */
  acknowledge(proposer: Proposer): Promise<Result<Proposed>>
  /** Refusal: grant_missing. */
  withdraw(principal: string): Promise<Result<{ readonly grant: string }>>
}
