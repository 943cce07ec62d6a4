/**
 * Tells the owner in a chat of home's that something waits for the chat with the edge, or will not get there (F-18): in words of home's own,
 * and once an hour of each, so that an edge that was taken over neither fills the private line nor writes on it. Called by the tunnel's inbox.
 */
import { EDGE_CHAT } from '../integrations/channels/index.ts'
import type { DeliverPorts } from '../kernel/pipeline/deliver.ts'
import { WAITS_AT_MOST } from '../kernel/pipeline/waiting-line.ts'
import type { ChatServices, OwnerChats, OwnerFacts, Pausing } from '../kernel/powers/ports.ts'
import { pausedNow } from '../kernel/runtime/pause.ts'
import { tellElsewhere } from '../kernel/runtime/resend.ts'
import type { UnsentNews } from '../kernel/tunnel/unsent-news.ts'
import { lostAtEdgeWords, waitsAtEdgeWords } from '../kernel/wording/outage.ts'

/** Milliseconds. */
const HOUR = 3_600_000
/** The same; nothing waits for longer, and an edge's word of another time is none. */
const OLDEST = WAITS_AT_MOST + HOUR

/** `failed`: storage does. */
export function createUnsentNews(
  powers: DeliverPorts & OwnerChats & OwnerFacts & ChatServices & Pausing,
  failed: () => void,
): (news: UnsentNews) => void {
  const toldAt = { waits: 0, lost: 0 }
  return ({ kind, age, lost }) => {
    if (pausedNow(powers) !== null) return
    const now = powers.now()
    const hour = Math.floor(now / HOUR)
    const which = lost === null ? 'waits' : 'lost'
    if (hour === toldAt[which]) return
    toldAt[which] = hour
    const { sink } = EDGE_CHAT
    const unsent = { sink, kind, asked: now - Math.min(age, OLDEST) }
    const told = { timezone: powers.profile().timezone, chats: powers.chats }
    const words = lost === null ? waitsAtEdgeWords(unsent, told) : lostAtEdgeWords(unsent, lost, told)
    void tellElsewhere(powers, sink, `edge-${which}:${hour}`, words).catch(failed)
  }
}
