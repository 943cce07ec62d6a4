/**
 * Chooses the language of an installation: loads its table, once, and hands it to the kernel. Called by the edge, where it learns of the
 * language; home has the words of more (speak-home.ts).
 */
import { chooseLanguage, languageNow, type Translation } from '../../kernel/wording/language.ts'
import { DEFAULT_LANGUAGE, type Language, type OtherLanguage } from '../../kernel/wording/languages.ts'
import { TABLES } from './tables.ts'

/** Sentences, and words of the operations, and of cards, answers, failures and help of the actions, that home alone says, beside those of its table. */
export type HomeWords = {
  readonly says: Translation['says']
  readonly operations: Translation['operations']
  readonly actions: Readonly<Record<string, Partial<Translation['actions'][string]>>>
}

/** Loads the words of a language. The result never throws: a table that cannot be loaded leaves English, in which everything can be said. */
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
