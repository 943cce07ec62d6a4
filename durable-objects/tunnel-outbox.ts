/**
 * What the edge owes home: bodies within their bounds, kept until home has them, sent as far as the window goes and not
 * while the edge is locked; and the answer to beats, which says how far that is. Must not know connections but by
 * the way out that it is given. Called by TunnelObject.
 */
import { createChannelStore } from '../integrations/store/channel-store.ts'
import type { SyncDatabase } from '../integrations/store/database.ts'
import { err, type Result } from '../kernel/flow/verdict.ts'
import { PING, pongOf } from '../kernel/tunnel/beat.ts'
import { parseBody } from '../kernel/tunnel/body.ts'
import { type Channel, createChannel, type Waiting } from '../kernel/tunnel/channel.ts'
import { type Body, checkBody, type Frame, type FrameOf } from '../kernel/tunnel/frame.ts'
import { sealOutbox } from './sealed-outbox.ts'
import { rememberCursors } from './tunnel-cursors.ts'

/** Beyond which nothing more is told: memories must leave room for the calls that somebody waits for. */
export const MOST_TOLD: Waiting = Object.freeze({ count: 500, bytes: 32 * 1_048_576 })

const LOCKED = 'locked'

export interface OutboxInput {
  readonly ctx: DurableObjectState
  readonly db: SyncDatabase
  /** 32 bytes, the Worker secret. */
  readonly sealKey: Uint8Array
  /** Sends if home is there and has said hello. */
  readonly send: (frame: Frame) => void
}

export interface TunnelOutbox {
  readonly channel: Channel
  /** A body that may be put. Refusals: frame_malformed, frame_too_large, home_offline (too much waits already). */
  fitting(input: Body, most?: Waiting): Result<Body>
  /** Returns its number, the last one if it is cut. */
  put(body: Body): number
  /** The same, sent to nobody before home has said hello anew: it may be gone though its connection stands. */
  keep(body: Body): number
  /** Home's hello: returns what it lacks. */
  greeted(frame: FrameOf<'hello'>): readonly Frame[]
  /** Home has it; what there is room for now follows. */
  acknowledged(seq: number): void
  isEmpty(): boolean
  /** Whether pieces are kept of a body that has not ended. */
  holdsPieces(): boolean
  /** What came of a body that stalls. */
  dropPieces(): void
  isLocked(): boolean
  /** While it is locked nothing leaves, and nothing that came in part is kept (T-10). */
  setLocked(locked: boolean): void
  /** Leaves the answer to beats with the platform: after every change, and when the object wakes. */
  showOwed(): void
}

export function createTunnelOutbox({ ctx, db, sealKey, send }: OutboxInput): TunnelOutbox {
  // In memory beside its row, as the counters are: each frame asks for it.
  let locked: boolean | null = null
  const isLocked = (): boolean => {
    locked ??= ctx.storage.kv.get<boolean>(LOCKED) === true
    return locked
  }
  const store = sealOutbox(rememberCursors(createChannelStore(db)), sealKey, isLocked)
  const channel = createChannel(store)
  const showOwed = (): void => {
    const { base, sent } = channel.owed()
    // A locked edge sends nothing, so nobody is to ask for it.
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
    isEmpty: () => store.sizes(1).length === 0,
    holdsPieces: () => store.pieces().length > 0,
    dropPieces: () => store.dropPieces(Number.MAX_SAFE_INTEGER),
    isLocked,
    setLocked(isNowLocked) {
      // Forgotten first: a write that fails must not be believed.
      locked = null
      ctx.storage.kv.put(LOCKED, isNowLocked)
      if (isNowLocked) store.dropPieces(Number.MAX_SAFE_INTEGER)
      showOwed()
    },
    showOwed,
  }
}
