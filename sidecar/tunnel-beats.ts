/**
 * Finds out that a connection is dead, though it looks open: an application ping every few seconds, and the round trip
 * as a metric (DESIGN §7, T-06). Must not decide what happens then. Called by tunnel-client.ts.
 */
import type WebSocket from 'ws'
import { PING, parsePong } from '../kernel/tunnel/beat.ts'
import type { Owed } from '../kernel/tunnel/channel.ts'
import { encodeFrame } from '../kernel/tunnel/frame.ts'

/** Milliseconds between two reports of the round trip: each one wakes the edge, which sleeps through beats. */
const RTT_REPORT_EVERY = 900_000
/** Beats without an answer before the connection counts as dead (T-06). */
const MAX_MISSED_BEATS = 3
/** Bytes that may wait in the socket before what can be lost is left out: a slow line is for what must arrive. */
const MAX_BUFFERED = 1_048_576

export interface Beats {
  /** Milliseconds. */
  readonly every: number
  readonly now: () => number
  /** The round trip in milliseconds, and what the edge says of its outbox. */
  readonly onBeat: (milliseconds: number, owed: Owed) => void
  readonly onDead: () => void
}

/** Returns the way to stop. */
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
