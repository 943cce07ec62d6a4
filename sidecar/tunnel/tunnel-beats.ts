/**
 * Detects a dead connection that still looks open: sends an application ping at an interval and measures the round trip
 * (DESIGN §7, T-06). Must not decide what follows. Called by tunnel-client.ts.
 */
import type WebSocket from 'ws'
import { PING, parsePong } from '../../kernel/tunnel/beat.ts'
import type { Owed } from '../../kernel/tunnel/channel.ts'
import { encodeFrame } from '../../kernel/tunnel/frame.ts'

/** Milliseconds between two reports of the round trip. Each report wakes the Durable Object; a ping does not. */
const RTT_REPORT_EVERY = 900_000
/** Beats without an answer after which the connection counts as dead (T-06). */
const MAX_MISSED_BEATS = 3
/**
 * Most bytes buffered in the socket. Above it, frames that may be lost are not sent, to leave room for reliable ones.
 */
const MAX_BUFFERED = 1_048_576

export interface Beats {
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
