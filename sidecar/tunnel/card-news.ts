/**
 * Notifies the owner on the private line that an approval card of the edge is pending on the open line (F-18). At most
 * once an hour and in fixed words, so that a compromised edge can neither flood that line nor choose its text. Must not
 * answer a card. Called by the tunnel's inbox.
 */

import { CARD_WAITS } from '../../kernel/features/approvals/card.ts'
import { type DeliverPorts, tellOwner } from '../../kernel/pipeline/deliver.ts'
import type { OwnerChats } from '../../kernel/powers/ports.ts'

/** Milliseconds. */
const HOUR = 3_600_000

/** `failed`: called when the notice cannot be stored. */
export function createCardNews(powers: DeliverPorts & OwnerChats, failed: () => void): () => void {
  let told = 0
  return () => {
    const hour = Math.floor(powers.now() / HOUR)
    if (hour === told) return
    told = hour
    const notice = { id: `edge-card:${hour}`, code: 'channel_failing', words: CARD_WAITS } as const
    void tellOwner(powers, notice).catch(failed)
  }
}
