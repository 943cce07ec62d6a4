/**
 * Home's end of the reliable channel: takes the edge's calls in order, runs each once and puts its answer into the
 * outbox; hands on what the edge remembers, one after another (DESIGN §7, T-04, T-13). Survives connections: they are attached and detached. Must not open sockets and
 * must not check what a call may do: `serveHomeCall` does. Called by tunnel-client.ts.
 */
import type { ReasonCode } from '../kernel/flow/verdict.ts'
import type { HomeAnswer, HomeCall, OpenMemory, Store } from '../kernel/powers/ports.ts'
import { type ChannelStore, createChannel } from '../kernel/tunnel/channel.ts'
import { type Body, checkBody, type Frame, type FrameOf } from '../kernel/tunnel/frame.ts'
import type { SecretOffer } from '../kernel/vault/secret-offer.ts'

export interface InboxPowers {
  /** In the same database as `store`, so that an answer and its marker are one transaction. */
  readonly channel: ChannelStore
  readonly store: Pick<Store, 'transaction' | 'countUse' | 'uses'>
  readonly serve: (call: HomeCall) => Promise<HomeAnswer>
  /** Keeps what the edge tells; throws only when it could not be stored. */
  readonly remember: (memory: OpenMemory) => Promise<void>
  /** Takes what was typed at the edge, in its box; throws only when it could not be stored. */
  readonly takeSecret: (offer: SecretOffer) => Promise<void>
  /** What the edge closes such boxes for, base64url. */
  readonly sealKey: string
  /** True unless the tool is known to be a read: what may have changed something is never run twice. */
  readonly isWrite: (tool: string) => boolean
  readonly timezone: string
  /** Home's clock, epoch milliseconds. */
  readonly now: () => number
  /** Something that must not happen did; the connection is dropped and the edge sends again. */
  readonly fault: () => void
}

/** How the connection goes on after a frame. */
export type Taken = { readonly next: 'go_on' | 'up' } | { readonly next: 'stop'; readonly code: ReasonCode }

export interface TunnelInbox {
  /** The edge of this connection has proved itself: frames go out through `send` from now on. */
  attach(send: (frame: Frame) => void, drop: () => void, epoch: number): void
  detach(): void
  take(frame: Frame): Taken
  /** Puts a body of home's own into the outbox, and sends it if somebody is there. Returns its number. */
  tell(body: Body): number
  /** Resolves when no call runs. */
  settled(): Promise<void>
}

/** Milliseconds after which a hole that is still there is asked about again: the question or its answer was lost. */
export const ASK_AGAIN = 1_000

/** Calls that run at once: each may hold a response of megabytes in memory. */
const MAX_RUNNING = 8
const GO_ON: Taken = { next: 'go_on' }

interface Connection {
  readonly send: (frame: Frame) => void
  readonly drop: () => void
  readonly epoch: number
  /** Number at which the last resend was asked for, so that one hole causes one resend at a time; and when. */
  asked: number
  askedAt: number
  greeted: boolean
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
    if (frame.kind !== 'data' || connection?.greeted === true) connection?.send(frame)
  }
  const put = (body: Body): Frame => channel.send(body)

  const onData = (frame: FrameOf<'data'>): void => {
    if (frame.seq <= store.received()) emit(channel.accepted(frame.seq))
    else if (frame.seq === taken + 1) begin(frame)
    else if (frame.seq > taken) askAgain()
  }

  /** Effects run side by side; they are acknowledged in order, each after its own has ended. */
  const begin = (frame: FrameOf<'data'>): void => {
    taken = frame.seq
    const effect = effectOf(frame)
    const sent = effect.then((answer) => answer !== null && emit(answer))
    line = Promise.allSettled([line, sent]).then(([, own]) => {
      if (own.status === 'fulfilled' && frame.seq === store.received() + 1) {
        emit(channel.accepted(frame.seq))
        return
      }
      taken = store.received()
      powers.fault()
      connection?.drop()
    })
  }

  /** Calls, memories and secrets are all that the edge may send; anything else is acknowledged and has no effect. */
  const effectOf = ({ body, at }: FrameOf<'data'>): Promise<Frame | null> => {
    if (body.type === 'home_call') return runCall(onOwnClock(body.call, { sent: at, now: powers.now() }), put)
    if (body.type !== 'memory' && body.type !== 'secret') return Promise.resolve(null)
    const kept = remembering.then(() =>
      body.type === 'memory' ? powers.remember(body.memory) : powers.takeSecret(body.offer),
    )
    remembering = kept.catch(() => undefined)
    return kept.then(() => null)
  }

  const askAgain = (): void => {
    const at = powers.now()
    if (connection === null || (connection.asked === taken && at - connection.askedAt < ASK_AGAIN)) return
    connection.asked = taken
    connection.askedAt = at
    emit(channel.hello(connection.epoch))
  }

  const onHello = (frame: FrameOf<'hello'>): Taken => {
    const before = store.received()
    const missing = channel.onHello(frame)
    // The peer counts from another number than the one that is remembered here, as after a restored backup.
    if (store.received() !== before) taken = store.received()
    const first = connection !== null && !connection.greeted
    // A peer that greets again may have no hello of ours, and takes nothing before it has.
    if (connection?.greeted === true) emit(channel.hello(connection.epoch))
    if (connection !== null) connection.greeted = true
    for (const each of missing) emit(each)
    if (first) {
      const { timezone, sealKey } = powers
      tellOnce({ type: 'profile', timezone })
      tellOnce({ type: 'seal_key', key: sealKey })
    }
    return { next: 'up' }
  }

  /** Once a connection, unless the same still waits: a link that flaps must not fill the outbox. */
  const tellOnce = (body: Body): void => {
    const same = JSON.stringify(body)
    if (!store.out(0).some((row) => JSON.stringify(row.body) === same)) emit(channel.send(body))
  }

  return {
    attach(send, drop, epoch) {
      connection = { send, drop, epoch, asked: -1, askedAt: 0, greeted: false }
      emit(channel.hello(epoch))
    },
    detach() {
      connection = null
    },
    take(frame) {
      if (frame.kind === 'hello') return onHello(frame)
      if (frame.kind === 'refused') return { next: 'stop', code: frame.code }
      if (frame.kind === 'data') onData(frame)
      if (frame.kind === 'ack') channel.onAck(frame.seq)
      return GO_ON
    },
    tell(body) {
      const frame = channel.send(body)
      emit(frame)
      return frame.seq
    },
    settled: () => line,
  }
}

/**
 * Runs a call at most once to an answer. Two markers make it so across crashes: `started` is durable before a write
 * runs, `answered` in one transaction with the answer in the outbox. Resolves to the frame, or null when an earlier
 * run has answered. A read found unanswered runs again; a write is reported as unknown (DESIGN §3).
 */
function createCallRunner(
  powers: InboxPowers,
): (call: HomeCall, put: (body: Body) => Frame) => Promise<Frame | null> {
  const { store, isWrite, serve } = powers
  const running = new Map<string, Promise<Frame | null>>()
  const gate = createGate(MAX_RUNNING)

  const answer = async (call: HomeCall): Promise<HomeAnswer> => {
    const first = !isWrite(call.tool) || store.transaction(() => store.countUse(marker(call, 'started'), 1))
    if (!first) return failed(call, 'write_outcome_unknown')
    const given = await serve(call).catch(() => failed(call, 'internal_fault'))
    return checkBody({ type: 'home_answer', answer: given }).ok ? given : failed(call, 'response_too_large')
  }

  const run = async (call: HomeCall, put: (body: Body) => Frame): Promise<Frame | null> => {
    if (store.uses(marker(call, 'answered')) > 0) return null
    const given = await gate(() => answer(call))
    return store.transaction(() =>
      store.countUse(marker(call, 'answered'), 1) ? put({ type: 'home_answer', answer: given }) : null,
    )
  }

  return (call, put) => {
    const already = running.get(call.id)
    if (already !== undefined) return already.then(() => null)
    const work = run(call, put).finally(() => running.delete(call.id))
    running.set(call.id, work)
    return work
  }
}

/** The edge's time counts (T-14): what was left until its deadline as it sent the call is left now. */
function onOwnClock(
  call: HomeCall,
  { sent, now }: { readonly sent: number | undefined; readonly now: number },
): HomeCall {
  return sent === undefined ? call : { ...call, deadline: now + (call.deadline - sent) }
}

function marker(call: HomeCall, what: 'started' | 'answered'): string {
  return `home_call:${call.id}:${what}`
}

function failed({ id, task, step }: HomeCall, reason: ReasonCode): HomeAnswer {
  return { id, task, step, ok: false, reason }
}

/** At most `limit` at once; the rest wait in order. */
function createGate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let busy = 0
  return async (work) => {
    if (busy >= limit) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) busy -= 1
      else next()
    }
  }
}
