/** Options and arguments shared by several commands. Must not do any command's work. Called by program.ts and the files in local/. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { groupWords } from '../../kernel/operations/operation.ts'
import type { Line } from './line/link.ts'

/** Seconds. A later answer appears in the chat. */
const DEFAULT_TIMEOUT_SECONDS = 120
const LONGEST_TIMEOUT_SECONDS = 86_400

export interface LineOption {
  readonly line: Line
}

export interface AnswerOptions extends LineOption {
  readonly json: boolean
  readonly timeout: number
}

export function answering(command: Command): Command {
  return onLineOption(command)
    .option('--json', 'print the task as one JSON document', false)
    .option('--timeout <seconds>', 'how long to wait for the answer', seconds, DEFAULT_TIMEOUT_SECONDS)
}

export function onLineOption(command: Command): Command {
  return command.addOption(
    new Option('--line <line>', 'private: home; open: the edge')
      .choices(['private', 'open'])
      .default('private'),
  )
}

function seconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= LONGEST_TIMEOUT_SECONDS)) {
    throw new InvalidArgumentError(`Give seconds, from 1 to ${LONGEST_TIMEOUT_SECONDS}.`)
  }
  return value
}

export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give an id or a number.')
  return text.trim()
}

/** The group command of this name, created if missing. */
export function groupOf(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    const known = parent.commands.find((one) => one.name() === word)
    return known ?? parent.command(word).description(groupWords(word))
  }, program)
}
