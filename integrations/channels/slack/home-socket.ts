/**
 * Home's Socket Mode connection to Slack, dialled by home. Envelopes are handled in order and acknowledged once durable, so that after a kill they come
 * again as duplicates (B-24, B-26). Slack announces the end of a connection; the next is opened first. The URL is a credential and stands in no log or
 * reason. Must not interpret an envelope: `handle` does. Called by home-line.ts and home-owner.ts.
 */
import type { LookupFunction } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import * as z from 'zod/mini'
import { parseJson } from '../../../kernel/flow/json.ts'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { LONGEST, pauseAfter } from '../runtime/backoff.ts'
import { SLACK, SLACK_ORIGIN } from './channel.ts'

export interface Envelope {
  /** `events_api`, `interactive`, or another type. */
  readonly of: string
  readonly payload: unknown
}

/** Milliseconds. */
export interface SocketTiming {
  /** For connecting, and again for Slack's hello. */
  readonly handshake: number
  readonly beat: number
  /** A connection that lasted this long does not count as failed when it ends. */
  readonly stable: number
  /** How long a connection that is about to end still receives. */
  readonly overlap: number
}

export const SOCKET_TIMING: SocketTiming = Object.freeze({
  handshake: 10_000,
  beat: 20_000,
  stable: 10_000,
  overlap: 30_000,
})

export interface SocketModeInput {
  /** URL of a further connection. Refusals: as for the Web API. */
  readonly open: () => Promise<Result<string>>
  /** Resolves once the envelope is durable. After a refusal Slack delivers it again. */
  readonly handle: (envelope: Envelope) => Promise<Result<unknown>>
  /** Random number in [0, 1). */
  readonly chance: () => number
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Ends the connection. */
  readonly signal: AbortSignal
  /** Called whenever the fault changes; null once messages arrive. */
  readonly news: (trouble: Refusal | null) => void
  /** Reports a thrown error by the name of the part, without its text. */
  readonly fault: (part: string) => void
  /** Null for an emulator on this machine. */
  readonly lookup: LookupFunction | null
  readonly timing?: SocketTiming
}

export interface SocketMode {
  /** Resolves when everything has stopped. */
  readonly done: Promise<void>
}

/** Bytes of one frame: it holds a message of 40,000 characters several times. */
const MAX_FRAME = 2_000_000
/** Most queued envelopes: beyond that the connection is closed, and Slack delivers them again. */
const MOST_WAITING = 500
/** UTF-16 units of all queued envelopes: `MOST_WAITING` of the largest frames would take a gigabyte. */
const MOST_HELD = 8_000_000
/** Unanswered beats after which a connection counts as dead. */
const MAX_MISSED = 2

/** Why a connection is no longer the current one. */
type Ended = { readonly after: number; readonly reason: Refusal | null }

interface Shared {
  readonly input: SocketModeInput
  readonly timing: SocketTiming
  /** All open connections: one, for a moment two. */
  readonly sockets: Set<WebSocket>
  readonly noted: (trouble: Refusal | null) => void
  /** Appends to the queue. */
  readonly enqueue: Enqueue
}

/** False when too much is queued. `size`: UTF-16 units that the work holds in memory. */
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
      // A connection that worked and then ended is replaced at once.
      if (failures === 0 && reason === null) continue
      await pause(waitFor(reason, Math.max(failures, 1), input.chance()), undefined, { signal }).catch(
        () => undefined,
      )
    }
    // Handled envelopes are acknowledged before the connection closes.
    await queue.empty()
    await Promise.all([...shared.sockets].map(hangUp))
  }
  return { done: run() }
}

/** Milliseconds to wait for Slack's closing handshake. */
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

/** `why` of a refusal: Socket Mode was disabled for the app. */
export const SWITCHED_OFF = 'switched_off'

async function connectOnce(shared: Shared): Promise<Ended> {
  const { open, signal, fault } = shared.input
  try {
    const address = await open()
    if (!address.ok) return { after: 0, reason: address.reason }
    return signal.aborted ? { after: 0, reason: null } : await serve(shared, address.value)
  } catch {
    // Storage failed, or the URL was invalid: the error's text could quote it, so it is dropped.
    fault(SLACK)
    return { after: 0, reason: reasonOf('remote_unavailable') }
  }
}

/** Runs until this connection is no longer the current one. */
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
        // Their envelopes are acknowledged before they are closed.
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
    // `close` always follows. Without a listener an error would end the process, and its text may hold the URL.
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

/** Acknowledges once durable, on the connection that delivered the envelope. */
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

/** Detects a dead connection that still looks open. Returns a function that stops the check. */
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

/** Runs work sequentially; an error in one does not affect the next. */
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

/** DNS lookup that resolves to public addresses only; null for an emulator on this machine. */
export function lookupFor(origin: string, lookup: () => LookupFunction): LookupFunction | null {
  return origin === SLACK_ORIGIN ? lookup() : null
}

/** Result for an envelope that is ignored. */
export const TAKEN: Result<true> = ok(true)

/** Other keys of a frame are dropped, among them those with which one could reply as the app (`response_url`, `token`). */
export type SlackFrame =
  | { readonly kind: 'hello' }
  /** `isFinal`: Socket Mode was switched off, so that reconnecting is useless. */
  | { readonly kind: 'disconnect'; readonly isFinal: boolean }
  /** `of`: `events_api`, `interactive`, or another type, which is acknowledged and ignored. */
  | { readonly kind: 'envelope'; readonly id: string; readonly of: string; readonly payload: unknown }

/** Longest id in UTF-16 units; Slack's have 36. It is returned unchanged. */
const MAX_ID = 200

const FRAME = z.object({
  type: z.string().check(z.maxLength(MAX_ID)),
  reason: z.optional(z.string()),
  envelope_id: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_ID))),
  payload: z.optional(z.unknown()),
})

/** Null for an invalid frame. */
export function readFrame(text: string): SlackFrame | null {
  const parsed = FRAME.safeParse(parseJson(text))
  if (!parsed.success) return null
  const { type, reason, envelope_id: id, payload } = parsed.data
  if (type === 'hello') return { kind: 'hello' }
  if (type === 'disconnect') return { kind: 'disconnect', isFinal: reason === 'link_disabled' }
  return id === undefined ? null : { kind: 'envelope', id, of: type, payload }
}

/** Acknowledgement of an envelope, so that Slack does not deliver it again. */
export function acknowledgement(id: string): string {
  return JSON.stringify({ envelope_id: id })
}
