/**
 * Declares `pfar channel`, and the older spelling under a channel's own name (`pfar <name> connect`). Loads the work on
 * demand. Listed in index.ts.
 */
import type { Command } from 'commander'
import { CHANNELS } from '../../../integrations/channels/index.ts'
import { acknowledgeBot } from '../../../kernel/features/places/operations/acknowledge.ts'
import { withdrawBot } from '../../../kernel/features/places/operations/withdraw.ts'
import type { ConnectOptions } from '../commands/channel-command.ts'
import { operationCommand } from '../commands/operation-command.ts'
import { groupOf, nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

const CONNECTABLE = CHANNELS.filter(({ needs }) => needs.length > 0)
const NAMES = CONNECTABLE.map(({ name }) => name)

const commands = () => import('../commands/channel-command.ts')

function connecting(parent: Command): Command {
  return parent
    .command('connect')
    .description('make a bot or app of yours your line; asks for its tokens')
    .option('--private', 'your private line, at home, where it could be one at the edge', false)
    .option('--allow-development-key', 'keep its tokens under the development key', false)
    .option('--edge <url>', 'the edge, if it is not the configured one', nonEmpty)
    .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
}

function leaving(parent: Command): Command {
  return parent.command('disconnect').description('end a line at home, and forget its tokens')
}

export const CHANNEL: LocalCommand = {
  names: ['channel connect', 'channel disconnect', ...NAMES],
  why: 'terminal',
  reason: 'it asks for tokens without an echo; in a chat it is said as connect',
  add(program, run) {
    const connect = (name: string, options: ConnectOptions) =>
      run(async (context) => (await commands()).connectCommand(context, name, options))
    const disconnect = (name: string) =>
      run(async (context) => (await commands()).disconnectCommand(context, name))
    const channel = groupOf(program, ['channel'])
    connecting(channel).argument('<name>', NAMES.join(' or '), nonEmpty).action(connect)
    leaving(channel).argument('<name>', NAMES.join(' or '), nonEmpty).action(disconnect)
    for (const { name, means, title, edge } of CONNECTABLE) {
      const own = program.command(name).description(`${means} at ${title}`)
      connecting(own).action((options: ConnectOptions) => connect(name, options))
      leaving(own).action(() => disconnect(name))
      if (edge === null) continue
      own
        .command('acknowledge')
        .description('let home answer you through your bot at the edge, too; needs your yes to its card')
        .option('--revoke', 'take that back, at once', false)
        .action(({ revoke }: { revoke: boolean }) => {
          const operation = revoke ? withdrawBot : acknowledgeBot
          const asked = { operation, args: {}, line: 'private', json: false, yes: false } as const
          return run((context) => operationCommand(context, asked))
        })
    }
  },
}
