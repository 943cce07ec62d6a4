/**
 * The `pfar` command line, made of two lists: operations and local commands (DESIGN §9). Must not do any command's work. Called
 * by pfar.ts.
 */

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { type Argument, valueTyped } from '../../kernel/operations/argument.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import type { Operation } from '../../kernel/operations/operation.ts'
import { speakAsHome } from '../language/spoken-language.ts'
import { diskRefusal } from '../store/storage-trouble.ts'
import { type CommandContext, type ExitCode, fail } from './command.ts'
import { inGroups } from './command-groups.ts'
import { type OperationOptions, operationCommand } from './commands/operation-command.ts'
import type { Line } from './line/link.ts'
import { LOCAL } from './local/index.ts'
import type { Run } from './local/local.ts'
import { answering, groupOf, onLineOption } from './options.ts'
import { statePaths } from './state-paths.ts'

/** Runs one command line (without `node` and the script). Exit code 2: wrong usage. */
export async function runProgram(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  await speakAsHome(statePaths(context.environment).root)
  let exit: ExitCode = 0
  const program = createProgram(context, (code) => {
    exit = code
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const reason = diskRefusal(error)
    if (reason === null) throw error
    return fail(context, { ok: false, reason })
  }
}

/** `done`: called with the exit code of the command. */
export function createProgram(context: CommandContext, done: (code: ExitCode) => void): Command {
  const program = new Command('pfar')
    .description('Talk to your PFAR.')
    .exitOverride()
    .showHelpAfterError('(pfar --help lists the commands)')
    .configureOutput({
      writeOut: (text) => context.screen.out(text.trimEnd()),
      writeErr: (text) => context.screen.err(text.trimEnd()),
    })
  const run: Run = async (work) => done(await work(context))
  for (const local of LOCAL.before) local.add(program, run)
  for (const operation of OPERATIONS) addOperation(program, operation, run)
  for (const local of LOCAL.behind) local.add(program, run)
  return inGroups(program)
}

/** Last word of a command that may be left out. */
const USUAL = 'list'

/** Adds the command of an operation under its own words and under each alias. */
function addOperation(program: Command, operation: Operation, run: Run): void {
  const ways = [operation.command, ...operation.aliases]
  const groups = Map.groupBy(ways, (words) => words.slice(0, -1).join(' '))
  for (const [group, inGroup] of groups) {
    const parent = groupOf(program, group === '' ? [] : group.split(' '))
    const names = inGroup.map((words) => words.at(-1) ?? '')
    addNamed(parent, { operation, run, names })
  }
}

interface Adding {
  readonly operation: Operation
  readonly run: Run
  readonly names: readonly string[]
}

function addNamed(parent: Command, { operation, run, names }: Adding): void {
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
    await run((context) => operationCommand(context, asked satisfies OperationOptions))
  })
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
