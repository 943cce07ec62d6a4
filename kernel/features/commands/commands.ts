/**
 * What `/help` says about the commands of a chat (O-21). Words only; for an owner-defined command they show its
 * description. Called by own-commands.ts and the terminal chat.
 */
import type { Command } from '../../task/command.ts'

/** UTF-16 units of the longest common name with its arguments; aligns the descriptions. */
const NAME_WIDTH = 16

export const STOPPED = 'I do nothing more of what was under way.'
export const NOTHING_TO_STOP = 'There was nothing to stop here.'
export const NO_SUCH_COMMAND = 'There is no such command. /help lists those that there are.'

export function commandLines(commands: readonly Command[]): readonly string[] {
  return commands.map(({ name, takes, description }) => {
    const said = takes === undefined ? `/${name}` : `/${name} ${takes}`
    return `${said.padEnd(NAME_WIDTH - 1)} ${description}`
  })
}

export function commandsText(commands: readonly Command[]): string {
  return [...commandLines(commands), 'Or just write what you would like; "help" says what I can do.'].join(
    '\n',
  )
}
