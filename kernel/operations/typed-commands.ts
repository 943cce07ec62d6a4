/**
 * Commands in a text for the owner, as npm takes them: `pfar grants` of a checkout is `npm run pfar -- grants`. Must not change
 * anything but names of commands that exist. Pure. Called by the senders of both places and by what a terminal is shown.
 */
import { OPERATIONS } from './index.ts'

/** First words of commands that are no operations; data, as no place loads a command. typed-commands.test.ts holds it to them. */
export const LOCAL_WORDS =
  'ask audit backup brain channel chat connect context deploy devices doctor health http init key mode model pair pause recover restore resume search secret service status uninstall'.split(
    ' ',
  )

const FIRST_WORDS: ReadonlySet<string> = new Set([
  ...OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases].map(([word = '']) => word)),
  ...LOCAL_WORDS,
  '--help',
])

const COMMAND = /(?<![\w./-])pfar (-{0,2}[a-z]+)/g

/** `chats`: names of chat services, which are commands, too. */
export function typedByNpm(text: string, chats: readonly string[] = []): string {
  return text.replaceAll(COMMAND, (whole, word: string) =>
    FIRST_WORDS.has(word) || chats.includes(word) ? `npm run pfar -- ${word}` : whole,
  )
}
