/**
 * `pfar pair`, `devices`, `deploy` and `service`: pairs this home with an edge, manages the devices that act as the owner
 * there (T-02), declares the other two. Must not keep a code: it is shown once. Listed in index.ts.
 */

import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import type { Result } from '../../../kernel/flow/verdict.ts'
import { CODE_LENGTH, codeFrom, codeKey } from '../../../kernel/tunnel/pairing.ts'
import { createDeviceService, type DeviceService, openEdgePins, pairWithEdge } from '../../tunnel/pairing.ts'
import type { Screen } from '../chat/screen.ts'
import { terminalLine } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import { type DeployOptions, deployCommand } from '../commands/deploy-command.ts'
import { type ServiceRequest, serviceCommand } from '../commands/service-command.ts'
import { edgeOrigin, ownKey, usualEdge } from '../line/own-edge.ts'
import { nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

export const PLACES: LocalCommand = {
  names: ['pair', 'deploy', 'service'],
  why: 'process',
  reason: 'it puts programs on this machine or at Cloudflare, and pairs what was not paired yet',
  add(program, run) {
    program
      .command('pair')
      .argument('<edge>', 'its address', nonEmpty)
      .argument('<code>', 'from `pfar devices add`', nonEmpty)
      .description('pair this home with an edge, by a one-time code')
      .action((edge: string, code: string) => run((context) => pair(context, edge, code)))
    program
      .command('deploy')
      .description('put the edge on Cloudflare, and pair this home with it')
      .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
      .option('--address <url>', 'where it answers, if that is a domain of your own', nonEmpty)
      .option('--dry-run', 'show the steps; nothing is sent', false)
      .action((options: DeployOptions) => run((context) => deployCommand(context, options)))
    const service = program.command('service').description('home as a service of systemd')
    const requests: Readonly<Record<ServiceRequest, string>> = {
      print: 'the unit',
      install: 'start home now and with this machine',
      remove: 'stop it and take the unit away',
    }
    for (const request of ['print', 'install', 'remove'] as const)
      service
        .command(request)
        .description(requests[request])
        .action(() => run((context) => serviceCommand(context, request)))
  },
}

interface At {
  readonly edge?: string
}

export const DEVICES: LocalCommand = {
  names: ['devices'],
  why: 'terminal',
  reason: 'who may speak as the owner is decided at a terminal: the edge cannot tell a line from a chat',
  add(program, run) {
    const devices = program.command('devices').description('who may speak as you at the edge')
    const add = (name: string, description: string, isDefault = false): Command =>
      devices
        .command(name, { isDefault })
        .description(description)
        .option('--edge <address>', 'the edge; the configured one unless said')
    add('list', 'the devices that are enrolled', true).action((at: At) =>
      run((context) => atDevices(context, at, listDevices)),
    )
    add('add', 'a one-time code for one more device')
      .option('--first', 'for an edge that has no device yet', false)
      .action(({ first, ...at }: At & { first: boolean }) =>
        run((context) => (first ? showFirstCode(context) : atDevices(context, at, addDevice))),
      )
    add('revoke', 'take a device off, and close its connection')
      .argument('<id>', 'from `pfar devices`', nonEmpty)
      .action((id: string, at: At) =>
        run((context) => atDevices(context, at, (devices, screen) => revokeDevice(devices, screen, id))),
      )
  },
}

async function pair(context: CommandContext, edge: string, code: string): Promise<ExitCode> {
  const own = ownKey(context)
  const origin = edgeOrigin(edge)
  if (!own.ok) return fail(context, own)
  if (!origin.ok) return fail(context, origin)
  const { device, folder } = own.value
  const pins = openEdgePins(folder)
  const paired = await pairWithEdge({ edge: origin.value, code, device, pins })
  if (!paired.ok) return fail(context, paired)
  context.screen.out(`Paired with ${origin.value}. This device is ${device.id}.`)
  context.screen.out(`Home uses it with this in config.toml:\n\n[edge]\nurl = "${origin.value}"`)
  return 0
}

type DeviceWork = (devices: DeviceService, screen: Screen) => Promise<Result<unknown>>

async function atDevices(context: CommandContext, { edge }: At, work: DeviceWork): Promise<ExitCode> {
  const own = ownKey(context)
  if (!own.ok) return fail(context, own)
  const origin = edge === undefined ? usualEdge(context, own.value.paths) : edgeOrigin(edge)
  if (!origin.ok) return fail(context, origin)
  const done = await work(createDeviceService(origin.value, own.value.device), context.screen)
  return done.ok ? 0 : fail(context, done)
}

async function listDevices(devices: DeviceService, screen: Screen): Promise<Result<unknown>> {
  const found = await devices.list()
  if (!found.ok) return found
  for (const { id, asking } of found.value) screen.out(`${terminalLine(id)}${asking ? '  (this one)' : ''}`)
  return found
}

async function addDevice(devices: DeviceService, screen: Screen): Promise<Result<unknown>> {
  const code = codeFrom(randomBytes(CODE_LENGTH))
  const opened = await devices.open(code)
  if (opened.ok) screen.out(`Code for one more device, good for ten minutes: ${code}`)
  return opened
}

async function revokeDevice(devices: DeviceService, screen: Screen, id: string): Promise<Result<unknown>> {
  const revoked = await devices.revoke(id)
  if (revoked.ok) screen.out(`Revoked ${terminalLine(id)}. Its connection is closed.`)
  return revoked
}

/** No enrolled device can open a code for the first one, so the deployment does, with a Worker secret. */
function showFirstCode({ screen }: CommandContext): ExitCode {
  const code = codeFrom(randomBytes(CODE_LENGTH))
  const key = Buffer.from(codeKey(code) ?? []).toString('base64url')
  screen.out(`Code for the first device: ${code}`)
  screen.out(`Give the edge this, with \`npx wrangler secret put PAIR_CODE_HASH\`: ${key}`)
  return 0
}
