/**
 * What operations may do with health data, and with the chats that may show data of a compartment. Types only. Called by the
 * operations of this folder.
 */
import type { Result } from '../../flow/verdict.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'

/** Implemented by home, which stores the data. */
export interface HealthDataPort {
  /** The last day with data, as a date. Refusals: health_none, record_unreadable. */
  through(): Promise<Result<string>>
  /** Deletes all of it; returns how many months there were. */
  forget(): number
}

export interface CompartmentsPort {
  /**
   * Sends an approval card. `chat`: the name of a service, or a sink. Refusals: sink_unknown if no chat of the owner at home has
   * that name, nothing_found if the chat may show it already, and those of a proposal.
   */
  allow(proposer: Proposer, chat: string, compartment: string): Promise<Result<Proposed>>
  /** Effective at once, because it widens nothing. Refusals: sink_unknown, grant_missing, approval_wrong_principal. */
  withdraw(principal: string, chat: string, compartment: string): Promise<Result<{ readonly grant: string }>>
  /** The owner's names for the chats that may show it. */
  chats(compartment: string): readonly string[]
}
