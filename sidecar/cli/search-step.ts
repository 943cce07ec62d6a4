/**
 * The question of `pfar init` about the search engine. It is asked once an account of the owner's is connected, an engine was
 * chosen, or `init` is run again, because searches work without it. Must not write an engine that did not answer. Called by
 * init-command.ts.
 */
import { DEFAULT_SEARCH, ENGINES, type EngineName } from '../../integrations/tools/search/engines.ts'
import { writeSearchSetting } from '../config/config-edit.ts'
import { yesIn } from '../init/answers.ts'
import { again, type Step, taken } from '../init/wizard.ts'
import { tell } from '../language/wording.ts'
import type { SetupPowers } from './commands/search-setup.ts'
import type { AskingInput } from './init-steps.ts'

export interface SearchStepInput extends AskingInput {
  /** config.toml, absolute path. */
  readonly file: string
  /** All questions were asked in an earlier run. */
  readonly isAgain: boolean
  readonly allowDevelopmentKey?: boolean
  readonly powers?: SetupPowers
}

export function searchStep(input: SearchStepInput): Step {
  const { context, config, letGo, asker, file, isAgain, allowDevelopmentKey = false, powers } = input
  const isWanted = (): boolean => {
    const { search, mail, google, calendarAccounts } = config()
    const hasAccount = mail !== null || google.account !== null || calendarAccounts.length > 0
    return isAgain || hasAccount || search.engine !== DEFAULT_SEARCH.engine
  }
  const asIs = (): string => tell('init.search_as_is', { engine: config().search.engine })
  return {
    ...{ name: 'search', title: tell('init.title_search') },
    look: async () =>
      isWanted()
        ? { state: 'due', question: tell('init.search'), usual: tell('init.names_same') }
        : { state: 'absent', says: asIs() },
    async take(answer) {
      const said = answer.trim().toLowerCase()
      if (yesIn(said) === false || said === tell('init.names_same')) return taken(asIs())
      const engine = ENGINES.find((name): name is EngineName => name === said)
      if (engine === undefined) return again(tell('init.search_wrong', { engines: ENGINES.join(', ') }))
      // Loaded on demand: it loads the secret store.
      const { setUpEngine } = await import('./commands/search-setup.ts')
      letGo()
      const chosen = await setUpEngine(context, { engine, asker, allowDevelopmentKey }, powers)
      if (chosen === null) return again(tell('init.once_more'))
      return taken(writeSearchSetting(file, engine, chosen.url) ? engine : tell('init.by_hand'))
    },
  }
}
