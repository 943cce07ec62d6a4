/**
 * Chooses the language of an installation: loads its table once and passes it to the kernel. Called by
 * durable-objects/principal/self.ts; home uses speak-home.ts, which has more words.
 */
import { chooseLanguage, languageNow, type Translation } from '../../kernel/wording/language.ts'
import { DEFAULT_LANGUAGE, type Language, type OtherLanguage } from '../../kernel/wording/languages.ts'
import { TABLES } from './tables.ts'

/**
 * Words that only home uses, besides those of its table: sentences, and the words of operations and actions (cards, answers,
 * failures, help).
 */
export type HomeWords = {
  readonly says: Translation['says']
  readonly operations: Translation['operations']
  readonly actions: Readonly<Record<string, Partial<Translation['actions'][string]>>>
}

/**
 * Returns a function that loads and chooses a language. It never throws: if the table cannot be loaded, English, which is
 * complete, stays.
 */
export function speaking(
  load: (language: OtherLanguage) => Promise<Translation>,
): (language: Language) => Promise<void> {
  const loaded = new Map<OtherLanguage, Translation>()
  return async (language) => {
    if (language === languageNow()) return
    if (language === DEFAULT_LANGUAGE || language === 'en') return chooseLanguage(DEFAULT_LANGUAGE, null)
    try {
      const words = loaded.get(language) ?? (await load(language))
      loaded.set(language, words)
      chooseLanguage(language, words)
    } catch {
      chooseLanguage(DEFAULT_LANGUAGE, null)
    }
  }
}

export const speak = speaking((language) => TABLES[language]())
