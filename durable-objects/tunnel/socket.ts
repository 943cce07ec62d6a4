/**
 * One connection of home: its attachment, which survives hibernation with the socket, how frames are sent and connections closed,
 * and when home counts as present (T-06, DESIGN §1). Must not decide what a connection may do. Called by TunnelObject and its
 * parts.
 */
import type { ReasonCode } from '../../kernel/reasons.ts'
import { encodeFrame, type Frame } from '../../kernel/tunnel/frame.ts'
import type { RateWindow } from '../rate-window.ts'

/** Application close codes (RFC 6455 §7.4.2): replaced by a newer connection (fenced), or refused for what was sent. */
const CLOSED_FENCED = 4_001
export const CLOSED_REFUSED = 4_002
/** "Internal error": home reconnects and sends again what was not acknowledged. */
export const CLOSED_RETRY = 1_011

/** Survives hibernation with the socket. */
export interface Attachment {
  readonly epoch: number
  readonly device: string
  /** Whether home's hello has come. Nothing is sent before it, since it says what home still lacks. */
  readonly greeted: boolean
  /** Start of the connection, then time of its hello, epoch milliseconds. */
  readonly since: number
  /** When home had everything that was queued, epoch milliseconds; null until then. */
  readonly drained: number | null
  /** Deadline for the next piece of an incomplete body, epoch milliseconds; null when there is none. */
  readonly pieceBy: number | null
  /** Last round trip as home measured it, milliseconds (T-06). */
  readonly rtt: number | null
  /** Rate window of unreliable frames: hibernation must not reset the count. */
  readonly flood: RateWindow | null
}

/** Home sends a beat every 20 s; after three missed ones it counts as offline (T-06). Milliseconds. */
export const OFFLINE_AFTER = 60_000
/** Milliseconds that a connection must last, with everything delivered, before home counts as online (DESIGN §1). */
export const STABLE_AFTER = 10_000

/**
 * Whether home counts as online at `now`: it said hello, received everything queued, has been connected for `STABLE_AFTER` since,
 * and has missed fewer than three beats. `beat`: time of the last answered one. Times in epoch milliseconds.
 */
export function isOnline(held: Pick<Attachment, 'since' | 'drained'>, beat: number, now: number): boolean {
  if (held.drained === null || now - held.drained < STABLE_AFTER) return false
  return isHeard(held, beat, now)
}

/** Whether home has missed fewer than three beats: enough for frames that may be lost. */
function isHeard({ since }: Pick<Attachment, 'since'>, beat: number, now: number): boolean {
  return now - Math.max(beat, since) < OFFLINE_AFTER
}

/** A data frame carries its time of sending: the body may have waited for days, and home's clock may differ (T-14). */
export function send(socket: WebSocket, frame: Frame): void {
  sendText(socket, encodeFrame(frame.kind === 'data' ? { ...frame, at: Date.now() } : frame))
}

/** Sends an encoded frame. */
export function sendText(socket: WebSocket, text: string): void {
  try {
    socket.send(text)
  } catch {
    // The socket is closing. A reliable frame stays in the outbox; any other may be lost.
  }
}

/** Sends the reason, then closes the connection. */
export function refuse(socket: WebSocket, code: ReasonCode): void {
  send(socket, { kind: 'refused', code })
  closeSocket(socket, code === 'frame_fenced' ? CLOSED_FENCED : CLOSED_REFUSED)
}

export function closeSocket(socket: WebSocket, code: number): void {
  try {
    // 1005 and 1006 mean "no code received" and must not be sent (RFC 6455 §7.4.1).
    socket.close(code === 1_005 || code === 1_006 ? 1_000 : code)
  } catch {
    // The socket is closed already.
  }
}

/**
 * Cache of attachments beside the platform's copy: every frame reads one several times. After hibernation the socket is another
 * object, and is read again.
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

/** Storage key. */
export const LAST_SEEN = 'last-seen'

export interface TunnelStatus {
  readonly up: boolean
  /** Last round trip as home measured it, milliseconds. */
  readonly rtt: number | null
}

export interface TimedStatus {
  readonly up: boolean
  /** When the connection last showed life, epoch milliseconds; 0 without one. */
  readonly beat: number
  /** When home had received everything queued, epoch milliseconds; null before that, and without a connection. */
  readonly drained: number | null
}

export interface HomePresence {
  /** The newest connection; null where there is none. */
  current(): WebSocket | null
  /** Whether the connection has missed fewer than three beats. */
  isHeard(socket: WebSocket, held: Pick<Attachment, 'since'>): boolean
  /** Whether home counts as online (`isOnline`). */
  status(): TunnelStatus
  /** As `status`, with the times that it depends on. */
  timed(): TimedStatus
  /** When home was last connected, epoch milliseconds; now, if it is. */
  seenAt(): number
  /** Records that home is connected now, or was until now. */
  seen(): void
}

interface PresenceInput {
  readonly ctx: Pick<DurableObjectState, 'getWebSockets' | 'getWebSocketAutoResponseTimestamp' | 'storage'>
  /** Number of the newest connection. */
  readonly epoch: () => number
}

export function createHomePresence({ ctx, epoch }: PresenceInput): HomePresence {
  const current = (): WebSocket | null => {
    const newest = epoch()
    return ctx.getWebSockets().find((socket) => attachmentOf(socket)?.epoch === newest) ?? null
  }
  const lastBeat = (socket: WebSocket): number =>
    ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0
  const status = (): TunnelStatus => {
    const socket = current()
    const held = socket === null ? null : attachmentOf(socket)
    const up = socket !== null && held !== null && isOnline(held, lastBeat(socket), Date.now())
    return { up, rtt: held?.rtt ?? null }
  }
  const timed = (): TimedStatus => {
    const socket = current()
    const held = socket === null ? null : attachmentOf(socket)
    if (socket === null || held === null) return { up: false, beat: 0, drained: null }
    const beat = Math.max(lastBeat(socket), held.since)
    return { up: isOnline(held, beat, Date.now()), beat, drained: held.drained }
  }
  return {
    current,
    timed,
    isHeard: (socket, held) => isHeard(held, lastBeat(socket), Date.now()),
    status,
    seenAt() {
      const { up } = status()
      const socket = current()
      const held = socket === null ? null : attachmentOf(socket)
      const beat = socket === null ? 0 : lastBeat(socket)
      const greeted = held?.greeted === true ? held.since : 0
      return up ? Date.now() : Math.max(beat, greeted, ctx.storage.kv.get<number>(LAST_SEEN) ?? 0)
    },
    seen: () => ctx.storage.kv.put(LAST_SEEN, Date.now()),
  }
}
