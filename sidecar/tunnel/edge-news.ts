/**
 * Notifies the owner in a chat of home's of what waits or was lost at the edge (F-18): an approval card, a delivery to the bot's
 * chat. In fixed words and at most once an hour each, so that a compromised edge can neither flood that line nor choose its
 * text. Called by the tunnel's inbox.
 */

import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import { type DeliverPorts, tellOwner } from '../../kernel/features/deliveries/deliver.ts'
import { lostAtEdgeWords, waitsAtEdgeWords } from '../../kernel/features/deliveries/outage.ts'
import { tellElsewhere } from '../../kernel/features/deliveries/resend.ts'
import { WAITS_AT_MOST } from '../../kernel/features/deliveries/waiting-line.ts'
import { pausedNow } from '../../kernel/features/pause/pause.ts'
import type { ChatServices, OwnerChats, OwnerFacts, Pausing } from '../../kernel/powers/ports.ts'
import type { UnsentNews } from '../../kernel/tunnel/synced.ts'
import { tell as sentence } from '../../kernel/wording/words.ts'

/** Milliseconds. */
const HOUR = 3_600_000

/** `failed`: called when the notice cannot be stored. */
export function createCardNews(powers: DeliverPorts & OwnerChats, failed: () => void): () => void {
  let notifiedHour = 0
  return () => {
    const hour = Math.floor(powers.now() / HOUR)
    if (hour === notifiedHour) return
    notifiedHour = hour
    const notice = {
      id: `edge-card:${hour}`,
      code: 'channel_failing',
      words: sentence('approvals.card_waits'),
    } as const
    void tellOwner(powers, notice).catch(failed)
  }
}

/** Milliseconds. Nothing is queued for longer; an older time from the edge is cut to this. */
const OLDEST = WAITS_AT_MOST + HOUR

/** `failed`: called when the notice cannot be stored. */
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
    const context = { timezone: powers.profile().timezone, chats: powers.chats }
    const words = lost === null ? waitsAtEdgeWords(unsent, context) : lostAtEdgeWords(unsent, lost, context)
    void tellElsewhere(powers, sink, `edge-${which}:${hour}`, words).catch(failed)
  }
}
