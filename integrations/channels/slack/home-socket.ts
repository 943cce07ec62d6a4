/**
 * Home's connection to Slack by Socket Mode: home dials out, and Slack brings what is written and tapped, an envelope at a time. Each
 * is handled in its order, and acknowledged once it is durable: what a kill cuts off comes again, and the shell finds it taken (B-24,
 * B-26). Slack ends every connection after some hours and says so: the next is up before the last is let go of. The address of a
 * connection is a credential: it is in no line and no reason. Must not say what an envelope is worth: `handle` does. Called by
 * home-line.ts and home-owner.ts.
 */
import type { LookupFunction } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { LONGEST, pauseAfter } from '../runtime/backoff.ts'
import { SLACK, SLACK_ORIGIN } from './channel.ts'
import { acknowledgement, readFrame, type SlackFrame } from './frame.ts'

export interface Envelope {
  /** `events_api`, `interactive`, or another. */
  readonly of: string
  readonly payload: unknown
}

/** Milliseconds. */
export interface SocketTiming {
  /** For the connection, and then again for Slack's hello. */
  readonly handshake: number
  readonly beat: number
  /** Up this long, its end is no failure. */
  readonly stable: number
  /** That a connection which is to end is still listened to. */
  readonly overlap: number
}

export const SOCKET_TIMING: SocketTiming = Object.freeze({
  handshake: 10_000,
  beat: 20_000,
  stable: 10_000,
  overlap: 30_000,
})

export interface SocketModeInput {
  /** The address of one more connection. Refusals: as of the Web API. */
  readonly open: () => Promise<Result<string>>
  /** Resolves once it is durable. A refusal: it is to come again. */
  readonly handle: (envelope: Envelope) => Promise<Result<unknown>>
  /** In [0, 1). */
  readonly chance: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Ends it. */
  readonly signal: AbortSignal
  /** Why it does not hear, at each time that it changed; null once it hears. */
  readonly news: (trouble: Refusal | null) => void
  /** A part that threw, without its text. */
  readonly fault: (part: string) => void
  /** Null for an emulator on this machine. */
  readonly lookup: LookupFunction | null
  readonly timing?: SocketTiming
}

export interface SocketMode {
  /** Resolves when nothing of it runs any more. */
  readonly done: Promise<void>
}

/** Bytes of one frame: a message of 40,000 characters stands in it several times. */
const MAX_FRAME = 2_000_000
/** Envelopes that wait for their turn: beyond, the connection ends, and Slack brings them again. */
const MOST_WAITING = 500
/** UTF-16 units of all of them: as many of the largest frames would take a gigabyte. */
const MOST_HELD = 8_000_000
/** Beats without a sign before a connection counts as dead. */
const MAX_MISSED = 2

/** Why a connection is not the one to listen to any more. */
type Ended = { readonly after: number; readonly reason: Refusal | null }

interface Shared {
  readonly input: SocketModeInput
  readonly timing: SocketTiming
  /** All that are open: one, and for a moment two. */
  readonly sockets: Set<WebSocket>
  readonly noted: (trouble: Refusal | null) => void
  /** After all that came before it. */
  readonly enqueue: Enqueue
}

/** False where too much waits. `size`: UTF-16 units that the work holds on to. */
type Enqueue = (work: () => Promise<void>, size?: number) => boolean

export function startSocketMode(input: SocketModeInput): SocketMode {
  const { signal, news, timing = SOCKET_TIMING } = input
  let told: string | null = ''
  const noted = (now: Refusal | null): void => {
    const name = now === null ? null : `${now.code} ${String(now.facts['why'])}`
    if (name === told) return
    told = name
    news(now)
  }
  const queue = createQueue(() => input.fault(SLACK))
  const shared: Shared = { input, timing, sockets: new Set(), noted, enqueue: queue.enqueue }
  const stopped = new Promise<Ended>((resolve) =>
    signal.addEventListener('abort', () => resolve({ after: 0, reason: null })),
  )
  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const { after, reason } = await Promise.race([connectOnce(shared), stopped])
      if (signal.aborted) break
      if (reason !== null) noted(reason)
      failures = after >= timing.stable ? 0 : failures + 1
      // One that served and ends is followed at once.
      if (failures === 0 && reason === null) continue
      await pause(waitFor(reason, Math.max(failures, 1), input.chance()), undefined, { signal }).catch(
        () => undefined,
      )
    }
    // What was handled is acknowledged before the connection goes.
    await queue.empty()
    await Promise.all([...shared.sockets].map(hangUp))
  }
  return { done: run() }
}

/** Milliseconds for Slack to say that it has heard. */
const GOODBYE = 1_000

function hangUp(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), GOODBYE)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
    if (socket.readyState === WebSocket.OPEN) socket.close(1000)
    else socket.terminate()
  })
}

function waitFor(reason: Refusal | null, failures: number, chance: number): number {
  if (reason?.facts['why'] === SWITCHED_OFF) return LONGEST
  const asked = reason?.facts['retryAfter']
  return pauseAfter(failures, chance, typeof asked === 'number' ? asked : null)
}

/** Socket Mode was taken off the app. */
export const SWITCHED_OFF = 'switched_off'

async function connectOnce(shared: Shared): Promise<Ended> {
  const { open, signal, fault } = shared.input
  try {
    const address = await open()
    if (!address.ok) return { after: 0, reason: address.reason }
    return signal.aborted ? { after: 0, reason: null } : await serve(shared, address.value)
  } catch {
    // Storage that fails, or an address that is none: its words could quote it.
    fault(SLACK)
    return { after: 0, reason: reasonOf('remote_unavailable') }
  }
}

/** Until this connection is not the one to listen to any more. */
function serve(shared: Shared, address: string): Promise<Ended> {
  const { input, timing, sockets, noted } = shared
  const socket = new WebSocket(address, {
    ...{ maxPayload: MAX_FRAME, perMessageDeflate: false, followRedirects: false },
    ...{ handshakeTimeout: timing.handshake },
    ...(input.lookup !== null && { lookup: input.lookup }),
  })
  const former = [...sockets]
  sockets.add(socket)
  const began = input.now()
  let heard = false
  return new Promise((resolve) => {
    const end = (reason: Refusal | null): void => resolve({ after: heard ? input.now() - began : 0, reason })
    const overdue = setTimeout(() => socket.terminate(), timing.handshake * 2)
    const stopBeats = beats(socket, timing.beat)
    const onFrame = (frame: SlackFrame, size: number): void => {
      if (frame.kind === 'hello') {
        heard = true
        clearTimeout(overdue)
        noted(null)
        // What they have brought is acknowledged before they go.
        for (const one of former) shared.enqueue(async () => one.close(1000))
      } else if (frame.kind === 'disconnect') {
        setTimeout(() => socket.terminate(), timing.overlap).unref()
        end(frame.isFinal ? reasonOf('remote_rejected', SWITCHED_OFF) : null)
      } else take(shared, socket, { ...frame, size })
    }
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? '' : data.toString()
      const frame = readFrame(text)
      if (frame !== null) onFrame(frame, text.length)
    })
    // `close` always follows; without a listener an error would end the process, and its words may hold the address.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      clearTimeout(overdue)
      stopBeats()
      end(reasonOf('remote_unavailable'))
    })
  })
}

function reasonOf(code: ReasonCode, why?: string): Refusal {
  return { code, facts: why === undefined ? {} : { why } }
}

/** Acknowledged when it is durable, on the connection that it came by. */
function take(
  { input, enqueue }: Shared,
  socket: WebSocket,
  { id, of, payload, size }: Extract<SlackFrame, { readonly kind: 'envelope' }> & { readonly size: number },
): void {
  const isTaken = enqueue(async () => {
    const handled = input.signal.aborted ? err('task_stopped') : await input.handle({ of, payload })
    if (handled.ok && socket.readyState === WebSocket.OPEN) socket.send(acknowledgement(id))
  }, size)
  if (!isTaken) socket.terminate()
}

/** Finds out that a connection is dead, though it looks open. Returns the way to stop. */
function beats(socket: WebSocket, every: number): () => void {
  let missed = 0
  const alive = (): void => {
    missed = 0
  }
  for (const sign of ['ping', 'pong', 'message'] as const) socket.on(sign, alive)
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    missed += 1
    if (missed > MAX_MISSED) socket.terminate()
    else socket.ping()
  }, every)
  return () => clearInterval(timer)
}

/** One piece of work after another; one that throws costs no other. */
function createQueue(threw: () => void): {
  readonly enqueue: Enqueue
  readonly empty: () => Promise<void>
} {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  let held = 0
  return {
    enqueue(work, size = 0) {
      if (waiting >= MOST_WAITING || held + size > MOST_HELD) return false
      waiting += 1
      held += size
      last = last
        .then(work)
        .catch(threw)
        .then(() => {
          waiting -= 1
          held -= size
        })
      return true
    },
    empty: () => last,
  }
}

/** Names resolve to public addresses alone, but for an emulator on this machine. */
export function lookupFor(origin: string, lookup: () => LookupFunction): LookupFunction | null {
  return origin === SLACK_ORIGIN ? lookup() : null
}

/** Nothing to do for what is left alone. */
export const TAKEN: Result<true> = ok(true)
