/**
 * The outbox to home: bodies within their bounds, stored until acknowledged and sent within the window, but not while the edge is
 * locked; and the automatic reply to beats, which carries the send position. Counters and pieces are cached in memory. Must not
 * know connections other than through `send`. Called by TunnelObject.
 */
import { createChannelStore } from '../../integrations/store/channel-store.ts'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { parseBody } from '../../kernel/tunnel/body.ts'
import {
  type Channel,
  type ChannelStore,
  createChannel,
  type OutRow,
  PING,
  pongOf,
  type Waiting,
} from '../../kernel/tunnel/channel.ts'
import { type Body, checkBody, type Frame, type FrameOf } from '../../kernel/tunnel/frame.ts'
import type { StoredPiece } from '../../kernel/tunnel/piece.ts'
import { sealOutbox } from '../sealed-outbox.ts'

/**
 * Number and size of queued bodies above which no memory or turn is accepted: room must remain for calls that somebody waits for.
 */
export const MOST_SYNC_QUEUED: Waiting = Object.freeze({ count: 500, bytes: 32 * 1_048_576 })

const LOCKED = 'locked'

interface OutboxInput {
  readonly ctx: DurableObjectState
  readonly db: SyncDatabase
  /** 32 bytes, the Worker secret. */
  readonly sealKey: Uint8Array
  /** Sends the frame if home is connected and has said hello. */
  readonly send: (frame: Frame) => void
}

export interface TunnelOutbox {
  readonly channel: Channel
  /** Checks that a body may be put. Refusals: frame_malformed, frame_too_large, home_offline (too much waits already). */
  fitting(input: Body, most?: Waiting): Result<Body>
  /** Returns its sequence number: that of the last piece if it is split. */
  put(body: Body): number
  /** As `put`, but nothing is sent before home's next hello: home may be gone though its connection is still open. */
  keep(body: Body): number
  /** On home's hello: returns the frames that home lacks. */
  greeted(frame: FrameOf<'hello'>): readonly Frame[]
  /** Home has everything up to `seq`; sends what the window now has room for. */
  acknowledged(seq: number): void
  isEmpty(): boolean
  /** Whether home has not acknowledged the body with this number. */
  holds(seq: number): boolean
  /** Replaces a queued body: its number stays in use, or home would wait for it without end. */
  replace(seq: number, body: Body): void
  /** Whether pieces of an incomplete body are stored. */
  holdsPieces(): boolean
  /** Drops the pieces of a body that stalled. */
  dropPieces(): void
  isLocked(): boolean
  /** While locked nothing is sent, and pieces are dropped (T-10). */
  setLocked(locked: boolean): void
  /** Sets the platform's automatic reply to beats: after every change, and when the object wakes. */
  showOwed(): void
}

export function createTunnelOutbox({ ctx, db, sealKey, send }: OutboxInput): TunnelOutbox {
  const { kv, sql } = ctx.storage
  // Cached in memory beside its row: every frame reads it.
  let locked: boolean | null = null
  const isLocked = (): boolean => {
    locked ??= kv.get<boolean>(LOCKED) === true
    return locked
  }
  const store = sealOutbox(rememberCursors(createChannelStore(db)), sealKey, isLocked)
  const channel = createChannel(store)
  const showOwed = (): void => {
    const { base, sent } = channel.owed()
    // A locked edge sends nothing, so home must not ask for anything.
    const owed = { base, sent: isLocked() ? base : sent }
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, pongOf(owed)))
  }
  const go = (frames: readonly Frame[]): void => {
    showOwed()
    if (!isLocked()) for (const frame of frames) send(frame)
  }
  const last = (): number => store.allocate() - 1
  return {
    channel,
    fitting(input, most) {
      const body = parseBody(input)
      if (!body.ok) return body
      const fits = checkBody(body.value)
      if (!fits.ok) return fits
      return channel.isFull(most) ? err('home_offline', { waiting: 'too much' }) : body
    },
    put(body) {
      go(channel.send(body))
      return last()
    },
    keep(body) {
      channel.send(body)
      showOwed()
      return last()
    },
    greeted(frame) {
      const missing = channel.onHello(frame)
      showOwed()
      return isLocked() ? [] : missing
    },
    acknowledged: (seq) => go(channel.onAck(seq)),
    holds: (seq) => sql.exec('select 1 from tunnel_out where seq = ?', seq).toArray().length > 0,
    replace: (seq, body) =>
      void sql.exec('update tunnel_out set body = ? where seq = ?', JSON.stringify(body), seq),
    isEmpty: () => store.sizes(1).length === 0,
    holdsPieces: () => store.pieces().length > 0,
    dropPieces: () => store.dropPieces(Number.MAX_SAFE_INTEGER),
    isLocked,
    setLocked(isNowLocked) {
      // The cache is cleared first, so that a failed write leaves no wrong value.
      locked = null
      kv.put(LOCKED, isNowLocked)
      if (isNowLocked) store.dropPieces(Number.MAX_SAFE_INTEGER)
      showOwed()
    },
    showOwed,
  }
}

export function rememberCursors(store: ChannelStore): ChannelStore {
  let received: number | null = null
  let next: number | null = null
  let pieces: readonly StoredPiece[] | null = null
  let waiting: Waiting | null = null
  /** Cache of the first queued rows, by the number requested. */
  const first = new Map<number, readonly Omit<OutRow, 'body'>[]>()
  return {
    ...store,
    // Cached, because it is called with each message, and many may wait while home is away.
    waiting() {
      waiting ??= store.waiting()
      return waiting
    },
    sizes(most) {
      const known = first.get(most) ?? store.sizes(most)
      first.set(most, known)
      return known
    },
    dropOut(upTo) {
      waiting = null
      first.clear()
      store.dropOut(upTo)
    },
    received() {
      received ??= store.received()
      return received
    },
    setReceived(seq) {
      // The cache is cleared first, so that a failed write leaves no wrong value.
      received = null
      store.setReceived(seq)
      received = seq
    },
    allocate() {
      next ??= store.allocate()
      return next
    },
    putOut(rows) {
      next = null
      const before = waiting
      waiting = null
      // New rows are added at the end, so a full list stays valid.
      for (const [most, known] of first) if (known.length < most) first.delete(most)
      store.putOut(rows)
      const last = rows.at(-1)
      if (last !== undefined) next = last.seq + 1
      if (before === null) return
      const bytes = rows.reduce((sum, row) => sum + row.bytes, before.bytes)
      waiting = { count: before.count + rows.length, bytes }
    },
    pieces() {
      pieces ??= store.pieces()
      return pieces
    },
    putPiece(piece, text) {
      pieces = null
      store.putPiece(piece, text)
    },
    dropPieces(upTo) {
      pieces = null
      store.dropPieces(upTo)
    },
  }
}
