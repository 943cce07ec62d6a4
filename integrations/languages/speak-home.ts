/** The same as speak.ts with all words of every operation and action, which the edge's bundle has no room for. Called by home and by the command line. */
import type { OtherLanguage } from '../../kernel/wording/languages.ts'
import { HOME_TABLES } from './home-tables.ts'
import { speaking } from './speak.ts'
import { TABLES } from './tables.ts'

export const speak = speaking(async (language: OtherLanguage) => {
  const [words, home] = await Promise.all([TABLES[language](), HOME_TABLES[language]()])
  const actions = Object.entries(words.actions).map(
    ([id, own]) => [id, { ...own, ...home.actions[id] }] as const,
  )
  const operations = { ...words.operations, ...home.operations }
  const says = { ...words.says, ...home.says }
  return { ...words, says, operations, actions: Object.fromEntries(actions) }
})
