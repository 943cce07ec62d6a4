/**
 * Operations at home: the ports that only home has, and a method of the private line for each operation (B-09, H-10).
 * Whoever can open the socket is the owner; no parameter names the caller. Must not decide anything. Called by
 * wiring.ts and doors.ts.
 */

import * as z from 'zod/mini'
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import type { BothLinesPort } from '../../kernel/features/places/home-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { CallOperation } from '../../kernel/operations/caller.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import type { OperationPorts } from '../../kernel/operations/ports.ts'
import type { GrantStore, StoreOf } from '../../kernel/powers/stores.ts'
import type { Acknowledging } from '../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Registry } from '../../kernel/tool/registry.ts'
import type { DeviceKey } from '../tunnel/device-key.ts'
import { edgeHealth } from '../tunnel/edge-health.ts'
import { TERMINAL_SINK } from './home-methods.ts'
import { type Methods, method } from './method.ts'

/**
 * The action that a standing grant may open to others, which its manifest declares with `shares`: free/busy times, without any
 * detail.
 */
export function sharedRead({ actions }: Registry): OperationPorts['freeBusy'] {
  for (const { id, shares } of actions.values())
    if (shares !== undefined) return { action: id, fields: shares }
  throw new Error('no action declares what others may be granted')
}

const given = z.record(z.string(), z.unknown())

/** Methods by operation name. Each operation validates its own arguments. */
export function createOperationMethods(call: CallOperation, newId: () => string): Methods {
  const seen = { principal: OWNER_PRINCIPAL, sink: TERMINAL_SINK, place: 'home', door: 'terminal' } as const
  return Object.fromEntries(
    OPERATIONS.map(({ name }) => [
      name,
      method(given, (args) => call({ operation: name, args, caller: { ...seen, message: newId() } })),
    ]),
  )
}

interface BothLinesInput {
  readonly shell: () => Acknowledging
  readonly powers: StoreOf<GrantStore>
  /** Whether the edge has a bot. Refusals: those of the edge, when it cannot be asked. */
  readonly hasBot: () => Promise<Result<boolean>>
}

/** The edge must have a bot before the owner is asked to acknowledge its chat. */
export async function edgeHasBot(edge: string | null, device: DeviceKey): Promise<Result<boolean>> {
  const asked = edge === null ? ok({ bot: null }) : await edgeHealth(edge, device)
  return asked.ok ? ok(asked.value.bot !== null) : asked
}

export function createBothLinesPort({ shell, powers, hasBot }: BothLinesInput): BothLinesPort {
  return {
    async acknowledge(proposer) {
      const bot = await hasBot()
      if (!bot.ok) return bot
      if (!bot.value) return err('sink_unknown', { sink: EDGE_CHAT.sink })
      return shell().acknowledgeTransport(proposer, EDGE_CHAT.sink)
    },
    /** Revokes every transport grant that is still in force. */
    async withdraw(principal) {
      let last: Result<{ readonly grant: string }> = err('grant_missing')
      for (const { grant } of powers.store.grants())
        if (grant.kind === 'transport' && !grant.revoked) last = await shell().revoke(grant.id, principal)
      return last
    },
  }
}
