/**
 * The language of the texts for people: one for an installation, the owner's (decision 023). A place sets it, with the table
 * that it loaded. Read by code that words something for a person; must not affect a digest, an id, an audit row or a prompt.
 */
import type { CardWords } from '../tool/manifest.ts'
import { DEFAULT_LANGUAGE, type Language } from './languages.ts'

/** Texts about an operation. */
interface OperationTexts {
  readonly summary: string
  readonly args?: Readonly<Record<string, string>>
  readonly takes?: Readonly<Record<string, string>>
  readonly refusals?: Readonly<Record<string, string>>
  readonly confirm?: { readonly asks: string; readonly otherwise: string }
}

/** The texts of a language other than English. Each table has the keys of the English one (scripts/tables/words.ts). */
export interface Translation {
  readonly says: Readonly<Record<string, string>>
  readonly reasons: Readonly<Record<string, string>>
  readonly groups: Readonly<Record<string, string>>
  /** By the name of the operation. */
  readonly operations: Readonly<Record<string, OperationTexts>>
  /** By action id, from the words of its tool package; read by that package's readers. */
  readonly actions: Readonly<
    Record<string, { readonly progress: string; readonly help?: string; readonly card?: CardWords }>
  >
}

interface Chosen {
  readonly language: Language
  readonly words: Translation | null
}

const ENGLISH: Chosen = Object.freeze({ language: DEFAULT_LANGUAGE, words: null })
let chosen: Chosen = ENGLISH

/** `words`: null for English alone. */
export function chooseLanguage(language: Language, words: Translation | null): void {
  chosen = words === null ? ENGLISH : { language, words }
}

export function languageNow(): Language {
  return chosen.language
}

/** The table of the chosen language; null for English. */
export function translation(): Translation | null {
  return chosen.words
}

/** Runs `make` with English texts: for what is digested, and for models. `make` must be synchronous. */
export function inEnglish<T>(make: () => T): T {
  const before = chosen
  chosen = ENGLISH
  try {
    return make()
  } finally {
    chosen = before
  }
}

/** Locale of numbers: `1,234.5` in English, `1.234,5` in German. */
export function numberLocale(): string {
  return chosen.words === null ? 'en-GB' : chosen.language
}
