/**
 * What the owner's terminal may ask of home about one bot for both lines (DESIGN §1): the question for his acknowledgement, and its
 * end. Whoever can open the socket is the owner. Must not decide anything: the shell does. Called by doors.ts.
 */
import * as z from 'zod/mini'
import { EDGE_CHAT } from '../integrations/channels/index.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { Powers } from '../kernel/powers/ports.ts'
import type { Shell } from '../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { DeviceKey } from './device-key.ts'
import { edgeHealth } from './edge-health.ts'
import type { Method } from './socket.ts'
import { method } from './socket-method.ts'

export interface TransportMethodsInput {
  readonly shell: Pick<Shell, 'acknowledgeTransport' | 'revoke'>
  readonly powers: Pick<Powers, 'store'>
  /** Whether the edge has a bot. Refusals: those of the edge, which could not be asked. */
  readonly hasBot: () => Promise<Result<boolean>>
}

/** Whose chat it is about there must be before it is agreed to. */
export async function edgeHasBot(edge: string | null, device: DeviceKey): Promise<Result<boolean>> {
  const asked = edge === null ? ok({ bot: null }) : await edgeHealth(edge, device)
  return asked.ok ? ok(asked.value.bot !== null) : asked
}

const OWNER = { principal: OWNER_PRINCIPAL, place: 'home' } as const
const proposing = z.strictObject({ message: z.string().check(z.minLength(1), z.maxLength(200)) })

export function createTransportMethods({
  shell,
  powers,
  hasBot,
}: TransportMethodsInput): ReadonlyMap<string, Method> {
  return new Map<string, Method>([
    [
      'transport',
      method(proposing, async ({ message }) => {
        const bot = await hasBot()
        if (!bot.ok) return bot
        if (!bot.value) return err('sink_unknown', { sink: EDGE_CHAT.sink })
        return shell.acknowledgeTransport({ ...OWNER, message }, EDGE_CHAT.sink)
      }),
    ],
    ['untransport', method(z.strictObject({}), () => revokeAll(shell, powers))],
  ])
}

/** Each that was given and not taken back. Refusal: grant_missing where there is none. */
async function revokeAll(
  shell: TransportMethodsInput['shell'],
  { store }: TransportMethodsInput['powers'],
): Promise<Result<{ readonly grant: string }>> {
  let last: Result<{ readonly grant: string }> = err('grant_missing')
  for (const { grant } of store.grants())
    if (grant.kind === 'transport' && !grant.revoked) last = await shell.revoke(grant.id, OWNER_PRINCIPAL)
  return last
}
