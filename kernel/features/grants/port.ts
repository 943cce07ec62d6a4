/**
 * What an operation may do with grants (F-12 – F-19), and how one is shown to its owner. Types only. Called by the
 * operations on grants.
 */
import type { FieldGrant, Grant } from '../../flow/grant.ts'
import type { Result } from '../../flow/verdict.ts'
import type { Lasting, Proposed, Proposer } from '../approvals/port.ts'

export interface GrantView {
  readonly id: string
  readonly kind: Grant['kind']
  /** Only in tasks of this template. */
  readonly template: string
  /** Set if the grant covers one job alone, and no other task of the template. */
  readonly job?: string
  /** Text of the card that was approved. */
  readonly card: string
  readonly state: 'live' | 'ended' | 'revoked'
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly perDay: number
}

export type FieldTerms = Pick<FieldGrant, 'template' | 'action' | 'fields' | 'daysAhead'>

export interface GrantsPort {
  list(): Promise<readonly GrantView[]>
  /** Effective at once, without approval, because it widens nothing. Refusals: approval_wrong_principal, grant_missing. */
  revoke(grant: string, principal: string): Promise<Result<{ readonly grant: string }>>
  /** Sends an approval card. Refusals: those of `proposeFields`. */
  allow(proposer: Proposer, terms: Lasting & FieldTerms): Promise<Result<Proposed>>
}
