/** What an operation may do with the places and how they reach their owner. Types only. Called by the operations on places. */
import type { Result } from '../../flow/verdict.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'

/** One bot for both lines (DESIGN §1). */
export interface BothLinesPort {
  /** Puts the card. Refusals: sink_unknown where the edge has no bot, those of the edge that is asked, those of `proposeBothLines`. */
  acknowledge(proposer: Proposer): Promise<Result<Proposed>>
  /** Refusal: grant_missing. */
  withdraw(principal: string): Promise<Result<{ readonly grant: string }>>
}
