/**
 * What an operation may do about linked accounts (F-15, F-16), and how a link is seen by the owner. Types only. Called by the operations on identities.
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
    /** Whether its code was said. */
    readonly proved: boolean
  }[]
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** What each of the two must say, in a chat of its own. Told once; what is kept is no code. */
export interface Started {
  readonly link: string
  readonly ends: readonly { readonly principal: string; readonly say: string }[]
  readonly expiresAt: number
}

export interface Removed {
  readonly link: string
  /** False where it had not come about. */
  readonly wasLive: boolean
}

export interface IdentitiesPort {
  list(): readonly LinkView[]
  /**
   * Makes the codes. Refusals: approval_wrong_principal; approval_place_too_low; principal_malformed;
   * principal_not_allowed for who cannot be linked; identity_linked.
   */
  start(proposer: Proposer, principals: readonly [string, string]): Promise<Result<Started>>
  /** At once. Refusals: approval_wrong_principal; identity_unknown. */
  remove(id: string, principal: string): Promise<Result<Removed>>
}
