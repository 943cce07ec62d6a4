/**
 * Declares `pfar channel`, and the older spelling under a channel's own name (`pfar <name> connect`). Loads the work on
 * demand. Listed in index.ts.
 */
import type { Command } from 'commander'
import { CHANNELS } from '../../../integrations/channels/index.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import type { ConnectOptions } from '../commands/channel-command.ts'
import { type TransportOptions, transportCommand } from '../commands/transport-command.ts'
import { groupOf } from '../operation-program.ts'
import { nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

/** Channels that can be connected. */
const CONNECTABLE: readonly string[] = CHANNELS.flatMap(({ name, needs }) => (needs.length === 0 ? [] : name))

type Done = (code: ExitCode) => void

function addChannel(program: Command, context: CommandContext, done: Done): void {
  const channel = groupOf(program, ['channel'])
  const named = (command: Command): Command => command.argument('<name>', CONNECTABLE.join(' or '), nonEmpty)
  connecting(named(channel.command('connect'))).action(async (name: string, options: ConnectOptions) =>
    done(await connect(context, name, options)),
  )
  leaving(named(channel.command('disconnect'))).action(async (name: string) =>
    done(await disconnect(context, name)),
  )
  for (const { name, means, title, edge, needs } of CHANNELS) {
    if (needs.length === 0) continue
    const own = program.command(name).description(`${means} at ${title}`)
    connecting(own.command('connect')).action(async (options: ConnectOptions) =>
      done(await connect(context, name, options)),
    )
    leaving(own.command('disconnect')).action(async () => done(await disconnect(context, name)))
    if (edge !== null) acknowledging(own, context, done)
  }
}

function connecting(command: Command): Command {
  return command
    .description('make a bot or app of yours your line; asks for its tokens')
    .option('--private', 'your private line, at home, where it could be one at the edge', false)
    .option('--allow-development-key', 'keep its tokens under the development key', false)
    .option('--edge <url>', 'the edge, if it is not the configured one', nonEmpty)
    .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
}

function leaving(command: Command): Command {
  return command.description('end a line at home, and forget its tokens')
}

function acknowledging(parent: Command, context: CommandContext, done: Done): void {
  parent
    .command('acknowledge')
    .description('let home answer you through your bot at the edge, too; needs your yes to its card')
    .option('--revoke', 'take that back, at once', false)
    .action(async (options: TransportOptions) => done(await transportCommand(context, options)))
}

async function connect(context: CommandContext, name: string, options: ConnectOptions): Promise<ExitCode> {
  const { connectCommand } = await import('../commands/channel-command.ts')
  return connectCommand(context, name, options)
}

async function disconnect(context: CommandContext, name: string): Promise<ExitCode> {
  const { disconnectCommand } = await import('../commands/channel-command.ts')
  return disconnectCommand(context, name)
}

export const CHANNEL: LocalCommand = {
  names: ['channel connect', 'channel disconnect', ...CONNECTABLE],
  why: 'terminal',
  reason: 'it asks for tokens without an echo; in a chat it is said as connect',
  add: addChannel,
}
