/** How the owner's language is shown. Pure. Called by the operations on it. */
import { LANGUAGES, type Language, languageOf } from '../../../wording/languages.ts'

/** Name of the language in that language. */
export function languageName(code: string): string {
  const language: Language | null = languageOf(code)
  return language === null ? code : LANGUAGES[language].own
}

/** Pattern source of the names that people use for each language. */
export const LANGUAGE_NAMES: string = Object.entries(LANGUAGES)
  .flatMap(([code, { names }]) => [...names, code])
  .join('|')

export const ALL_LANGUAGES: string = Object.values(LANGUAGES)
  .map(({ own }) => own)
  .join(', ')
