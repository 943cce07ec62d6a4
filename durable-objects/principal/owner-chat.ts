/**
 * Whether the owner's chat with the edge's bot works (F-18, H-11), by the health check of its webhook and by the last message
 * sent. Sends notices to the first of the owner's chats that accepts them. The state is in memory: after an eviction the chat is
 * tried again. Called by PrincipalObject and powers.ts, for the owner's object only.
 */
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import { type DeliverPorts, deliverNotice, type Notice } from '../../kernel/features/deliveries/deliver.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { FAILING_EVERY } from '../registry/channel-health.ts'
import type { EdgeSelf } from './self.ts'

export interface OwnerChat {
  /** False when an answer of the owner in this chat would not arrive. */
  receives(sink: string): boolean
  /** Records the result of sending: a bot whose token was revoked, or that the owner blocked, can show no button. */
  recordResult(sink: string, sent: Result<true>): void
  /** The health check has failed at `now` (epoch milliseconds); the edge's state shows it only a moment later. */
  failing(now: number): void
  /** Whether it is time to check for a recovery. */
  isRecheckDue(now: number): boolean
  /** True once after the chat stopped working: questions that wait there have to move to another chat. */
  justStoppedWorking(): boolean
}

/** HTTP status when the owner has blocked the bot. */
const FORBIDDEN = 403

export function createOwnerChat(self: Pick<EdgeSelf, 'botReceives' | 'setBotReceives'>): OwnerChat {
  let refused = false
  let failedAt = 0
  let known = true
  const receives = (sink: string): boolean => sink !== EDGE_CHAT.sink || (self.botReceives() && !refused)
  return {
    receives,
    recordResult(sink, sent) {
      if (sink !== EDGE_CHAT.sink) return
      if (sent.ok) refused = false
      else refused ||= sent.reason.code === 'credential_rejected' || sent.reason.facts['status'] === FORBIDDEN
    },
    failing(now) {
      failedAt = now
      self.setBotReceives(false)
    },
    isRecheckDue: (now) => !self.botReceives() && Math.abs(now - failedAt) >= FAILING_EVERY,
    justStoppedWorking() {
      const was = known
      known = receives(EDGE_CHAT.sink)
      return was && !known
    },
  }
}

/** Refusals: that of the chat tried at the end of the list; sink_unknown when the list is empty. */
export async function notifyInFirst(
  powers: DeliverPorts,
  sinks: readonly string[],
  notice: Omit<Notice, 'sink'>,
): Promise<Result<true>> {
  let sent: Result<true> = err('sink_unknown')
  for (const sink of sinks) {
    sent = await deliverNotice(powers, { ...notice, sink, patience: 'once' })
    if (sent.ok) return sent
  }
  return sent
}
