/**
 * The beat: home says `ping`, and the platform answers for the sleeping edge with words that the edge left there
 * (DESIGN §7, T-06). They tell how far its outbox has gone, so that home notices the loss of a last frame, which no later
 * one would show; an edge that is owed nothing sleeps on. Pure. Called by both ends of the tunnel.
 */
import type { Owed } from './channel.ts'

export const PING = 'ping'

const PONG = /^pong (\d{1,15}) (\d{1,15})$/

/** What the edge leaves to be answered. */
export function pongOf({ base, sent }: Owed): string {
  return `pong ${base} ${sent}`
}

/** Null for what is no answer to a beat. */
export function parsePong(text: string): Owed | null {
  const [, base, sent] = PONG.exec(text) ?? []
  return base === undefined || sent === undefined ? null : { base: Number(base), sent: Number(sent) }
}
