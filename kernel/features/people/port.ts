/**
 * What an operation may do about paired people (B-04), and how one is seen by the owner. Types only. Called by the operations on people.
 */
import type { Result } from '../../flow/verdict.ts'
import type { AgreementState } from '../../task/agreement.ts'
import type { Proposer } from '../approvals/port.ts'

export interface InvitationRequest {
  /** What the owner calls that person. */
  readonly name: string
  /** Templates of the class `paired`, by id. */
  readonly templates: readonly string[]
  /** Until the code is worth nothing. */
  readonly hours: number
  /** Until the agreement ends. */
  readonly days: number
}

/** The code is told once; what is kept is none. It is good once the owner has said yes to `approval`. */
export interface Invited {
  readonly agreement: string
  readonly approval: string
  /** What the other person sends, as a message of its own. */
  readonly say: string
  /** Epoch milliseconds. */
  readonly openUntil: number
}

export interface PersonView {
  readonly id: string
  readonly state: AgreementState
  readonly name: string
  /** What their channel calls them, chosen by themselves; empty before they came. */
  readonly handle: string
  readonly principal: string | null
  readonly sink: string | null
  readonly templates: readonly string[]
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly openUntil: number
  readonly expiresAt: number
}

export interface Dismissed {
  readonly agreement: string
  /** False where nobody had come yet. */
  readonly wasLive: boolean
}

export interface PeoplePort {
  list(): Promise<readonly PersonView[]>
  /**
   * Refusals: approval_wrong_principal; approval_place_too_low; field_malformed; template_none_matches for a template that is not
   * for paired people; those of the card's delivery.
   */
  invite(proposer: Proposer, asked: InvitationRequest): Promise<Result<Invited>>
  /** At once, here and at the edge; nothing is asked, as it widens nothing. Refusals: approval_wrong_principal; agreement_unknown. */
  revoke(id: string, principal: string): Promise<Result<Dismissed>>
}
