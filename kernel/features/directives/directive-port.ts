/**
 * The port to kept directive files: versions of sealed text, and drafts that wait for a yes. Synchronous, and on the
 * connection of `Store`, so that a change and the decision that makes it are one transaction. Implemented at home alone.
 */

import type { SealedRow } from '../../powers/sealed-port.ts'
import type { SealedRef } from '../../task/task.ts'

/** One version of one file. */
export interface KeptDirective {
  /** A standard file's name, or a random id: the names of the owner's own files are inside the seal. */
  readonly file: string
  /** From 1, by file. */
  readonly version: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly ref: SealedRef
  readonly row: SealedRow
}

/** `until` (epoch ms): when nobody can say yes to it any more. */
export type DraftDirective = Omit<KeptDirective, 'version'> & { readonly until: number }

export interface DirectiveStore {
  /** Rises with every version that is kept, and never falls: what was built from the files is good for one value of it. */
  version(): number
  /** The newest version of each file, in the order in which the files came to be. */
  current(): readonly KeptDirective[]
  /** Newest first. */
  history(file: string): readonly KeptDirective[]
  /** The next version of its file; false when that is not `replaces` + 1, so that no write overtakes another. */
  keep(row: Omit<KeptDirective, 'version'>, replaces: number): boolean
  putDraft(draft: DraftDirective): void
  /** The draft becomes the next version of its file; false as above, or when it is no longer there. */
  adopt(
    change: { readonly file: string; readonly draft: string; readonly replaces: number },
    at: number,
  ): boolean
  dropDraft(draft: string): void
  /** Deletes versions by file, and drafts whose time is over. */
  drop(versions: readonly Pick<KeptDirective, 'file' | 'version'>[], now: number): void
  /** The nearest end of a draft (epoch ms); null when there is none. */
  nextDraftEnd(): number | null
}
