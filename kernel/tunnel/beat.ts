/**
 * Heartbeat: home sends `ping`, and the platform answers for the hibernating edge with a text that the edge stored in advance
 * (DESIGN §7, T-06). The text says how far the edge's outbox has got, so home notices when the last frame was lost, which no
 * later frame would reveal. An edge with no unacknowledged frames stays asleep. Pure. Called by both ends of the tunnel.
 */
import type { Owed } from './channel.ts'

export const PING = 'ping'

const PONG = /^pong (\d{1,15}) (\d{1,15})$/

/** The answer that the edge stores with the platform. */
export function pongOf({ base, sent }: Owed): string {
  return `pong ${base} ${sent}`
}

/** Null for a text that is not a pong. */
export function parsePong(text: string): Owed | null {
  const [, base, sent] = PONG.exec(text) ?? []
  return base === undefined || sent === undefined ? null : { base: Number(base), sent: Number(sent) }
}
