/** The owner's language (decision 023). Types only. */
import type { Result } from '../../flow/verdict.ts'
import type { Language } from '../../wording/languages.ts'

/** What a place provides: the configured language, and how to switch to another. */
export interface LanguageSource {
  readonly configured: Language
  /** Whether the configuration names a language. If it does not, the owner's first clear message settles it. */
  readonly named: boolean
  /** Loads the words of the language and uses them. Never throws; English stays if they cannot be loaded. */
  readonly speak: (language: Language) => Promise<void>
}

export interface Languages {
  /** Absent at the edge, which follows home. */
  readonly language?: LanguageSource
}

export interface LanguageChange {
  readonly now: Language
  readonly before: Language
}

export interface LanguagePort {
  read(): Language
  /**
   * `said`: a code, or a name in any language. Refusals: language_unknown; tool_unavailable at the edge, because only home sets
   * it.
   */
  set(said: string): Promise<Result<LanguageChange>>
}
