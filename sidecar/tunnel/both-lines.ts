/**
 * Port for answering through the edge's bot as well (DESIGN §1): checks that the edge has a bot, issues the approval
 * card, and withdraws what was acknowledged. Must not grant anything: only the owner's approval does. Called by
 * wiring.ts.
 */
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import type { BothLinesPort } from '../../kernel/features/places/port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { GrantStore, StoreOf } from '../../kernel/powers/stores.ts'
import type { Acknowledging } from '../../kernel/runtime/shell-port.ts'
import type { DeviceKey } from './device-key.ts'
import { edgeHealth } from './edge-health.ts'

export interface BothLinesInput {
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
