/** The owner's language (decision 023). Types only. */
import type { Result } from '../../flow/verdict.ts'
import type { Language } from '../../wording/languages.ts'

/** What a place gives: the configured language, and how another one is spoken from now on. */
export interface LanguageSource {
  readonly configured: Language
  /** Whether the configuration names it. Where it does not, the owner's first plain message tells it. */
  readonly named: boolean
  /** Loads the words and chooses them. Never throws; English stays where they cannot be loaded. */
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
  /** `said`: a code or a name in any language. Refusals: language_unknown; tool_unavailable where home alone sets it. */
  set(said: string): Promise<Result<LanguageChange>>
}
