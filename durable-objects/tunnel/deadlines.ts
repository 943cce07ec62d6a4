/**
 * Deadlines for home's hello, for the next piece of a body, and for queued secrets; by the object's alarm, which survives
 * hibernation as a timer would not. Must not end a connection itself. Called by TunnelObject.
 */
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { TunnelOffers } from './offers.ts'
import type { TunnelOutbox } from './outbox.ts'
import { attach, attachmentOf } from './socket.ts'

/** Milliseconds for home's hello; home waits as long for the edge's. A silent socket must not hold the line. */
export const HELLO_WITHIN = 10_000

export interface TunnelDeadlines {
  /** Sets the alarm to the earliest deadline. There is one connection, so only its newest deadline counts. */
  arm(): Promise<void>
  /** The alarm fired: refuses the connection if it is overdue, and expires secrets. */
  rang(): Promise<void>
}

interface DeadlinesInput {
  readonly ctx: Pick<DurableObjectState, 'getWebSockets' | 'storage'>
  readonly outbox: Pick<TunnelOutbox, 'dropPieces'>
  readonly offers: Pick<TunnelOffers, 'expire' | 'next'>
  /** Number of the newest connection. */
  readonly epoch: () => number
  /** Socket of the newest connection. */
  readonly current: () => WebSocket | null
  readonly deny: (socket: WebSocket, code: ReasonCode) => void
}

export function createTunnelDeadlines(input: DeadlinesInput): TunnelDeadlines {
  const { ctx, outbox, offers, epoch, current, deny } = input
  const arm = async (): Promise<void> => {
    const socket = current()
    const held = socket === null ? null : attachmentOf(socket)
    const until = held?.greeted === false ? held.since + HELLO_WITHIN : (held?.pieceBy ?? 0)
    // A connection past its deadline has been refused; its socket may still be closing.
    const peer = until > Date.now() ? until : null
    const due = [peer, offers.next()].filter((at) => at !== null)
    await (due.length === 0 ? ctx.storage.deleteAlarm() : ctx.storage.setAlarm(Math.min(...due)))
  }
  return {
    arm,
    async rang() {
      const now = Date.now()
      for (const socket of ctx.getWebSockets()) {
        const held = attachmentOf(socket)
        if (held === null || held.epoch !== epoch()) continue
        if (!held.greeted && now >= held.since + HELLO_WITHIN) deny(socket, 'hello_overdue')
        if (held.pieceBy === null || now < held.pieceBy) continue
        outbox.dropPieces()
        attach(socket, { ...held, pieceBy: null })
        deny(socket, 'piece_overdue')
      }
      await offers.expire(Date.now())
      await arm()
    },
  }
}
