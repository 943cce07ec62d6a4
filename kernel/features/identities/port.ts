/**
 * What an operation may do with linked accounts (F-15, F-16), and how a link is shown to the owner. Types only.
 * Called by the operations on identities.
 */
import type { Result } from '../../flow/verdict.ts'
import type { LinkState } from '../../task/identity-link.ts'
import type { PrincipalClass } from '../../task/principal.ts'
import type { Proposer } from '../approvals/port.ts'

export interface LinkView {
  readonly id: string
  readonly state: LinkState
  readonly ends: readonly {
    readonly principal: string
    readonly class: PrincipalClass
    /** Whether its code was received. */
    readonly proved: boolean
  }[]
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** What each of the two must send, in a chat of its own. Shown once; the code itself is not stored. */
export interface Started {
  readonly link: string
  readonly ends: readonly { readonly principal: string; readonly say: string }[]
  readonly expiresAt: number
}

export interface Removed {
  readonly link: string
  /** False when the link had not been completed. */
  readonly wasLive: boolean
}

export interface IdentitiesPort {
  list(): readonly LinkView[]
  /**
   * Makes the codes. Refusals: approval_wrong_principal; approval_place_too_low; principal_malformed;
   * principal_not_allowed for a principal that cannot be linked; identity_linked.
   */
  start(proposer: Proposer, principals: readonly [string, string]): Promise<Result<Started>>
  /** Effective at once. Refusals: approval_wrong_principal; identity_unknown. */
  remove(id: string, principal: string): Promise<Result<Removed>>
}
