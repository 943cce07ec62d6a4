/**
 * Declares `pfar secret …`: names, arguments and options. No option takes a value, which would be visible in the
 * shell's history and the process list. Loads the work on demand. Listed in index.ts.
 */
import { type Command, Option } from 'commander'
import { SECRET_KINDS } from '../../secrets/secret.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import type { SecretOptions } from '../commands/secret-command.ts'
import type { LocalCommand } from './local.ts'

function addSecret(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const secret = program.command('secret').description('tokens and passwords of services, kept at home')
  const add = (name: string, description: string): Command =>
    secret.command(name).description(description).option('--json', 'one JSON document', false)
  const changing = (name: string, description: string): Command =>
    add(name, description).option(
      '--allow-development-key',
      'although the master key lies in plain beside the data',
      false,
    )
  const run = async (options: SecretOptions): Promise<void> => {
    const { secretCommand } = await import('../commands/secret-command.ts')
    done(await secretCommand(context, options))
  }

  const scoped = (command: Command): Command =>
    command
      .addOption(new Option('--kind <kind>', 'what it is; a token if left out').choices([...SECRET_KINDS]))
      .option('--tool <tool...>', 'tools that may get it; those that ask for this name if left out', [])
      .option('--action <action...>', 'actions that may get it; all of the tools if left out', [])
      .option('--host <host...>', 'hosts that may get it; those that the tools declare if left out', [])

  scoped(
    changing('set', 'store a secret; asks for the value, or reads it from stdin').argument(
      '<name>',
      'such as google',
    ),
  )
    .addOption(
      new Option('--line <line>', 'open: type it at the edge, and accept it at home')
        .choices(['private', 'open'])
        .default('private'),
    )
    .action((name: string, { tool, action, host, ...options }) =>
      run({ ...options, what: 'set', name, tools: tool, actions: action, hosts: host }),
    )
  scoped(changing('accept', 'take a secret that was typed on the open line').argument('<name>'))
    .argument(
      '[check]',
      'as it was shown where the secret was typed; left out, it is tried, and the check is shown',
    )
    .action((name: string, check: string | undefined, { tool, action, host, ...options }) =>
      run({
        ...{ ...options, what: 'accept', name, check: check ?? null },
        ...{ tools: tool, actions: action, hosts: host },
      }),
    )
  add('decline', 'drop what was typed on the open line under a name')
    .argument('<name>')
    .action((name: string, options) => run({ ...options, what: 'decline', name }))
  changing('rotate', 'a new value; the present one stays until a service has accepted the new one')
    .argument('<name>')
    .action((name: string, options) => run({ ...options, what: 'rotate', name }))
  add('list', 'what there is, without the values').action((options) => run({ ...options, what: 'list' }))
  add('delete', 'delete a secret for good; asks first, and wants the word of its question')
    .argument('<name>')
    .option('--confirm <word>', 'as the question showed it')
    .action((name: string, { confirm, ...options }) =>
      run({ ...options, what: 'delete', name, check: confirm ?? null }),
    )
}

/** `pfar connect [service]`: a secret that is tested before it is stored; without a name, lists the services. */
function addConnect(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('connect')
    .argument('[service]', 'such as google; left out, what can be connected is listed')
    .description('connect a service: asks for its credential, tries it, and stores it if it works')
    .option('--allow-development-key', 'although the master key lies in plain beside the data', false)
    .action(
      async (service: string | undefined, { allowDevelopmentKey }: { allowDevelopmentKey: boolean }) => {
        const { connectCommand, listConnectable } = await import('../commands/connect-command.ts')
        done(
          await (service === undefined
            ? listConnectable(context)
            : connectCommand(context, { service, allowDevelopmentKey })),
        )
      },
    )
}

export const SECRET: LocalCommand = {
  names: ['secret'],
  why: 'terminal',
  reason: 'a value has no form but the hidden prompt and stdin',
  add: addSecret,
}

export const CONNECT: LocalCommand = {
  names: ['connect'],
  why: 'terminal',
  reason: 'a credential is asked for without an echo; in a chat it is said as connect',
  add: addConnect,
}
