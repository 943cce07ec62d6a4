/**
 * What an operation may do with directive files (O-09 – O-13), and how one is shown to its owner. Types only. Called
 * by the operations on directive files.
 */
import type { Warning } from '../../directives/activation.ts'
import type { BudgetWarning } from '../../directives/change.ts'
import type { Mode } from '../../directives/mode.ts'
import type { Ownership } from '../../directives/ownership.ts'
import type { Result } from '../../flow/verdict.ts'
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

export interface DirectiveDesk {
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
