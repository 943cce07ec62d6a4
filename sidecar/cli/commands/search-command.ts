/**
 * `pfar search use brave`: writes the search engine into config.toml, and says what is still missing. Must not ask for a key: `pfar
 * connect` does. Called by local/search.ts.
 */
import { ENGINES, type EngineName, engineOf } from '../../../integrations/tools/search/engines.ts'
import { writeSearchSetting } from '../../config/config-edit.ts'
import { type CommandContext, type ExitCode, fail, said } from '../command.ts'
import { openConfig } from './opened-config.ts'

export interface EngineChoice {
  readonly engine: string
  readonly url?: string
}

export function useEngine(context: CommandContext, { engine: typed, url }: EngineChoice): ExitCode {
  const { screen } = context
  const engine = ENGINES.find((name): name is EngineName => name === typed.toLowerCase())
  if (engine === undefined) return said(context, `There is: ${ENGINES.join(', ')}.`)
  if (url !== undefined && engine !== 'searxng')
    return said(context, `${engine} has an address of its own; --url is for searxng.`)
  const opened = openConfig(context)
  if (!opened.ok) return fail(context, opened)
  const { paths } = opened.value
  if (!writeSearchSetting(paths.config, engine, url ?? null)) {
    const why =
      engine === 'searxng'
        ? 'Say where it is: --url with https, or with an address (no name) of your own network.'
        : `config.toml could not be changed. Put this into it:\n[tools.web]\nengine = "${engine}"`
    return said(context, why)
  }
  const { key } = engineOf({ engine, url: null })
  screen.out(`Searches go to ${engine}, once home is started again.`)
  if (key !== null)
    screen.out(`It needs a key: start home, then \`pfar connect ${key.credential}\`. ${key.connect.where}`)
  return 0
}
