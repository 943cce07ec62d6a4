/**
 * Store of pairing agreements (B-04): ids and digests as a document, names sealed beside it. Types only. Part of
 * `Store`.
 */
import type { Agreement } from '../../task/agreement.ts'
import type { SealedRef } from '../../task/task.ts'

/** An agreement, with the sealed names of the person: the owner's name for them, and the channel's. */
export interface StoredAgreement {
  readonly agreement: Agreement
  readonly who: SealedRef | null
}

export interface AgreementStore {
  /** Inserts or updates it; null leaves the sealed names unchanged. */
  saveAgreement(agreement: Agreement, who: SealedRef | null): void
  /** All, oldest first, including ended ones. */
  agreements(): readonly StoredAgreement[]
}
