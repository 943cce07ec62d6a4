/**
 * Home's end of the reliable channel: takes the edge's calls in order, runs each once and puts its answer into the
 * outbox; hands on what the edge remembers, one after another (DESIGN §7, T-04, T-13). Survives connections: they are attached and detached. Must not open sockets and
 * must not check what a call may do: `serveHomeCall` does. Called by tunnel-client.ts.
 */
import type { Refusal } from '../kernel/flow/verdict.ts'
import type { OpenMemory } from '../kernel/powers/home-port.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import type { ToldSelf } from '../kernel/self/told.ts'
import type { PauseTold } from '../kernel/task/pause.ts'
import { type ChannelStore, createChannel, type Owed, WINDOW } from '../kernel/tunnel/channel.ts'
import type { Body, EphemeralBody, Frame, FrameOf } from '../kernel/tunnel/frame.ts'
import type { KeptSaid } from '../kernel/tunnel/kept-said.ts'
import type { ToldGrant } from '../kernel/tunnel/told-grants.ts'
import type { SaidCode, ToldLink } from '../kernel/tunnel/told-links.ts'
import type { ToldPerson } from '../kernel/tunnel/told-people.ts'
import type { UnsentNews } from '../kernel/tunnel/unsent-news.ts'
import type { SecretOffer } from '../kernel/vault/secret-offer.ts'
import type { Handover } from './handover.ts'
import { type CallPowers, createCallRunner, onOwnClock } from './tunnel-calls.ts'
import type { EdgeFiles } from './tunnel-files.ts'
import type { Lender } from './tunnel-models.ts'

export interface InboxPowers extends CallPowers {
  readonly channel: ChannelStore
  /** Who takes the edge's questions to models. */
  readonly lender: Lender
  /** Who reads the owner's files for the edge. */
  readonly files: EdgeFiles
  /** One bot for both lines: what the owner wrote there, and the way back. */
  readonly bothLines: BothLinesEnd
  /** Keeps what the edge tells; throws only when it could not be stored. */
  readonly remember: (memory: OpenMemory) => Promise<void>
  /** Takes what was typed at the edge, in its box; throws only when it could not be stored. */
  readonly takeSecret: (offer: SecretOffer) => Promise<void>
  /** Takes a one-time code that was said at the edge; throws only when it could not be stored. */
  readonly hearCode: (said: SaidCode) => Promise<void>
  /** Links that the edge is told of; asked for at each connection. */
  readonly links: () => readonly ToldLink[]
  /** The same, of whom the owner is paired with. */
  readonly people: () => readonly ToldPerson[]
  /** Grants that the edge is told of; asked for at each connection. */
  readonly grants: () => readonly ToldGrant[]
  /** What the owner said of pausing: home's word, and where the edge's goes. */
  readonly pause: {
    readonly told: () => PauseTold
    readonly heard: (told: PauseTold) => void
    readonly over: () => Promise<void>
  }
  /** Links that the owner ended at the edge. */
  readonly unlinked: (links: readonly string[]) => void
  /** What the edge closes such boxes for, base64url. */
  readonly sealKey: string
  readonly timezone: string
  /** What the edge is told of the assistant; asked for at each connection. */
  readonly self: () => ToldSelf
  /** Home's clock, epoch milliseconds. */
  readonly now: () => number
  /** Something that must not happen did; the connection is dropped and the edge sends again. */
  readonly fault: () => void
  /** Told of a body that can never come whole, as after one end lost its state: a line of the audit. */
  readonly lost: (reason: Refusal) => void
}

export interface BothLinesEnd {
  /** The template whose tasks home answers there; null since that was taken back, undefined where it was never so. */
  readonly template: () => string | null | undefined
  /** Takes a message of his that left the edge at `sent`, epoch milliseconds of the edge, where it says so; throws only when it could not be stored. */
  readonly hear: (kept: KeptSaid, sent: number | undefined) => Promise<void>
  readonly handover: Pick<Handover, 'attach' | 'detach' | 'take'>
  /** A question of the edge's waits on the open line, as his chat there does not show it. */
  readonly cardWaits: () => void
  /** Something meant for that chat waits for it, or will not come. */
  readonly unsent: (news: UnsentNews) => void
}

/** How the connection goes on after a frame. */
export type Taken =
  | { readonly next: 'go_on' | 'up' }
  /** The edge will not go on. */
  | { readonly next: 'stop'; readonly code: ReasonCode }
  /** Home will not: the edge breaks the rules. */
  | { readonly next: 'refuse'; readonly reason: Refusal }

export interface TunnelInbox {
  /** The edge of this connection has proved itself: frames go out through `send` from now on. */
  attach(send: (frame: Frame) => void, drop: () => void, epoch: number): void
  detach(): void
  take(frame: Frame): Taken
  /**
   * A beat was answered: what was lost, and is followed by nothing that would show it, is asked for, said or
   * acknowledged once more.
   */
  beat(owed: Owed): void
  /** Says anew what changes without a number: whether the owner has everything pause. */
  greet(): void
  /** Puts a body of home's own into the outbox, and sends it if somebody is there. Returns its number. */
  tell(body: Body): number
  /** Resolves when no call runs. */
  settled(): Promise<void>
}

/**
 * Milliseconds after which a hole that is still there is asked about again: the question or its answer was lost. And for
 * which a link must have been silent before a beat shows that something was.
 */
export const ASK_AGAIN = 1_000

const GO_ON: Taken = { next: 'go_on' }

interface Connection {
  readonly send: (frame: Frame) => void
  readonly drop: () => void
  readonly epoch: number
  /** Number at which the last resend was asked for, so that one hole causes one resend at a time; and when. */
  asked: number
  askedAt: number
  greeted: boolean
  /** When a frame last came or a body last left. */
  busyAt: number
}

export function createTunnelInbox(powers: InboxPowers): TunnelInbox {
  const { channel: store } = powers
  const channel = createChannel(store)
  const runCall = createCallRunner(powers)
  let connection: Connection | null = null
  /** Highest number whose effect has begun; those up to `store.received()` have ended. */
  let taken = store.received()
  let line: Promise<void> = Promise.resolve()
  /** Memories and secrets are kept in the order in which they were told. */
  let remembering: Promise<void> = Promise.resolve()

  /** Before the edge's hello it is not known what it lacks; what is left out here is sent by `onHello`. */
  const emit = (frame: Frame): void => {
    if (connection === null || (frame.kind === 'data' && !connection.greeted)) return
    if (frame.kind === 'data') connection.busyAt = powers.now()
    connection.send(frame)
  }

  const helloOf = (epoch: number): Frame => ({ ...channel.hello(epoch), pause: powers.pause.told() })

  const onData = (frame: FrameOf<'data'>): Taken => {
    const received = store.received()
    if (frame.seq <= received) emit(channel.accepted(frame))
    // Not taken, so not acknowledged: an edge that asks faster than it takes answers waits, and sends again.
    else if (frame.seq > received + WINDOW.frames || channel.isFull()) return GO_ON
    else if (frame.seq === taken + 1) return begin(frame)
    else if (frame.seq > taken) askAgain()
    return GO_ON
  }

  /** Effects run side by side; they are acknowledged in order, each after its own has ended. */
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

  /** Calls, memories, secrets, codes and the owner's words are all that the edge may send; anything else is acknowledged and has no effect. */
  const effectOf = (body: Body, sent: number | undefined): Promise<readonly Frame[]> => {
    if (body.type === 'home_call')
      // While he pauses it waits, not yet begun and not acknowledged; its time does not run meanwhile.
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
    if (body.type === 'kept_said') return () => powers.bothLines.hear(body.kept, sent)
    return body.type === 'link_code' ? () => powers.hearCode(body.said) : null
  }

  const askAgain = (): void => {
    const at = powers.now()
    if (connection === null || (connection.asked === taken && at - connection.askedAt < ASK_AGAIN)) return
    connection.asked = taken
    connection.askedAt = at
    emit(helloOf(connection.epoch))
  }

  const onHello = (frame: FrameOf<'hello'>): Taken => {
    // Before anything else of the edge's: no row is begun that he has told it to leave.
    if (frame.pause !== undefined) powers.pause.heard(frame.pause)
    if (frame.unlinked !== undefined && frame.unlinked.length > 0) powers.unlinked(frame.unlinked)
    const before = store.received()
    const missing = channel.onHello(frame)
    // The peer counts from another number than the one that is remembered here, as after a restored backup.
    if (store.received() !== before) taken = store.received()
    const first = connection !== null && !connection.greeted
    // A peer that greets again may have no hello of ours, and takes nothing before it has.
    if (connection?.greeted === true) emit(helloOf(connection.epoch))
    if (connection !== null) connection.greeted = true
    const say = (body: EphemeralBody): void => emit({ kind: 'ephemeral', body })
    powers.lender.attach(frame.epoch, say)
    powers.files.attach(frame.epoch, say)
    powers.bothLines.handover.attach(say)
    for (const each of missing) emit(each)
    if (first) {
      const { timezone, sealKey } = powers
      tellOnce({ type: 'profile', timezone })
      tellOnce({ type: 'self', self: powers.self() })
      tellOnce({ type: 'seal_key', key: sealKey })
      tellOnce({ type: 'links', links: powers.links() })
      tellOnce({ type: 'grants', grants: powers.grants() })
      tellOnce({ type: 'people', people: [...powers.people()] })
      const template = powers.bothLines.template()
      if (template !== undefined) tellOnce({ type: 'both_lines', template })
    }
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

  /** Once a connection, unless the same still waits: a link that flaps must not fill the outbox. */
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
