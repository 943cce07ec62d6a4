/**
 * Home's end of the reliable channel: takes the edge's frames in order, runs each call once, puts the answer into the
 * outbox and forwards messages and memories in order (DESIGN §7, T-04, T-13). Lives across connections. Must not open
 * sockets or check what a call may do: `serveHomeCall` does. Called by tunnel-client.ts.
 */

import type { OpenMemory } from '../../kernel/features/places/home-port.ts'
import type { Refusal } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { PauseSync } from '../../kernel/task/pause.ts'
import { type ChannelStore, createChannel, type Owed, WINDOW } from '../../kernel/tunnel/channel.ts'
import type { Body, EphemeralBody, Frame, FrameOf } from '../../kernel/tunnel/frame.ts'
import type { QueuedMessage } from '../../kernel/tunnel/queued-message.ts'
import type { CodeUse, UnsentNews } from '../../kernel/tunnel/synced.ts'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import type { Handover } from './handover.ts'
import { type CallPowers, createCallRunner, onOwnClock } from './tunnel-calls.ts'
import type { EdgeFiles } from './tunnel-files.ts'
import type { Lender } from './tunnel-models.ts'

export interface InboxPowers extends CallPowers {
  readonly channel: ChannelStore
  readonly lender: Lender
  readonly files: EdgeFiles
  /** Messages from and deliveries to the owner's chat with the edge's bot. */
  readonly bothLines: BothLinesEnd
  /** Stores a memory that the edge sends. Throws only if it could not be stored. */
  readonly remember: (memory: OpenMemory) => Promise<void>
  /** Takes a sealed secret that was typed at the edge. Throws only if it could not be stored. */
  readonly takeSecret: (offer: SecretOffer) => Promise<void>
  /** Takes a one-time code that was sent to the edge. Throws only if it could not be stored. */
  readonly takeCode: (said: CodeUse) => Promise<void>
  /** What the edge has to know of home, in order; read at each connection. */
  readonly facts: () => readonly Body[]
  /** The owner's pause state: home's entry to send, the edge's entry to store, and the end of the pause. */
  readonly pause: {
    readonly toSend: () => PauseSync
    readonly receive: (told: PauseSync) => void
    readonly over: () => Promise<void>
  }
  /** Called with the links that the owner ended at the edge. */
  readonly unlinked: (links: readonly string[]) => void
  /** Home's clock, epoch milliseconds. */
  readonly now: () => number
  /** Reports an internal fault. The connection is dropped and the edge sends again. */
  readonly fault: () => void
  /** Called for a body that can never be completed, such as after one end lost its state; writes an audit row. */
  readonly lost: (reason: Refusal) => void
}

export interface BothLinesEnd {
  /**
   * Takes a message of the owner. `sent`: when it left the edge, by the edge's clock (epoch milliseconds), if known.
   * Throws only if it could not be stored.
   */
  readonly takeMessage: (kept: QueuedMessage, sent: number | undefined) => Promise<void>
  readonly handover: Pick<Handover, 'attach' | 'detach' | 'take'>
  /** An approval of the edge is pending on the open line; the chat with the bot does not show it. */
  readonly cardWaits: () => void
  /** A delivery to that chat is queued, or was lost. */
  readonly unsent: (news: UnsentNews) => void
}

/** How the connection continues after a frame. */
export type Taken =
  | { readonly next: 'go_on' | 'up' }
  /** The edge closed the connection and gave a reason. */
  | { readonly next: 'stop'; readonly code: ReasonCode }
  /** The edge violated the protocol. */
  | { readonly next: 'refuse'; readonly reason: Refusal }

export interface TunnelInbox {
  /** Call when the edge of this connection has proved its key. From then on frames go out through `send`. */
  attach(send: (frame: Frame) => void, drop: () => void, epoch: number): void
  detach(): void
  take(frame: Frame): Taken
  /** Handles the answer to a beat: asks for, resends or acknowledges what was lost without a later frame to show it. */
  beat(owed: Owed): void
  /** Sends a new hello, which carries the pause state. */
  greet(): void
  /** Puts a body into the outbox and sends it if connected. Returns its number. */
  tell(body: Body): number
  /** Resolves when no call runs. */
  settled(): Promise<void>
}

/**
 * Milliseconds until a gap that is still open is asked about again (the request or its answer was lost), and that a
 * link must be silent before a beat counts as showing a loss.
 */
export const ASK_AGAIN = 1_000

const GO_ON: Taken = { next: 'go_on' }

interface Connection {
  readonly send: (frame: Frame) => void
  readonly drop: () => void
  readonly epoch: number
  /** Number and time of the last resend request: a gap causes one request at a time. */
  asked: number
  askedAt: number
  greeted: boolean
  /** When a frame last arrived or a body was last sent. */
  busyAt: number
}

export function createTunnelInbox(powers: InboxPowers): TunnelInbox {
  const { channel: store } = powers
  const channel = createChannel(store)
  const runCall = createCallRunner(powers)
  let connection: Connection | null = null
  /** Highest number whose effect has started; those up to `store.received()` have finished. */
  let taken = store.received()
  let line: Promise<void> = Promise.resolve()
  /** Memories and secrets are stored in the order of arrival. */
  let remembering: Promise<void> = Promise.resolve()

  /** Data is held back until the edge's hello says what it lacks; `onHello` sends it then. */
  const emit = (frame: Frame): void => {
    if (connection === null || (frame.kind === 'data' && !connection.greeted)) return
    if (frame.kind === 'data') connection.busyAt = powers.now()
    connection.send(frame)
  }

  const helloOf = (epoch: number): Frame => ({ ...channel.hello(epoch), pause: powers.pause.toSend() })

  const onData = (frame: FrameOf<'data'>): Taken => {
    const received = store.received()
    if (frame.seq <= received) emit(channel.accepted(frame))
    // Outside the window: neither taken nor acknowledged. The edge waits and sends again.
    else if (frame.seq > received + WINDOW.frames || channel.isFull()) return GO_ON
    else if (frame.seq === taken + 1) return begin(frame)
    else if (frame.seq > taken) askAgain()
    return GO_ON
  }

  /** Effects run concurrently. Acknowledgements go out in order, each after its own effect has finished. */
  const begin = (frame: FrameOf<'data'>): Taken => {
    const whole = channel.join(frame)
    if (!whole.ok && whole.reason.code !== 'frame_gap') return { next: 'refuse', reason: whole.reason }
    if (!whole.ok) powers.lost(whole.reason)
    taken = frame.seq
    const body = whole.ok ? whole.value : null
    const effect = body === null ? Promise.resolve([]) : effectOf(body, frame.at)
    const sent = effect.then((answers) => answers.forEach(emit))
    line = Promise.allSettled([line, sent]).then(([, own]) => {
      if (own.status === 'fulfilled' && frame.seq === store.received() + 1) {
        emit(channel.accepted(frame))
        return
      }
      taken = store.received()
      powers.fault()
      connection?.drop()
    })
    return GO_ON
  }

  /** Ignores any other body: it is acknowledged and has no effect. */
  const effectOf = (body: Body, sent: number | undefined): Promise<readonly Frame[]> => {
    if (body.type === 'home_call')
      // While paused, a call is neither started nor acknowledged, and its deadline does not run.
      return powers.pause
        .over()
        .then(() => runCall(onOwnClock(body.call, { sent, now: powers.now() }), channel.send))
    const keep = keepingOf(body, sent)
    if (keep === null) return Promise.resolve([])
    const kept = remembering.then(keep)
    remembering = kept.catch(() => undefined)
    return kept.then(() => [])
  }

  const keepingOf = (body: Body, sent: number | undefined): (() => Promise<void>) | null => {
    if (body.type === 'memory') return () => powers.remember(body.memory)
    if (body.type === 'secret') return () => powers.takeSecret(body.offer)
    if (body.type === 'kept_said') return () => powers.bothLines.takeMessage(body.kept, sent)
    return body.type === 'link_code' ? () => powers.takeCode(body.said) : null
  }

  const askAgain = (): void => {
    const at = powers.now()
    if (connection === null || (connection.asked === taken && at - connection.askedAt < ASK_AGAIN)) return
    connection.asked = taken
    connection.askedAt = at
    emit(helloOf(connection.epoch))
  }

  const onHello = (frame: FrameOf<'hello'>): Taken => {
    // First of all, so that no call starts after the owner has paused.
    if (frame.pause !== undefined) powers.pause.receive(frame.pause)
    if (frame.unlinked !== undefined && frame.unlinked.length > 0) powers.unlinked(frame.unlinked)
    const before = store.received()
    const missing = channel.onHello(frame)
    // The peer's numbering differs from the stored one, as after a restored backup.
    if (store.received() !== before) taken = store.received()
    const first = connection !== null && !connection.greeted
    // A peer that sends a second hello may have missed ours, and accepts nothing without it.
    if (connection?.greeted === true) emit(helloOf(connection.epoch))
    if (connection !== null) connection.greeted = true
    const say = (body: EphemeralBody): void => emit({ kind: 'ephemeral', body })
    powers.lender.attach(frame.epoch, say)
    powers.files.attach(frame.epoch, say)
    powers.bothLines.handover.attach(say)
    for (const each of missing) emit(each)
    if (first) powers.facts().forEach(tellOnce)
    return { next: 'up' }
  }

  const onEphemeral = (body: EphemeralBody): void => {
    if (body.type === 'model_ask') powers.lender.take(body.ask)
    if (body.type === 'model_stop') powers.lender.stop(body.id)
    if (body.type === 'file_ask') powers.files.take(body.ask)
    if (body.type === 'delivered') powers.bothLines.handover.take(body.told)
    if (body.type === 'card_waits') powers.bothLines.cardWaits()
    if (body.type === 'unsent') powers.bothLines.unsent(body.unsent)
  }

  /** Once per connection, unless the same body is still queued: a flapping link must not fill the outbox. */
  const tellOnce = (body: Body): void => {
    const same = JSON.stringify(body)
    if (!store.out(0).some((row) => JSON.stringify(row.body) === same)) channel.send(body).forEach(emit)
  }

  return {
    attach(send, drop, epoch) {
      connection = { send, drop, epoch, asked: -1, askedAt: 0, greeted: false, busyAt: powers.now() }
      emit(helloOf(epoch))
    },
    detach() {
      connection = null
      powers.lender.detach()
      powers.files.detach()
      powers.bothLines.handover.detach()
    },
    take(frame) {
      if (connection !== null) connection.busyAt = powers.now()
      if (frame.kind === 'hello') return onHello(frame)
      if (frame.kind === 'refused') return { next: 'stop', code: frame.code }
      if (frame.kind === 'data') return onData(frame)
      if (frame.kind === 'ack') channel.onAck(frame.seq).forEach(emit)
      if (frame.kind === 'ephemeral') onEphemeral(frame.body)
      return GO_ON
    },
    beat({ base, sent }) {
      if (connection?.greeted !== true || powers.now() - connection.busyAt < ASK_AGAIN) return
      if (sent > taken) askAgain()
      if (base < store.received()) emit({ kind: 'ack', seq: store.received() })
      const mine = channel.again()
      if (mine !== null) emit(mine)
    },
    greet() {
      if (connection?.greeted === true) emit(helloOf(connection.epoch))
    },
    tell(body) {
      const seq = store.allocate()
      channel.send(body).forEach(emit)
      return seq
    },
    settled: () => line,
  }
}
