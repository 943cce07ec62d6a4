/**
 * The reliable half of the tunnel: bodies are numbered, kept in an outbox until acknowledged, and taken in order,
 * so that each has its effect once across drops, restarts and evictions of either side (DESIGN §7, T-04, T-13).
 * Both ends run this code over their own store. Must not send anything: it returns frames.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import {
  type Body,
  type Carried,
  type FrameOf,
  frameBytes,
  MAX_FRAME_BYTES,
  PROTOCOL_VERSION,
} from './frame.ts'
import {
  bytesOf,
  checkContinues,
  cutBody,
  joinPieces,
  type KeptPiece,
  MAX_BODY_BYTES,
  MAX_PIECES,
  unitsIn,
} from './piece.ts'

/** What waits under one number. `bytes`: of its frame. */
export interface OutRow {
  readonly seq: number
  readonly bytes: number
  readonly body: Carried
}

/** How much waits in an outbox, frames and bytes; or how much may. */
export interface Waiting {
  readonly count: number
  readonly bytes: number
}

/** Durable state of one end. Synchronous; every method is one write at most. */
export interface ChannelStore {
  /**
   * One above the highest number ever given to `putOut`. Reads only: a number that was counted up but whose body
   * a crash kept from being stored would be a hole that the peer waits for without end.
   */
  allocate(): number
  /** Stores the rows and, in the same write, that their numbers are used: they stay used after `dropOut`. */
  putOut(rows: readonly OutRow[]): void
  /** Rows numbered above `after`, by number; the first `most` of them, or all. */
  out(after: number, most?: number): readonly { readonly seq: number; readonly body: Carried }[]
  /** Numbers and sizes of the first `most` rows that wait, by number. */
  sizes(most: number): readonly Omit<OutRow, 'body'>[]
  /** Counted without reading bodies: that would be work for whoever floods the outbox. */
  waiting(): Waiting
  dropOut(upTo: number): void
  /** Highest number of the peer whose effect is durable here; 0 at first. */
  received(): number
  setReceived(seq: number): void
  /** Keeps a piece under its number, in place of what was there. */
  putPiece(piece: KeptPiece, text: string): void
  /** All that are kept, by number. */
  pieces(): readonly KeptPiece[]
  /** Texts of the pieces from `first` to `last`, in order. Throws when one is missing or does not open. */
  texts(first: number, last: number): readonly string[]
  dropPieces(upTo: number): void
}

/** What may be in flight, that is, sent and not acknowledged: at least one frame, whatever its size. */
export interface Window {
  readonly frames: number
  readonly bytes: number
  /** Bytes of one frame: a body that needs more is cut. */
  readonly frame: number
}

/**
 * The window of either end: an outbox of many megabytes must not be poured into a peer that takes one by one. A whole
 * body fits only in several goes.
 */
export const WINDOW: Window = Object.freeze({
  frames: 64,
  bytes: 4 * 1_048_576,
  frame: MAX_FRAME_BYTES,
})

/**
 * Bytes of pieces that one end keeps: those of a body that still comes and of bodies in the window whose effect has not
 * ended. A peer that begins bodies and never ends one gets no further.
 */
export const MAX_KEPT_BYTES = MAX_BODY_BYTES + WINDOW.bytes + MAX_FRAME_BYTES
/** The same in number. */
export const MAX_KEPT_PIECES = MAX_PIECES + WINDOW.frames

/** What may wait in the outbox of either end: a peer that takes nothing must not fill its disk. */
export const MOST_WAITING: Waiting = Object.freeze({ count: 1_000, bytes: 64 * 1_048_576 })

/** Where an outbox stands. */
export interface Owed {
  /** Everything up to it was acknowledged. */
  readonly base: number
  /** Highest number that the window has let go. */
  readonly sent: number
}

export interface Channel {
  /**
   * Stores the body under the next number, or its pieces under the next ones; returns the frames that may go now.
   * Whether they arrive is not the caller's care. Throws on a body that `checkBody` refuses.
   */
  send(body: Body): readonly FrameOf<'data'>[]
  owed(): Owed
  /** Whether as much waits as `most` allows. */
  isFull(most?: Waiting): boolean
  /** The first body that is not acknowledged, once more; null when nothing waits. */
  again(): FrameOf<'data'> | null
  /** Without a proof: the edge adds its own to the first of a connection. */
  hello(epoch: number): FrameOf<'hello'>
  /** Forgets what the peer has; returns what it lacks, to be sent now, as far as the window goes. */
  onHello(frame: FrameOf<'hello'>): readonly FrameOf<'data'>[]
  /**
   * `deliver`: run the effect, then `accepted`. `duplicate`: acknowledge again (`accepted`), run nothing. `gap`:
   * something was lost; send `hello`, and the peer sends again from there.
   * The effect must be idempotent by the body's own id: a crash before `accepted` brings the same body back.
   */
  onData(frame: FrameOf<'data'>): 'deliver' | 'duplicate' | 'gap'
  /**
   * The body that a frame to be delivered ends; null after a piece that is not the last, which is kept. Refusals:
   * frame_gap (its body cannot come whole any more: accept it and go on), frame_malformed and frame_too_large (the peer
   * breaks the rules: nothing of it is kept, and it gets no acknowledgement).
   */
  join(frame: FrameOf<'data'>): Result<Body | null>
  /** The acknowledgement of a frame, called after its effect is durable. Throws when numbers would be skipped. */
  accepted(frame: Pick<FrameOf<'data'>, 'seq' | 'body'>): FrameOf<'ack'>
  /** Forgets what the peer has; returns what may go now and might not before. */
  onAck(seq: number): readonly FrameOf<'data'>[]
}

/**
 * The window is counted from the lowest number that is not acknowledged, which is durable, so that nothing else must
 * survive hibernation.
 */
export function createChannel(store: ChannelStore, window: Window = WINDOW): Channel {
  const last = (): number => store.allocate() - 1
  const owed = (): Owed => owedOf(store.sizes(window.frames), { last: last(), bytes: window.bytes })
  const between = ({ after, upTo }: { after: number; upTo: number }): readonly FrameOf<'data'>[] =>
    upTo <= after ? [] : store.out(after, upTo - after).map(({ seq, body }) => ({ kind: 'data', seq, body }))
  return {
    send(body) {
      const rows = rowsOf(body, { first: store.allocate(), frame: window.frame })
      store.putOut(rows)
      const { sent } = owed()
      return rows.filter(({ seq }) => seq <= sent).map(({ seq, body }) => ({ kind: 'data', seq, body }))
    },
    owed,
    isFull(most = MOST_WAITING) {
      const { count, bytes } = store.waiting()
      return count >= most.count || bytes >= most.bytes
    },
    again: () => store.out(0, 1).map(({ seq, body }) => ({ kind: 'data', seq, body }) as const)[0] ?? null,
    hello: (epoch) => ({
      kind: 'hello',
      version: PROTOCOL_VERSION,
      epoch,
      received: store.received(),
      base: owed().base,
      last: last(),
      proof: null,
    }),
    onHello(peer) {
      agreeOnReceived(store, peer)
      // A peer that has more than was ever sent from here speaks of a state that this side has lost.
      const has = peer.received <= last() ? peer.received : 0
      store.dropOut(has)
      return between({ after: has, upTo: owed().sent })
    },
    onData({ seq }) {
      const next = store.received() + 1
      return seq === next ? 'deliver' : seq < next ? 'duplicate' : 'gap'
    },
    join: (frame) => join(store, frame),
    accepted({ seq, body }) {
      const received = store.received()
      if (seq > received + 1) throw new RangeError('a body was accepted out of order')
      if (seq === received + 1) store.setReceived(seq)
      // After it: pieces that are left over cost a row, and pieces that are gone too soon the body.
      if (body.type === 'piece' && body.n === body.of - 1) store.dropPieces(seq)
      return { kind: 'ack', seq: Math.max(seq, received) }
    },
    // A peer cannot acknowledge what was never sent: believing it would drop bodies that are still to come.
    onAck(seq) {
      const before = owed().sent
      store.dropOut(Math.min(seq, before))
      return between({ after: before, upTo: owed().sent })
    },
  }
}

function owedOf(
  rows: readonly Omit<OutRow, 'body'>[],
  { last, bytes }: { readonly last: number; readonly bytes: number },
): Owed {
  const base = (rows[0]?.seq ?? last + 1) - 1
  let sent = base
  let total = 0
  for (const row of rows) {
    total += row.bytes
    if (total > bytes && sent > base) break
    sent = row.seq
  }
  return { base, sent }
}

function rowsOf(
  body: Body,
  { first, frame }: { readonly first: number; readonly frame: number },
): readonly OutRow[] {
  const bytes = frameBytes(body)
  if (bytes <= frame) return [{ seq: first, bytes, body }]
  const text = JSON.stringify(body)
  if (bytesOf(text) > MAX_BODY_BYTES) throw new RangeError('a body must be within its bound')
  return cutBody(text, unitsIn(frame)).map((piece, n) => ({
    ...{ seq: first + n, bytes: frameBytes(piece), body: piece },
  }))
}

function join(store: ChannelStore, { seq, body }: FrameOf<'data'>): Result<Body | null> {
  if (body.type !== 'piece') return ok(body)
  // Those that come again, after a crash, are not before this one.
  const kept = store.pieces().filter((one) => one.seq < seq)
  const continues = checkContinues(kept, { seq, piece: body })
  if (!continues.ok) return broken(store, continues)
  if (body.n === body.of - 1) {
    const whole = joinPieces([...store.texts(seq - body.n, seq - 1), body.text], body.sum)
    return whole.ok ? whole : broken(store, whole)
  }
  const bytes = kept.reduce((sum, one) => sum + one.bytes, bytesOf(body.text))
  if (bytes > MAX_KEPT_BYTES || kept.length >= MAX_KEPT_PIECES)
    return broken(store, err('frame_too_large', { max: MAX_KEPT_BYTES }))
  const { n, of, sum, text } = body
  store.putPiece({ seq, n, of, sum, bytes: bytesOf(text) }, text)
  return ok(null)
}

/** What is left of a body that will never be whole, and of a peer that is believed no more, is not kept. */
function broken(store: ChannelStore, why: Extract<Result<never>, { ok: false }>): Result<never> {
  if (why.reason.code !== 'frame_gap') store.dropPieces(Number.MAX_SAFE_INTEGER)
  return why
}

/**
 * After one side lost its state (a wiped folder, a restored backup) the counters no longer meet: without this the
 * peer's new bodies would count as duplicates, or as a gap that nobody can fill. Pieces of before have no others.
 */
function agreeOnReceived(store: ChannelStore, peer: FrameOf<'hello'>): void {
  const received = store.received()
  if (received >= peer.base && received <= peer.last) return
  store.setReceived(Math.min(peer.base, peer.last))
  store.dropPieces(Number.MAX_SAFE_INTEGER)
}
