/**
 * The `pfar` command line: names, arguments and options, nothing else. Must not do any command's work. Called by
 * main.ts.
 */
import { Command, CommanderError } from 'commander'
import { PAUSE, RESUME } from '../../kernel/task/command.ts'
import { diskRefusal } from '../disk-refusal.ts'
import { askCommand } from './ask-command.ts'
import { addBackup } from './backup-program.ts'
import { addBrain } from './brain-program.ts'
import { addChannel } from './channel-program.ts'
import { chatCommand } from './chat-command.ts'
import { type CommandContext, type ExitCode, fail } from './command.ts'
import { type DeployOptions, deployCommand } from './deploy-command.ts'
import { devicesCommand, firstCodeCommand, pairCommand } from './devices-command.ts'
import { addKey } from './key-program.ts'
import { addOperations } from './operation-program.ts'
import { type AnswerOptions, answering, type LineOption, nonEmpty, onLineOption } from './options.ts'
import { pauseCommand } from './pause-command.ts'

import { addRecover } from './recover-program.ts'
import { addConnect, addSecret } from './secret-program.ts'
import { type ServiceRequest, serviceCommand } from './service-command.ts'
import { addDoctor, addSetup } from './setup-program.ts'
import { statusCommand } from './status-command.ts'

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
    const reason = diskRefusal(error)
    if (reason === null) throw error
    return fail(context, { ok: false, reason })
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
  answering(program.command('context'))
    .description('where the tokens of the next prompt go')
    .action(async (options: AnswerOptions) => done(await askCommand(context, '/context', options)))
  answering(program.command('mode').argument('[mode]', 'execute, build, analyze, maintain, assist or auto'))
    .description('how you are answered, from now on')
    .action(async (mode: string | undefined, options: AnswerOptions) =>
      done(await askCommand(context, mode === undefined ? '/mode' : `/mode ${mode}`, options)),
    )
  program
    .command('status')
    .description('what runs where')
    .option('--json', 'one JSON document', false)
    .action(async ({ json }: { json: boolean }) => done(await statusCommand(context, json)))
  addDoctor(program, context, done)
  program
    .command('audit')
    .description('what was done and decided')
    .command('verify')
    .description('whether every line is as it was written; fails if one is not')
    .action(async () => done(await verifyAudit(context)))
  addSetup(program, context, done)
  addOperations(program, context, done)
  addBackup(program, context, done)
  addBrain(program, context, done)
  addKey(program, context, done)
  addDevices(program, context, done)
  addPause(program, context, done)
  addSecret(program, context, done)
  addChannel(program, context, done)
  addConnect(program, context, done)
  addRecover(program, context, done)
  return program
}

/** Loaded when it is asked for: it brings the database, which no other command here needs. */
async function verifyAudit(context: CommandContext): Promise<ExitCode> {
  const { auditVerify } = await import('./audit-command.ts')
  return auditVerify(context)
}

function addDevices(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('pair')
    .argument('<edge>', 'its address', nonEmpty)
    .argument('<code>', 'from `pfar devices add`', nonEmpty)
    .description('pair this home with an edge, by a one-time code')
    .action(async (edge: string, code: string) => done(await pairCommand(context, edge, code)))
  program
    .command('deploy')
    .description('put the edge on Cloudflare, and pair this home with it')
    .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
    .option('--address <url>', 'where it answers, if that is a domain of your own', nonEmpty)
    .option('--dry-run', 'show the steps; nothing is sent', false)
    .action(async (options: DeployOptions) => done(await deployCommand(context, options)))
  const service = program.command('service').description('home as a service of systemd')
  const SERVICE = [
    ['print', 'the unit'],
    ['install', 'start home now and with this machine'],
    ['remove', 'stop it and take the unit away'],
  ] as const satisfies readonly (readonly [ServiceRequest, string])[]
  for (const [name, what] of SERVICE)
    service
      .command(name)
      .description(what)
      .action(async () => done(await serviceCommand(context, name)))
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

function addPause(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  onLineOption(program.command('pause'))
    .description('do nothing until `pfar resume`; what comes meanwhile is kept')
    .action(async ({ line }: LineOption) => done(await pauseCommand(context, line, PAUSE)))
  onLineOption(program.command('resume'))
    .description('go on; a pause that was said at home is ended there alone')
    .action(async ({ line }: LineOption) => done(await pauseCommand(context, line, RESUME)))
}
