/**
 * The reliable half of the tunnel: bodies are numbered, kept in an outbox until acknowledged, and taken in order,
 * so that each has its effect once across drops, restarts and evictions of either side (DESIGN §7, T-04, T-13).
 * Both ends run this code over their own store. Must not send anything: it returns frames.
 */
import { type Body, checkBody, type FrameOf, PROTOCOL_VERSION } from './frame.ts'

/** Durable state of one end. Synchronous; every method is one write at most. */
export interface ChannelStore {
  /**
   * One above the highest number ever given to `putOut`. Reads only: a number that was counted up but whose body
   * a crash kept from being stored would be a hole that the peer waits for without end.
   */
  allocate(): number
  /** Stores the body and, in the same write, that `seq` is used: it stays used after `dropOut`. */
  putOut(seq: number, body: Body): void
  /** Bodies numbered above `after`, by number; the first `most` of them, or all. */
  out(after: number, most?: number): readonly { readonly seq: number; readonly body: Body }[]
  dropOut(upTo: number): void
  /** Highest number of the peer whose effect is durable here; 0 at first. */
  received(): number
  setReceived(seq: number): void
}

export interface Channel {
  /** Stores the body and returns its frame, to be sent if `mayGo`; whether the frame arrives is not the caller's care. Throws on a body that `checkBody` refuses. */
  send(body: Body): FrameOf<'data'>
  /** Whether this number lies within the window; one beyond it is returned by the `onAck` that makes room. */
  mayGo(seq: number): boolean
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
  /** The acknowledgement of `seq`, called after its effect is durable. Throws when numbers would be skipped. */
  accepted(seq: number): FrameOf<'ack'>
  /** Forgets what the peer has; returns what may go now and might not before. */
  onAck(seq: number): readonly FrameOf<'data'>[]
}

/**
 * `window`: bodies in flight at most, that is, sent and not acknowledged. It is counted from the lowest number that is
 * not acknowledged, which is durable, so that nothing else must survive hibernation.
 */
export function createChannel(store: ChannelStore, window = Number.POSITIVE_INFINITY): Channel {
  const last = (): number => store.allocate() - 1
  const base = (): number => (store.out(0, 1)[0]?.seq ?? store.allocate()) - 1
  /** `most` may be infinite. */
  const frames = (after: number, most: number): readonly FrameOf<'data'>[] =>
    store
      .out(after, Number.isFinite(most) ? most : undefined)
      .map(({ seq, body }) => ({ kind: 'data', seq, body }))
  return {
    send(body) {
      if (!checkBody(body).ok) throw new RangeError('a body must fit one frame')
      const seq = store.allocate()
      store.putOut(seq, body)
      return { kind: 'data', seq, body }
    },
    mayGo: (seq) => seq <= base() + window,
    hello: (epoch) => ({
      kind: 'hello',
      version: PROTOCOL_VERSION,
      epoch,
      received: store.received(),
      base: base(),
      last: last(),
      proof: null,
    }),
    onHello(peer) {
      agreeOnReceived(store, peer)
      // A peer that has more than was ever sent from here speaks of a state that this side has lost.
      const has = peer.received <= last() ? peer.received : 0
      store.dropOut(has)
      return frames(has, window)
    },
    onData({ seq }) {
      const next = store.received() + 1
      return seq === next ? 'deliver' : seq < next ? 'duplicate' : 'gap'
    },
    accepted(seq) {
      const received = store.received()
      if (seq > received + 1) throw new RangeError('a body was accepted out of order')
      if (seq === received + 1) store.setReceived(seq)
      return { kind: 'ack', seq: Math.max(seq, received) }
    },
    // A peer cannot acknowledge what was never sent: believing it would drop bodies that are still to come.
    onAck(seq) {
      const before = base()
      store.dropOut(Math.min(seq, last()))
      return Number.isFinite(window) ? frames(before + window, base() - before) : []
    },
  }
}

/**
 * After one side lost its state (a wiped folder, a restored backup) the counters no longer meet: without this the
 * peer's new bodies would count as duplicates, or as a gap that nobody can fill.
 */
function agreeOnReceived(store: ChannelStore, peer: FrameOf<'hello'>): void {
  const received = store.received()
  if (received < peer.base || received > peer.last) store.setReceived(Math.min(peer.base, peer.last))
}
