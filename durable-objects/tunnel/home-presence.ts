/**
 * Home's presence as the edge sees it: its newest connection, and when it was last connected (T-06, DESIGN §1). Must not end a
 * connection, nor decide what one may do. Called by TunnelObject.
 */
import { type Attachment, attachmentOf, isHeard, isOnline } from './tunnel-socket.ts'

/** Storage key. */
export const LAST_SEEN = 'last-seen'

export interface TunnelStatus {
  readonly up: boolean
  /** Last round trip as home measured it, milliseconds. */
  readonly rtt: number | null
}

export interface HomePresence {
  /** The newest connection; null where there is none. */
  current(): WebSocket | null
  /** Whether the connection has missed fewer than three beats. */
  isHeard(socket: WebSocket, held: Pick<Attachment, 'since'>): boolean
  /** Whether home counts as online (`isOnline`). */
  status(): TunnelStatus
  /** When home was last connected, epoch milliseconds; now, if it is. */
  seenAt(): number
  /** Records that home is connected now, or was until now. */
  seen(): void
}

export interface PresenceInput {
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
  return {
    current,
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
