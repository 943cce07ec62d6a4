/**
 * The reliable half of the tunnel: bodies are numbered, stored in an outbox until acknowledged, and processed in order, each
 * once, across disconnects, restarts and evictions of either side (DESIGN §7, T-04, T-13). Both ends run this code over their
 * own store. Must not send anything: it returns frames.
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
  MAX_BODY_BYTES,
  MAX_PIECES,
  type StoredPiece,
  unitsIn,
} from './piece.ts'

/** One outbox row. `bytes`: size of its frame. */
export interface OutRow {
  readonly seq: number
  readonly bytes: number
  readonly body: Carried
}

/** Number and bytes of the frames in an outbox; also used as a limit. */
export interface Waiting {
  readonly count: number
  readonly bytes: number
}

/** Durable state of one end. Synchronous; each method does one write at most. */
export interface ChannelStore {
  /**
   * One above the highest number ever passed to `putOut`. Only reads: if it reserved a number and a crash prevented storing the
   * body, the peer would wait for that number for ever.
   */
  allocate(): number
  /** Stores the rows and, in the same write, marks their numbers as used. They stay used after `dropOut`. */
  putOut(rows: readonly OutRow[]): void
  /** Rows numbered above `after`, in order; at most `most`, or all. */
  out(after: number, most?: number): readonly { readonly seq: number; readonly body: Carried }[]
  /** Numbers and sizes of the first `most` outbox rows, in order. */
  sizes(most: number): readonly Omit<OutRow, 'body'>[]
  /**
   * Count and bytes of the outbox. Computed without reading bodies, so that flooding the outbox does not make this expensive.
   */
  waiting(): Waiting
  dropOut(upTo: number): void
  /** Highest number of the peer whose effect is durable here; initially 0. */
  received(): number
  setReceived(seq: number): void
  /** Stores a piece under its number; replaces an existing one. */
  putPiece(piece: StoredPiece, text: string): void
  /** All stored pieces, by number. */
  pieces(): readonly StoredPiece[]
  /** Texts of the pieces `first` to `last`, in order. Throws when one is missing or cannot be opened. */
  texts(first: number, last: number): readonly string[]
  dropPieces(upTo: number): void
}

/** Limits for frames in flight (sent, not acknowledged). At least one frame is always allowed, whatever its size. */
export interface Window {
  readonly frames: number
  readonly bytes: number
  /** Maximum bytes of one frame. A larger body is cut into pieces. */
  readonly frame: number
}

/**
 * Default window of either end: an outbox of many megabytes must not be sent at once to a peer that processes frames one by
 * one. A body of maximum size takes several rounds.
 */
export const WINDOW: Window = Object.freeze({
  frames: 64,
  bytes: 4 * 1_048_576,
  frame: MAX_FRAME_BYTES,
})

/**
 * Maximum bytes of stored pieces at one end: a body still arriving, plus bodies in the window whose effect is not yet done.
 * Stops a peer that begins bodies and never ends one.
 */
export const MAX_STORED_BYTES = MAX_BODY_BYTES + WINDOW.bytes + MAX_FRAME_BYTES
/** Maximum number of stored pieces, by the same reasoning. */
export const MAX_STORED_PIECES = MAX_PIECES + WINDOW.frames

/** Maximum size of either outbox: a peer that acknowledges nothing must not fill the disk. */
export const MOST_WAITING: Waiting = Object.freeze({ count: 1_000, bytes: 64 * 1_048_576 })

/** Position of an outbox. */
export interface Owed {
  /** Everything up to this number was acknowledged. */
  readonly base: number
  /** Highest number that the window has allowed to be sent. */
  readonly sent: number
}

export interface Channel {
  /**
   * Stores the body under the next number, or its pieces under the next numbers; returns the frames to send now. The caller
   * need not care whether they arrive. Throws on a body that `checkBody` refuses.
   */
  send(body: Body): readonly FrameOf<'data'>[]
  owed(): Owed
  /** Whether the outbox has reached `most`. */
  isFull(most?: Waiting): boolean
  /** The first unacknowledged frame, to send again; null when the outbox is empty. */
  again(): FrameOf<'data'> | null
  /** Contains no proof. The edge adds its own to the first hello of a connection. */
  hello(epoch: number): FrameOf<'hello'>
  /** Drops what the peer has received; returns the missing frames to send now, within the window. */
  onHello(frame: FrameOf<'hello'>): readonly FrameOf<'data'>[]
  /**
   * `deliver`: run the effect, then call `accepted`. `duplicate`: call `accepted` again and run nothing. `gap`: a frame was
   * lost; send `hello`, and the peer resends from there. The effect must be idempotent by the body's own id: after a crash
   * before `accepted` the same body arrives again.
   */
  onData(frame: FrameOf<'data'>): 'deliver' | 'duplicate' | 'gap'
  /**
   * The body that this frame completes; null after a piece that is not the last, which is stored. Refusals: frame_gap (the body
   * can no longer be completed: accept the frame and go on); frame_malformed and frame_too_large (protocol violation: all
   * pieces are dropped and the frame is not acknowledged).
   */
  join(frame: FrameOf<'data'>): Result<Body | null>
  /** The acknowledgement of a frame. Call it once the effect is durable. Throws when a number would be skipped. */
  accepted(frame: Pick<FrameOf<'data'>, 'seq' | 'body'>): FrameOf<'ack'>
  /** Drops what was acknowledged; returns the frames that the window now allows. */
  onAck(seq: number): readonly FrameOf<'data'>[]
}

/**
 * The window starts at the lowest unacknowledged number. That number is durable, so nothing else needs to survive hibernation.
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
      // A peer that reports more than was ever sent refers to state that this side has lost.
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
      // Dropped after the number is stored: a leftover piece costs a row, a piece dropped too early costs the body.
      if (body.type === 'piece' && body.n === body.of - 1) store.dropPieces(seq)
      return { kind: 'ack', seq: Math.max(seq, received) }
    },
    // Ignores an acknowledgement of a number that was never sent: believing it would drop bodies that are still to come.
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
  // After a crash a piece may arrive again. Only pieces with lower numbers come before it.
  const kept = store.pieces().filter((one) => one.seq < seq)
  const continues = checkContinues(kept, { seq, piece: body })
  if (!continues.ok) return broken(store, continues)
  if (body.n === body.of - 1) {
    const whole = joinPieces([...store.texts(seq - body.n, seq - 1), body.text], body.sum)
    return whole.ok ? whole : broken(store, whole)
  }
  const bytes = kept.reduce((sum, one) => sum + one.bytes, bytesOf(body.text))
  if (bytes > MAX_STORED_BYTES || kept.length >= MAX_STORED_PIECES)
    return broken(store, err('frame_too_large', { max: MAX_STORED_BYTES }))
  const { n, of, sum, text } = body
  store.putPiece({ seq, n, of, sum, bytes: bytesOf(text) }, text)
  return ok(null)
}

/**
 * Passes the refusal on. After any refusal but frame_gap the peer is no longer trusted, and all its stored pieces are dropped.
 */
function broken(store: ChannelStore, why: Extract<Result<never>, { ok: false }>): Result<never> {
  if (why.reason.code !== 'frame_gap') store.dropPieces(Number.MAX_SAFE_INTEGER)
  return why
}

/**
 * After one side lost its state (a wiped folder, a restored backup) the counters disagree: the peer's new bodies would count as
 * duplicates, or as a gap that nobody can fill. This resets the counter. Earlier pieces are dropped too, because the rest of
 * their bodies will not arrive.
 */
function agreeOnReceived(store: ChannelStore, peer: FrameOf<'hello'>): void {
  const received = store.received()
  if (received >= peer.base && received <= peer.last) return
  store.setReceived(Math.min(peer.base, peer.last))
  store.dropPieces(Number.MAX_SAFE_INTEGER)
}

export const PING = 'ping'

const PONG = /^pong (\d{1,15}) (\d{1,15})$/

/** The answer that the edge stores with the platform. */
export function pongOf({ base, sent }: Owed): string {
  return `pong ${base} ${sent}`
}

/** Null for a text that is not a pong. */
export function parsePong(text: string): Owed | null {
  const [, base, sent] = PONG.exec(text) ?? []
  return base === undefined || sent === undefined ? null : { base: Number(base), sent: Number(sent) }
}
