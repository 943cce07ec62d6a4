/** How the owner's language is shown. Pure. Called by the operations on it. */
import { LANGUAGES, type Language, languageOf } from '../../../wording/languages.ts'

/** Its own name. */
export function languageName(code: string): string {
  const language: Language | null = languageOf(code)
  return language === null ? code : LANGUAGES[language].own
}

/** Pattern source of what people call each language. */
export const LANGUAGE_NAMES: string = Object.entries(LANGUAGES)
  .flatMap(([code, { names }]) => [...names, code])
  .join('|')

export const ALL_LANGUAGES: string = Object.values(LANGUAGES)
  .map(({ own }) => own)
  .join(', ')
