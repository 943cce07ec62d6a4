/**
 * Timing of the tunnel: timeouts, retry delays, and beats that detect a dead connection which still looks open (DESIGN §7, T-06).
 * Must not decide what follows. Called by tunnel-client.ts.
 */

import type WebSocket from 'ws'
import { type Owed, PING, parsePong } from '../../kernel/tunnel/channel.ts'
import { encodeFrame } from '../../kernel/tunnel/frame.ts'

/** Milliseconds. */
export interface TunnelTiming {
  readonly beat: number
  readonly firstRetry: number
  readonly maxRetry: number
  /** A connection that was up this long resets the back-off to `firstRetry`. */
  readonly stable: number
  /** Limit for the upgrade, and again for the edge's hello: a silent edge must not hold the connection. */
  readonly handshake: number
  /** Time for running calls when home stops. */
  readonly grace: number
  /** Retry delay if an early retry cannot help: another version, an unknown device, an unproven edge. */
  readonly safeMode: number
}

export const TUNNEL_TIMING: TunnelTiming = Object.freeze({
  beat: 20_000,
  firstRetry: 500,
  maxRetry: 30_000,
  stable: 10_000,
  handshake: 10_000,
  grace: 3_000,
  safeMode: 300_000,
})

/** Shortest delay, milliseconds: the random delay may be zero, and a refusing edge must not be flooded. */
const LEAST_RETRY = 20

/**
 * Milliseconds before attempt `attempt` (0 is the first retry): uniform up to a bound that doubles and is capped ("full
 * jitter"), so that many homes do not reconnect at the same time.
 */
export function retryDelay(
  attempt: number,
  timing: Pick<TunnelTiming, 'firstRetry' | 'maxRetry'>,
  random: () => number,
): number {
  const most = Math.min(timing.maxRetry, timing.firstRetry * 2 ** Math.min(attempt, 16))
  return Math.max(LEAST_RETRY, most * random())
}

/** Milliseconds between two reports of the round trip. Each report wakes the Durable Object; a ping does not. */
const RTT_REPORT_EVERY = 900_000
/** Beats without an answer after which the connection counts as dead (T-06). */
const MAX_MISSED_BEATS = 3
/** Most bytes buffered in the socket. Above it, frames that may be lost are not sent: reliable ones need the room. */
const MAX_BUFFERED = 1_048_576

interface Beats {
  /** Milliseconds. */
  readonly every: number
  readonly now: () => number
  /** Round trip in milliseconds, and the state of the edge's outbox. */
  readonly onBeat: (milliseconds: number, owed: Owed) => void
  readonly onDead: () => void
}

/** Returns a function that stops the beats. */
export function startBeats(socket: WebSocket, { every, now, onBeat, onDead }: Beats): () => void {
  let missed = 0
  let sentAt = 0
  let reportedAt = 0
  const timer = setInterval(() => {
    if (missed >= MAX_MISSED_BEATS) return onDead()
    missed += 1
    sentAt = now()
    socket.send(PING)
  }, every)
  socket.on('message', (data, isBinary) => {
    const owed = isBinary ? null : parsePong(data.toString())
    if (owed === null) return
    missed = 0
    const ms = now() - sentAt
    onBeat(ms, owed)
    if (now() - reportedAt < RTT_REPORT_EVERY || socket.bufferedAmount > MAX_BUFFERED) return
    reportedAt = now()
    socket.send(encodeFrame({ kind: 'ephemeral', body: { type: 'rtt', ms } }))
  })
  return () => clearInterval(timer)
}
