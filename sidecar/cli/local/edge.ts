/** Declares `pfar pair`, `deploy`, `service` and `devices`: names, arguments and options. Must not do their work. Listed in index.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'
import { type DeployOptions, deployCommand } from '../commands/deploy-command.ts'
import { devicesCommand, firstCodeCommand, pairCommand } from '../commands/devices-command.ts'
import { type ServiceRequest, serviceCommand } from '../commands/service-command.ts'
import { nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

function addPlaces(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
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
}

function addDevices(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
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

export const PLACES: LocalCommand = {
  names: ['pair', 'deploy', 'service'],
  why: 'process',
  reason: 'it puts programs on this machine or at Cloudflare, and pairs what was not paired yet',
  add: addPlaces,
}

export const DEVICES: LocalCommand = {
  names: ['devices'],
  why: 'terminal',
  reason: 'who may speak as the owner is decided at a terminal: the edge cannot tell a line from a chat',
  add: addDevices,
}
