/**
 * `pfar pair` and `pfar devices`: pairs this home with an edge, and manages the devices that act as the owner there
 * (T-02). Must not keep a code: it is shown once. Called by program.ts.
 */
import { randomBytes } from 'node:crypto'
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { CODE_LENGTH, codeFrom, codeKey } from '../../../kernel/tunnel/pairing.ts'
import { openEdgePins } from '../../tunnel/edge-pins.ts'
import { createDeviceDesk, type DeviceDesk, pairWithEdge } from '../../tunnel/pairing.ts'
import { terminalLine } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import { edgeOrigin } from '../edge-origin.ts'
import { ownKey, usualEdge } from '../line/own-device.ts'

export async function pairCommand(context: CommandContext, edge: string, code: string): Promise<ExitCode> {
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

export type DevicesRequest =
  | { readonly do: 'list' }
  | { readonly do: 'add' }
  | { readonly do: 'revoke'; readonly id: string }

export async function devicesCommand(
  context: CommandContext,
  request: DevicesRequest,
  edge: string | null,
): Promise<ExitCode> {
  const desk = deskFor(context, edge)
  if (!desk.ok) return fail(context, desk)
  const done = await answer(context, desk.value, request)
  return done.ok ? 0 : fail(context, done)
}

/** No enrolled device can open a code for the first one, so the deployment does, with a Worker secret. */
export function firstCodeCommand({ screen }: CommandContext): ExitCode {
  const code = codeFrom(randomBytes(CODE_LENGTH))
  const key = Buffer.from(codeKey(code) ?? []).toString('base64url')
  screen.out(`Code for the first device: ${code}`)
  screen.out(`Give the edge this, with \`npx wrangler secret put PAIR_CODE_HASH\`: ${key}`)
  return 0
}

async function answer(
  { screen }: CommandContext,
  desk: DeviceDesk,
  request: DevicesRequest,
): Promise<Result<true>> {
  if (request.do === 'list') {
    const found = await desk.list()
    if (!found.ok) return found
    for (const { id, asking } of found.value) screen.out(`${terminalLine(id)}${asking ? '  (this one)' : ''}`)
    return ok(true)
  }
  if (request.do === 'revoke') {
    const revoked = await desk.revoke(request.id)
    if (revoked.ok) screen.out(`Revoked ${terminalLine(request.id)}. Its connection is closed.`)
    return revoked
  }
  const code = codeFrom(randomBytes(CODE_LENGTH))
  const opened = await desk.open(code)
  if (opened.ok) screen.out(`Code for one more device, good for ten minutes: ${code}`)
  return opened
}

function deskFor(context: CommandContext, edge: string | null): Result<DeviceDesk> {
  const own = ownKey(context)
  if (!own.ok) return own
  const origin = edge === null ? usualEdge(context, own.value.paths) : edgeOrigin(edge)
  return origin.ok ? ok(createDeviceDesk(origin.value, own.value.device)) : origin
}
