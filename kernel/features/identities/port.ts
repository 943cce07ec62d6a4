/**
 * Linked accounts (F-15, F-16): what an operation may do with them, how a link is shown to the owner and ended, and how
 * lines are read through one where each principal has its own object. Types only.
 */

import type { Provenance } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import type { LinkState } from '../../task/identity-link.ts'
import type { PrincipalClass } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
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

export interface LiveLink {
  readonly id: string
  /** Canonical principals. */
  readonly ends: readonly string[]
}

export interface LinkServicePort {
  live(): Promise<readonly LiveLink[]>
  /** Refusals: identity_unknown; home_offline when it could not be stored. */
  end(link: string): Promise<Result<unknown>>
}

/** Who asks: for which of their chats, by which template. The ceiling is looked up, never taken from the request. */
export interface Asker extends Pick<Task, 'principal' | 'sink' | 'template'> {
  /** Number of earlier turns requested. */
  readonly turns: number
}

/** One side of an earlier turn. */
export interface LinkedLine extends Provenance {
  readonly who: 'person' | 'assistant'
  readonly text: string
}

/** Requests lines of a linked principal whose rows are not here; empty when they are unavailable now. */
export type AskLinked = (principal: string, asker: Asker) => Promise<readonly LinkedLine[]>
