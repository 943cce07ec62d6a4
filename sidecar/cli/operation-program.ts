/**
 * Command-line commands of the operations: each with arguments, options and help from its row in the table. Must not
 * know any particular operation. Called by program.ts.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Argument, valueTyped } from '../../kernel/operations/argument.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { groupWords } from '../../kernel/operations/words.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { type OperationOptions, operationCommand } from './commands/operation-command.ts'
import type { Line } from './line/link.ts'
import { answering, onLineOption } from './options.ts'

type Done = (code: ExitCode) => void

/** Last word of a command that may be left out. */
const USUAL = 'list'

export function addOperations(program: Command, context: CommandContext, done: Done): void {
  for (const operation of OPERATIONS) addOperation(program, context, { operation, done })
}

interface Adding {
  readonly operation: Operation
  readonly done: Done
}

/** Adds the command under its own words and under each alias. */
function addOperation(program: Command, context: CommandContext, adding: Adding): void {
  const { command, aliases } = adding.operation
  const ways = [command, ...aliases]
  const groups = [...new Set(ways.map((words) => words.slice(0, -1).join(' ')))]
  for (const group of groups) {
    const names = ways
      .filter((words) => words.slice(0, -1).join(' ') === group)
      .map((words) => words.at(-1) ?? '')
    const parent = groupOf(program, group === '' ? [] : group.split(' '))
    addNamed(parent, context, { ...adding, names })
  }
}

function addNamed(
  parent: Command,
  context: CommandContext,
  { operation, done, names }: Adding & { readonly names: readonly string[] },
): void {
  const [name = '', ...others] = names
  const command = parent.command(name, { isDefault: name === USUAL }).description(operation.summary)
  for (const alias of others) command.alias(alias)
  const entries = Object.entries(operation.args)
  for (const [key, argument] of entries) addArgument(command, key, argument)
  if (operation.follows) answering(command)
  else {
    if (!operation.each) onLineOption(command)
    command.option('--json', 'one JSON document', false)
  }
  if (operation.confirm !== null) command.option('--yes', 'do not ask', false)
  const places = entries.filter(([, { form }]) => form !== 'option')
  command.action(async (...given: readonly unknown[]) => {
    const options = command.opts<{ line?: Line; json: boolean; yes?: boolean; timeout?: number }>()
    const placed = places.map(([key, { form }], at) => [key, joined(form, given[at])] as const)
    const named = entries
      .filter(([, { form }]) => form === 'option')
      .map(([key, { flag }]) => [key, command.getOptionValue(camel(flag ?? key))] as const)
    const args = Object.fromEntries([...placed, ...named].filter(([, value]) => value !== undefined))
    const { line = 'private', json, yes = false, timeout } = options
    const asked = { operation, args, line, json, yes, ...(timeout !== undefined && { timeout }) }
    done(await operationCommand(context, asked satisfies OperationOptions))
  })
}

/** The group command of this name, created if missing. */
export function groupOf(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    const known = parent.commands.find((one) => one.name() === word)
    return known ?? parent.command(word).description(groupWords(word))
  }, program)
}

function addArgument(command: Command, name: string, argument: Argument): void {
  const { form, typed, about, initial, takes } = argument
  const flag = argument.flag ?? dashed(name)
  const read = (said: string, former: unknown): unknown => readTyped(argument, said, former)
  if (form !== 'option') {
    const shown = `${name}${form === 'rest' ? '...' : ''}`
    command.argument(initial === undefined ? `<${shown}>` : `[${shown}]`, about, read)
    return
  }
  const value = takes ?? (typed === 'count' ? 'number' : typed)
  const shape = typed === 'yes' ? `--${flag}` : `--${flag} <${value}${typed === 'list' ? '...' : ''}>`
  const option = new Option(shape, about).default(initial ?? undefined)
  command.addOption(typed === 'yes' ? option : option.argParser(read))
}

const WRONG: Readonly<Record<Argument['typed'], string>> = {
  text: 'Give an id, a name or a number.',
  list: 'Give a name.',
  yes: 'Give nothing.',
  count: 'Give a whole number.',
  days: 'Give days, such as 30d.',
  hours: 'Give hours, such as 24h.',
}

function readTyped({ typed, form, initial }: Argument, said: string, former: unknown): unknown {
  const value = valueTyped(typed, said)
  if (value === null) throw new InvalidArgumentError(WRONG[typed])
  const before = Array.isArray(former) && former !== initial ? former : []
  return form === 'rest' || typed === 'list' ? [...before, form === 'rest' ? said : value] : value
}

function joined(form: Argument['form'], value: unknown): unknown {
  return form === 'rest' && Array.isArray(value) ? value.join(' ') : value
}

/** `perDay` → `per-day`. */
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The key under which commander stores an option. */
function camel(flag: string): string {
  return dashed(flag).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
