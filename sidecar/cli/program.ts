/**
 * The `pfar` command line: names, arguments and options, nothing else. Must not do any command's work. Called by
 * main.ts.
 */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { approvalsCommand, decideCommand } from './approvals-command.ts'
import { askCommand } from './ask-command.ts'
import { addBackup } from './backup-program.ts'
import { chatCommand } from './chat-command.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { devicesCommand, firstCodeCommand, pairCommand } from './devices-command.ts'
import { addKey } from './key-program.ts'
import type { Decision, Line } from './link.ts'
import { lockCommand } from './lock-command.ts'
import { addMemory } from './memory-program.ts'
import { addSecret } from './secret-program.ts'
import { statusCommand } from './status-command.ts'

/** Seconds: an answer that takes longer waits in the chat. */
const DEFAULT_TIMEOUT_SECONDS = 120
const LONGEST_TIMEOUT_SECONDS = 86_400

interface LineOption {
  readonly line: Line
}

interface AnswerOptions extends LineOption {
  readonly json: boolean
  readonly timeout: number
}

/** Runs one command line (without `node` and the script). Exit code 2 is wrong usage. */
export async function runProgram(context: CommandContext, args: readonly string[]): Promise<ExitCode> {
  let exit: ExitCode = 0
  const program = createProgram(context, (code) => {
    exit = code
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}

function createProgram(context: CommandContext, done: (code: ExitCode) => void): Command {
  const program = new Command('pfar')
    .description('Talk to your PFAR.')
    .exitOverride()
    .showHelpAfterError('(pfar --help lists the commands)')
    .configureOutput({
      writeOut: (text) => context.screen.out(text.trimEnd()),
      writeErr: (text) => context.screen.err(text.trimEnd()),
    })

  answering(program.command('ask').argument('<message...>', 'what you would say'))
    .description('say one message and print the answer')
    .action(async (words: string[], options: AnswerOptions) =>
      done(await askCommand(context, words.join(' '), options)),
    )
  onLineOption(program.command('chat'))
    .description('talk in this terminal')
    .action(async ({ line }: LineOption) => done(await chatCommand(context, line)))
  program
    .command('status')
    .description('what runs where')
    .option('--json', 'one JSON document', false)
    .action(async ({ json }: { json: boolean }) => done(await statusCommand(context, json)))
  addApprovals(program, context, done)
  addBackup(program, context, done)
  addKey(program, context, done)
  addDevices(program, context, done)
  addLock(program, context, done)
  addMemory(program, context, done)
  addSecret(program, context, done)
  return program
}

function addDevices(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('pair')
    .argument('<edge>', 'its address', nonEmpty)
    .argument('<code>', 'from `pfar devices add`', nonEmpty)
    .description('pair this home with an edge, by a one-time code')
    .action(async (edge: string, code: string) => done(await pairCommand(context, edge, code)))
  const devices = program.command('devices').description('who may speak as you at the edge')
  const edgeOf = ({ edge }: { edge?: string }) => edge ?? null
  const EDGE = ['--edge <address>', 'the edge; the configured one unless said'] as const
  devices
    .command('list', { isDefault: true })
    .description('the devices that are enrolled')
    .option(...EDGE)
    .action(async (options: { edge?: string }) =>
      done(await devicesCommand(context, { do: 'list' }, edgeOf(options))),
    )
  devices
    .command('add')
    .description('a one-time code for one more device')
    .option(...EDGE)
    .option('--first', 'for an edge that has no device yet', false)
    .action(async (options: { edge?: string; first: boolean }) =>
      done(
        options.first
          ? firstCodeCommand(context)
          : await devicesCommand(context, { do: 'add' }, edgeOf(options)),
      ),
    )
  devices
    .command('revoke')
    .argument('<id>', 'from `pfar devices`', nonEmpty)
    .description('take a device off, and close its connection')
    .option(...EDGE)
    .action(async (id: string, options: { edge?: string }) =>
      done(await devicesCommand(context, { do: 'revoke', id }, edgeOf(options))),
    )
}

function addApprovals(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  onLineOption(program.command('approvals').argument('[list]', 'the same', oneOf('list')))
    .description('what waits for your yes or no')
    .option('--json', 'one JSON document', false)
    .action(async (_list: unknown, options: AnswerOptions) => done(await approvalsCommand(context, options)))
  const decisions: readonly (readonly [Decision, string])[] = [
    ['approve', 'go ahead with what waits'],
    ['deny', 'refuse what waits'],
  ]
  for (const [decision, description] of decisions) {
    answering(program.command(decision).argument('<which>', 'id, or number in the list', nonEmpty))
      .description(description)
      .action(async (which: string, options: AnswerOptions) =>
        done(await decideCommand(context, { ...options, which, decision })),
      )
  }
}

function addLock(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  onLineOption(program.command('lock'))
    .description('have the edge forget its keys and take nothing in')
    .action(async ({ line }: LineOption) => done(await lockCommand(context, { line, locked: true })))
  onLineOption(program.command('unlock'))
    .description('let the edge work again; from home only')
    .action(async ({ line }: LineOption) => done(await lockCommand(context, { line, locked: false })))
}

function answering(command: Command): Command {
  return onLineOption(command)
    .option('--json', 'print the task as one JSON document', false)
    .option('--timeout <seconds>', 'how long to wait for the answer', seconds, DEFAULT_TIMEOUT_SECONDS)
}

function onLineOption(command: Command): Command {
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

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give an id or a number.')
  return text.trim()
}

function oneOf(word: string): (text: string) => string {
  return (text) => {
    if (text !== word) throw new InvalidArgumentError(`Only "${word}" can stand here.`)
    return text
  }
}
