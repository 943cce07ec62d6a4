/**
 * Chooses the language like speak.ts, but with the words of every operation and action, which do not fit the edge's bundle.
 * Called by sidecar/language/spoken-language.ts and sidecar/cli/commands/init-command.ts.
 */
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
