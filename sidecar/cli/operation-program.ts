/**
 * The commands that are operations: each from its row in the table, with its arguments, options and help. Must not know any single one.
 * Called by program.ts.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Argument, valueTyped } from '../../kernel/operations/argument.ts'
import { GROUPS, OPERATIONS } from '../../kernel/operations/index.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import type { CommandContext, ExitCode } from './command.ts'
import type { Line } from './link.ts'
import { type OperationOptions, operationCommand } from './operation-command.ts'
import { onLineOption } from './options.ts'

type Done = (code: ExitCode) => void

/** The last word of a command that stands for its group alone. */
const USUAL = 'list'

export function addOperations(program: Command, context: CommandContext, done: Done): void {
  for (const operation of OPERATIONS) addOperation(program, context, { operation, done })
}

function addOperation(
  program: Command,
  context: CommandContext,
  { operation, done }: { readonly operation: Operation; readonly done: Done },
): void {
  const [words = [], ...others] = [operation.command, ...operation.aliases]
  const [last = ''] = words.slice(-1)
  const parent = groupOf(program, words.slice(0, -1))
  const command = parent.command(last, { isDefault: last === USUAL }).description(operation.summary)
  for (const alias of others) command.alias(alias.at(-1) ?? '')
  const entries = Object.entries(operation.args)
  for (const [name, argument] of entries) addArgument(command, name, argument)
  if (!operation.each) onLineOption(command)
  command.option('--json', 'one JSON document', false)
  if (operation.confirm !== null) command.option('--yes', 'do not ask', false)
  const places = entries.filter(([, { form }]) => form !== 'option')
  command.action(async (...given: readonly unknown[]) => {
    const options = command.opts<{ line?: Line; json: boolean; yes?: boolean }>()
    const placed = places.map(([name, { form }], at) => [name, joined(form, given[at])] as const)
    const named = entries
      .filter(([, { form }]) => form === 'option')
      .map(([name, { flag }]) => [name, command.getOptionValue(camel(flag ?? name))] as const)
    const args = Object.fromEntries([...placed, ...named].filter(([, value]) => value !== undefined))
    const { line = 'private', json, yes = false } = options
    done(await operationCommand(context, { operation, args, line, json, yes } satisfies OperationOptions))
  })
}

function groupOf(program: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    const known = parent.commands.find((one) => one.name() === word)
    return known ?? parent.command(word).description(GROUPS[word] ?? '')
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

/** As commander keeps what it read. */
function camel(flag: string): string {
  return dashed(flag).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
