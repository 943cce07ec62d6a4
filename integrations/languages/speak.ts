/**
 * Chooses the language of an installation: loads its table, once, and hands it to the kernel. Called by each place, and by the command
 * line, where they learn of it.
 */
import { chooseLanguage, languageNow, type Translation } from '../../kernel/wording/language.ts'
import { DEFAULT_LANGUAGE, type Language, type OtherLanguage } from '../../kernel/wording/languages.ts'
import { TABLES } from './tables.ts'

const loaded = new Map<OtherLanguage, Translation>()

/** Never throws: a table that cannot be loaded leaves English, in which everything can be said. */
export async function speak(language: Language): Promise<void> {
  if (language === languageNow()) return
  if (language === DEFAULT_LANGUAGE || language === 'en') return chooseLanguage(DEFAULT_LANGUAGE, null)
  try {
    const words = loaded.get(language) ?? (await TABLES[language]())
    loaded.set(language, words)
    chooseLanguage(language, words)
  } catch {
    chooseLanguage(DEFAULT_LANGUAGE, null)
  }
}
