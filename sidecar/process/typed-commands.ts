/**
 * Rewrites commands in a text for the owner to the form that works here: through npm in a checkout, by name if `pfar` is
 * installed. Must not change anything else. Called by pfar.ts and the start script for the terminal, by wiring.ts for home's
 * chats, and by the edge.
 */
import { CHANNELS } from '../../integrations/channels/index.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { typedByNpm } from '../../kernel/operations/typed-commands.ts'
import { isOnPath } from './installed-parts.ts'

/** First words of local commands, as data, because this file loads none of them. typed-commands.test.ts checks the list. */
export const LOCAL_WORDS =
  'ask audit backup brain channel chat connect context deploy devices doctor health http init key mode model pair pause recover restore resume search secret service status uninstall'.split(
    ' ',
  )

const FIRST_WORDS: ReadonlySet<string> = new Set([
  ...OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases].map(([word = '']) => word)),
  ...LOCAL_WORDS,
  '--help',
  ...CHANNELS.map(({ name }) => name),
])

type Environment = Readonly<Record<string, string | undefined>>

/** npm names the script that it runs. Only a start through npm has a folder in which npm finds `pfar`. */
const BY_NPM: readonly string[] = ['pfar', 'start', 'dev']
/** Environment variable with the name of npm's script; passed on to the home that is started. */
export const NPM_SCRIPT = 'npm_lifecycle_event'

/** The npm script that started this process; null if none did, because npm then finds no `pfar` for the owner. */
export function npmScript(environment: Environment): string | null {
  const script = environment[NPM_SCRIPT]
  return script !== undefined && BY_NPM.includes(script) && !isOnPath('pfar', environment) ? script : null
}

/** Value of the edge's binding `COMMANDS`. */
export function edgeCommands(environment: Environment): 'npm' | 'pfar' {
  return npmScript(environment) === null ? 'pfar' : 'npm'
}

/** Rewrites commands in the text; leaves JSON unchanged. */
export function asTyped(text: string, environment: Environment): string {
  if (!text.includes('pfar ') || /^\s*[{[]/.test(text) || npmScript(environment) === null) return text
  return typedByNpm(text, (word) => FIRST_WORDS.has(word))
}
