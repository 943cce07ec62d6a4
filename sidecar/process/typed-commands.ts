/**
 * Commands in a text for the owner, as they have to be typed here: by npm in a checkout, by their name where `pfar` is installed.
 * Must not change anything else. Given to screen.ts by each program, and to the sender of home's chats.
 */
import { CHANNELS } from '../../integrations/channels/index.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { typedByNpm } from '../../kernel/operations/typed-commands.ts'
import { isOnPath } from './installed-parts.ts'

/** First words of commands that are no operations; data, as this loads none of them. typed-commands.test.ts holds it to them. */
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

/** npm names the script that it runs; only a start by npm has a folder in which npm finds `pfar`. */
const BY_NPM: readonly string[] = ['pfar', 'start', 'dev']
/** Variable in which npm names it; what home is started by hands it on. */
export const NPM_SCRIPT = 'npm_lifecycle_event'

/** The script by which npm started this; null where it did not, so that npm finds no `pfar` for whoever types it. */
export function npmScript(environment: Environment): string | null {
  const script = environment[NPM_SCRIPT]
  return script !== undefined && BY_NPM.includes(script) && !isOnPath('pfar', environment) ? script : null
}

/** Value of the edge's binding `COMMANDS`. */
export function edgeCommands(environment: Environment): 'npm' | 'pfar' {
  return npmScript(environment) === null ? 'pfar' : 'npm'
}

/** Leaves JSON as it is. */
export function asTyped(text: string, environment: Environment): string {
  if (!text.includes('pfar ') || /^\s*[{[]/.test(text) || npmScript(environment) === null) return text
  return typedByNpm(text, (word) => FIRST_WORDS.has(word))
}
