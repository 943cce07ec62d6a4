/**
 * Commands in a text for the owner, as they have to be typed here: `pfar grants` of a checkout is `npm run pfar -- grants`. Must not
 * change anything but names of commands that exist. Given to screen.ts by each program.
 */
import { OPERATIONS } from '../../../kernel/operations/index.ts'
import { isOnPath } from '../../process/installed-parts.ts'
import { LOCAL } from '../local/index.ts'
import type { Environment } from '../state-paths.ts'

/** npm names the script that it runs; only a start by npm has a folder in which npm finds `pfar`. */
const BY_NPM: ReadonlySet<string | undefined> = new Set(['pfar', 'start', 'dev'])

const FIRST_WORDS: ReadonlySet<string> = new Set([
  ...OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases].map(([word = '']) => word)),
  ...[...LOCAL.before, ...LOCAL.behind].flatMap(({ names }) => names.map((name) => name.split(' ')[0] ?? '')),
  '--help',
])

const COMMAND = /(?<![\w./-])pfar (-{0,2}[a-z]+)/g

/** Leaves JSON as it is. */
export function asTyped(text: string, environment: Environment): string {
  if (!text.includes('pfar ') || /^\s*[{[]/.test(text)) return text
  if (!BY_NPM.has(environment['npm_lifecycle_event']) || isOnPath('pfar', environment)) return text
  return text.replaceAll(COMMAND, (whole, word: string) =>
    FIRST_WORDS.has(word) ? `npm run pfar -- ${word}` : whole,
  )
}
