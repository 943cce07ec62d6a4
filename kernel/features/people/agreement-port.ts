/** Where pairing agreements lie (B-04): ids and digests as a document, names sealed beside it. Types alone. Part of `Store`. */
import type { Agreement } from '../../task/agreement.ts'
import type { SealedRef } from '../../task/task.ts'

/** An agreement, with the sealed words that say who it is: the owner's name for him, and what his channel calls him. */
export interface StoredAgreement {
  readonly agreement: Agreement
  readonly who: SealedRef | null
}

export interface AgreementStore {
  /** New, or a change of it; null leaves the words as they are. */
  saveAgreement(agreement: Agreement, who: SealedRef | null): void
  /** All, oldest first; those that are over among them. */
  agreements(): readonly StoredAgreement[]
}
