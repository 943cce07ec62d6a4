/**
 * Tells the owner on his private line that a question of the edge waits on the open line (F-18): once an hour and in words of home's own,
 * so that an edge that was taken over neither fills his line nor writes on it. Must not answer one. Called by the tunnel's inbox.
 */
import { type DeliverPorts, tellOwner } from '../kernel/pipeline/deliver.ts'
import type { OwnerChats } from '../kernel/powers/ports.ts'
import { CARD_WAITS } from '../kernel/wording/card.ts'

/** Milliseconds. */
const HOUR = 3_600_000

/** `failed`: storage does. */
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
