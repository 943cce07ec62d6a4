/**
 * Paired people (B-04): what an operation may do with them, how one is shown to the owner, and the store of agreements,
 * which holds ids and digests, with names sealed beside them. Types only.
 */
import type { Result } from '../../flow/verdict.ts'
import type { Agreement, AgreementState } from '../../task/agreement.ts'
import type { SealedRef } from '../../task/task.ts'
import type { Proposer } from '../approvals/port.ts'
import type { SettingReader } from '../quiet/port.ts'

export interface InvitationRequest {
  /** The owner's name for that person. */
  readonly name: string
  /** More people of the same card, each with a code of their own. */
  readonly others?: readonly string[]
  /** Templates of the class `paired`, by id. */
  readonly templates: readonly string[]
  /** Hours until the code expires. */
  readonly hours: number
  /** Days until the agreement ends. */
  readonly days: number
}

/** The code is shown once and not stored. It becomes valid when the owner approves `approval`. */
export interface Invited {
  readonly agreement: string
  readonly approval: string
  /** Text that the other person sends, as a separate message. */
  readonly say: string
  /** Epoch milliseconds. */
  readonly openUntil: number
  /** All people of one card, including the first; empty for a card about one person. */
  readonly each: readonly { readonly agreement: string; readonly name: string; readonly say: string }[]
}

export interface PersonView {
  readonly id: string
  readonly state: AgreementState
  readonly name: string
  /** Name shown by their channel, chosen by themselves; empty before they came. */
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
  /** False when nobody had come yet. */
  readonly wasLive: boolean
}

export interface PeoplePort {
  list(): Promise<readonly PersonView[]>
  /**
   * Refusals: approval_wrong_principal; approval_place_too_low; field_malformed; template_none_matches for a template
   * that is not for paired people; those of the card's delivery.
   */
  invite(proposer: Proposer, asked: InvitationRequest): Promise<Result<Invited>>
  /**
   * Effective at once, here and at the edge, without approval, because it widens nothing. `id`: that of an agreement, or of all
   * agreements of one card (`wholeCard`). Refusals: approval_wrong_principal; agreement_unknown.
   */
  revoke(id: string, principal: string): Promise<Result<Dismissed>>
}

/** An agreement, with the sealed names of the person: the owner's name for them, and the channel's. */
export interface StoredAgreement {
  readonly agreement: Agreement
  readonly who: SealedRef | null
}

/** Includes the settings, which record which requests of others are switched off. */
export interface AgreementStore extends SettingReader {
  /** Inserts or updates it; null leaves the sealed names unchanged. */
  saveAgreement(agreement: Agreement, who: SealedRef | null): void
  /** All, oldest first, including ended ones. */
  agreements(): readonly StoredAgreement[]
}
