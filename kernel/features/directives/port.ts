/**
 * What an operation may do with directive files (O-09 – O-13), how one is shown to its owner, and their store: versions
 * of sealed text, and drafts that wait for approval. The store is synchronous and on the connection of `Store`, so that
 * a change and its decision share one transaction; at home only. Types only.
 */
import type { BudgetWarning, Warning } from '../../directives/change.ts'
import type { Mode } from '../../directives/mode.ts'
import type { Ownership } from '../../directives/ownership.ts'
import type { Result } from '../../flow/verdict.ts'
import type { SealedRow } from '../../powers/sealed-port.ts'
import type { SealedRef } from '../../task/task.ts'
import type { Asking } from '../memory/port.ts'

export interface FileView {
  readonly name: string
  readonly kind: Ownership['kind']
  readonly owns: string
  readonly mode: Mode
  readonly version: number
  /** Epoch milliseconds. */
  readonly at: number
  /** UTF-16 units of the text in a prompt, and the recommended limit. */
  readonly size: number
  readonly budget: number
  readonly warnings: readonly (Warning | BudgetWarning)[]
}

export interface VersionView {
  readonly name: string
  readonly version: number
  readonly at: number
  readonly text: string
}

/** Result of a write. */
export interface Written {
  /** The version in force; null while the approval is pending. */
  readonly version: number | null
  readonly approval: string | null
  readonly warnings: readonly (Warning | BudgetWarning)[]
  /** Files that already contain one of the new lines and keep it (O-05, O-54). */
  readonly keptBy: readonly string[]
}

export interface Edit {
  readonly name: string
  readonly text: string
  /** Version that was edited; 0 for a new file. */
  readonly replaces: number
  /** Lines may be removed. */
  readonly cleanup: boolean
  /** Id of the message that contains the request. */
  readonly message: string
}

export interface DirectivesPort {
  list(asking: Asking): Promise<readonly FileView[]>
  /** The newest version, or an earlier one. Refusals: directive_name, directive_unknown; those of the sink. */
  show(asking: Asking, name: string, version: number | null): Promise<Result<VersionView>>
  /** Newest first, with their texts. Refusals as above. */
  history(asking: Asking, name: string): Promise<Result<readonly VersionView[]>>
  /**
   * Refusals: as above; those of `checkChange` and `propose`; record_stale when another write came first;
   * secret_pasted.
   */
  edit(asking: Asking, edit: Edit): Promise<Result<Written>>
  /** Stores an earlier text as a new version. Refusals as above. */
  restore(
    asking: Asking,
    back: Omit<Edit, 'text' | 'replaces' | 'cleanup'> & { readonly version: number },
  ): Promise<Result<Written>>
}

/** One version of one file. */
export interface StoredDirective {
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
type DraftDirective = Omit<StoredDirective, 'version'> & { readonly until: number }

export interface DirectiveStore {
  /** Increases with every stored version and never decreases; a cache built from the files is valid for one value. */
  version(): number
  /** The newest version of each file, in order of creation. */
  current(): readonly StoredDirective[]
  /** Newest first. */
  history(file: string): readonly StoredDirective[]
  /** Stores the next version of its file; false unless that is `replaces` + 1, so that concurrent writes are not lost. */
  keep(row: Omit<StoredDirective, 'version'>, replaces: number): boolean
  putDraft(draft: DraftDirective): void
  /** Turns the draft into the next version of its file; false as above, or when the draft no longer exists. */
  adopt(
    change: { readonly file: string; readonly draft: string; readonly replaces: number },
    at: number,
  ): boolean
  dropDraft(draft: string): void
  /** Deletes the given versions and all expired drafts. */
  drop(versions: readonly Pick<StoredDirective, 'file' | 'version'>[], now: number): void
  /** Earliest expiry of a draft (epoch ms); null when there is none. */
  nextDraftEnd(): number | null
}
