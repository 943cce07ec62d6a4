/**
 * Store of directive files: versions of sealed text, and drafts that wait for approval. Synchronous and on the
 * connection of `Store`, so that a change and its decision share one transaction. Implemented at home only.
 */

import type { SealedRow } from '../../powers/sealed-port.ts'
import type { SealedRef } from '../../task/task.ts'

/** One version of one file. */
export interface KeptDirective {
  /** Name of a standard file, or a random id: the names of the owner's own files are inside the seal. */
  readonly file: string
  /** From 1, per file. */
  readonly version: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly ref: SealedRef
  readonly row: SealedRow
}

/** `until` (epoch ms): when the draft's approval expires. */
export type DraftDirective = Omit<KeptDirective, 'version'> & { readonly until: number }

export interface DirectiveStore {
  /** Increases with every stored version and never decreases; a cache built from the files is valid for one value. */
  version(): number
  /** The newest version of each file, in order of creation. */
  current(): readonly KeptDirective[]
  /** Newest first. */
  history(file: string): readonly KeptDirective[]
  /** Stores the next version of its file; false unless that is `replaces` + 1, so that concurrent writes are not lost. */
  keep(row: Omit<KeptDirective, 'version'>, replaces: number): boolean
  putDraft(draft: DraftDirective): void
  /** Turns the draft into the next version of its file; false as above, or when the draft no longer exists. */
  adopt(
    change: { readonly file: string; readonly draft: string; readonly replaces: number },
    at: number,
  ): boolean
  dropDraft(draft: string): void
  /** Deletes the given versions and all expired drafts. */
  drop(versions: readonly Pick<KeptDirective, 'file' | 'version'>[], now: number): void
  /** Earliest expiry of a draft (epoch ms); null when there is none. */
  nextDraftEnd(): number | null
}
