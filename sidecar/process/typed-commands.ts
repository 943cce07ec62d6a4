/**
 * Commands in a text for the owner, as they have to be typed here: `pfar grants` of a checkout is `npm run pfar -- grants`. Must not
 * change anything but names of commands that exist. Given to screen.ts by each program, and to the sender of home's chats.
 */
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { isOnPath } from './installed-parts.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** npm names the script that it runs; only a start by npm has a folder in which npm finds `pfar`. */
const BY_NPM: readonly (string | undefined)[] = ['pfar', 'start', 'dev']
/** Variable in which npm names it; what home is started by hands it on. */
export const NPM_SCRIPT = 'npm_lifecycle_event'

/** First words of the commands that are no operations. Data, because home loads no command; typed-commands.test.ts holds it to their list. */
export const LOCAL_WORDS: readonly string[] = [
  ...[
    'ask',
    'audit',
    'backup',
    'brain',
    'channel',
    'chat',
    'connect',
    'context',
    'deploy',
    'devices',
    'doctor',
  ],
  ...[
    'health',
    'http',
    'init',
    'key',
    'mode',
    'model',
    'pair',
    'pause',
    'recover',
    'restore',
    'resume',
    'search',
  ],
  ...['secret', 'service', 'slack', 'status', 'telegram', 'uninstall'],
]

const FIRST_WORDS: ReadonlySet<string> = new Set([
  ...OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases].map(([word = '']) => word)),
  ...LOCAL_WORDS,
  '--help',
])

const COMMAND = /(?<![\w./-])pfar (-{0,2}[a-z]+)/g

/** The script by which npm started this; null where it did not, so that npm finds no `pfar` for whoever types it. */
export function npmScript(environment: Environment): string | null {
  const script = environment[NPM_SCRIPT]
  return script !== undefined && BY_NPM.includes(script) && !isOnPath('pfar', environment) ? script : null
}

/** Leaves JSON as it is. */
export function asTyped(text: string, environment: Environment): string {
  if (!text.includes('pfar ') || /^\s*[{[]/.test(text) || npmScript(environment) === null) return text
  return text.replaceAll(COMMAND, (whole, word: string) =>
    FIRST_WORDS.has(word) ? `npm run pfar -- ${word}` : whole,
  )
}
