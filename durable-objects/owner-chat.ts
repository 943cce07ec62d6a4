/**
 * Whether the owner's chat with the edge's bot hears him (F-18, H-11): by the edge's look at its webhook, and by how the last message
 * into that chat fared. Held in memory: after a loss the chat is tried once more. Must not send. Called by PrincipalObject and by
 * powers.ts, for the owner's object alone.
 */
import { EDGE_CHAT } from '../integrations/channels/index.ts'
import type { Result } from '../kernel/flow/verdict.ts'
import { FAILING_EVERY } from './channel-health.ts'
import type { EdgeSelf } from './self.ts'

export interface OwnerChat {
  /** False where an answer of his would not be heard. */
  hears(sink: string): boolean
  /** How a message into this chat fared: a bot whose token was taken back, or that he blocked, shows him no button. */
  fared(sink: string, sent: Result<true>): void
  /** The edge has found that its webhook brings nothing (epoch milliseconds), and says so of itself a moment later. */
  failing(now: number): void
  /** Whether it is worth asking if it hears him by now. */
  mayHearAgain(now: number): boolean
  /** True once, after it has gone deaf: what waits there for his answer is to be put elsewhere. */
  wentDeaf(): boolean
}

/** What the service answers a bot that its reader has blocked. */
const FORBIDDEN = 403

export function createOwnerChat(self: Pick<EdgeSelf, 'bot' | 'hears'>): OwnerChat {
  let refused = false
  let failedAt = 0
  let known = true
  const hears = (sink: string): boolean => sink !== EDGE_CHAT.sink || (self.bot() && !refused)
  return {
    hears,
    fared(sink, sent) {
      if (sink !== EDGE_CHAT.sink) return
      if (sent.ok) refused = false
      else refused ||= sent.reason.code === 'credential_rejected' || sent.reason.facts['status'] === FORBIDDEN
    },
    failing(now) {
      failedAt = now
      self.hears(false)
    },
    mayHearAgain: (now) => !self.bot() && Math.abs(now - failedAt) >= FAILING_EVERY,
    wentDeaf() {
      const was = known
      known = hears(EDGE_CHAT.sink)
      return was && !known
    },
  }
}
