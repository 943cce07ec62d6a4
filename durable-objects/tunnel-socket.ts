/**
 * One connection of home as TunnelObject holds it: what is remembered with the socket through hibernation, and how
 * frames leave and connections end. Must not decide anything. Called by tunnel.ts.
 */
import type { ReasonCode } from '../kernel/reasons.ts'
import { encodeFrame, type Frame } from '../kernel/tunnel/frame.ts'
import type { RateWindow } from './rate-window.ts'

/** Application close codes (RFC 6455 §7.4.2): fenced by a newer connection, or refused for what was sent. */
export const CLOSED_FENCED = 4_001
export const CLOSED_REFUSED = 4_002
/** "Internal error": home comes back and sends again what was not acknowledged. */
export const CLOSED_RETRY = 1_011

/** Survives hibernation with the socket. */
export interface Attachment {
  readonly epoch: number
  readonly device: string
  /** Whether home's hello came: nothing is sent before, since it says what home still lacks. */
  readonly greeted: boolean
  /** Epoch milliseconds: of the connection, then of its hello. */
  readonly since: number
  /** Since when home has had everything that waited, epoch milliseconds; null until then. */
  readonly drained: number | null
  /** Until when the next piece of a body that has begun must be here, epoch milliseconds; null when none has. */
  readonly pieceBy: number | null
  /** Round trip as home measured it last, milliseconds (T-06). */
  readonly rtt: number | null
  /** Frames of the minute that may be lost: an object that falls asleep must not count anew. */
  readonly flood: RateWindow | null
}

/** Beats are sent by home every 20 s; after three misses it counts as offline (T-06). Milliseconds. */
export const OFFLINE_AFTER = 60_000
/** Milliseconds for which a connection must have held, everything delivered, before home counts as online (DESIGN §1). */
export const STABLE_AFTER = 10_000

/**
 * Whether home counts as online at `now`: it said hello, took all that waited, has held for `STABLE_AFTER` since, and
 * has missed fewer than three beats. `beat`: when the last one was answered. Epoch milliseconds.
 */
export function isOnline(held: Pick<Attachment, 'since' | 'drained'>, beat: number, now: number): boolean {
  if (held.drained === null || now - held.drained < STABLE_AFTER) return false
  return isHeard(held, beat, now)
}

/** Whether it has missed fewer than three beats: enough for what may be lost. */
export function isHeard({ since }: Pick<Attachment, 'since'>, beat: number, now: number): boolean {
  return now - Math.max(beat, since) < OFFLINE_AFTER
}

/** A body says when it leaves: it may have waited for days, and home's clock may differ (T-14). */
export function send(socket: WebSocket, frame: Frame): void {
  sendText(socket, encodeFrame(frame.kind === 'data' ? { ...frame, at: Date.now() } : frame))
}

/** A frame that was encoded before. */
export function sendText(socket: WebSocket, text: string): void {
  try {
    socket.send(text)
  } catch {
    // The socket is closing. A reliable frame waits in the outbox; nothing else is owed.
  }
}

/** Says why, and hangs up. */
export function refuse(socket: WebSocket, code: ReasonCode): void {
  send(socket, { kind: 'refused', code })
  closeSocket(socket, code === 'frame_fenced' ? CLOSED_FENCED : CLOSED_REFUSED)
}

export function closeSocket(socket: WebSocket, code: number): void {
  try {
    // 1005 and 1006 say "no code was sent"; they must not be sent.
    socket.close(code === 1_005 || code === 1_006 ? 1_000 : code)
  } catch {
    // Closed already.
  }
}

/**
 * What was attached last, beside the platform's copy: each frame asks for it several times. A socket that slept comes back
 * as another object, and is asked again.
 */
const attached = new WeakMap<WebSocket, Attachment>()

export function attach(socket: WebSocket, attachment: Attachment): void {
  attached.delete(socket)
  socket.serializeAttachment(attachment)
  attached.set(socket, attachment)
}

/** Null for a socket that this object did not accept. */
export function attachmentOf(socket: WebSocket): Attachment | null {
  const known = attached.get(socket)
  if (known !== undefined) return known
  const held = socket.deserializeAttachment() as Attachment | null
  if (held !== null) attached.set(socket, held)
  return held
}
