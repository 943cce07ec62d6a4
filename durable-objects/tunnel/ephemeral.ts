/**
 * Unreliable frames of the tunnel: pending requests to home's models and file readers, round-trip times, and texts and progress
 * for the owner's chat (T-06, B-27, D-03, DESIGN §1). In memory only: a request lost by an eviction fails. Must not accept a frame
 * type that only the edge sends, nor inspect content. Called by TunnelObject.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { FileAnswer, FileAsk, ModelAsk, ModelResponse } from '../../kernel/tunnel/ask.ts'
import { type EphemeralBody, encodeFrame } from '../../kernel/tunnel/frame.ts'
import { bytesOf, MAX_FRAME_BYTES } from '../../kernel/tunnel/piece.ts'
import { countOne, type RateWindow } from '../rate-window.ts'
import type { Forwarder } from './inbox.ts'
import { type Attachment, attach, attachmentOf, send, sendText } from './socket.ts'

const EDGE_ONLY: readonly EphemeralBody['type'][] = [
  'model_ask',
  'model_stop',
  'file_ask',
  'delivered',
  'card_waits',
  'unsent',
]

/** Unreliable frames a minute: an honest home reports once in several minutes, and each frame wakes the object. */
export const MAX_EPHEMERAL = 60

/** A connection that has said hello and has missed fewer than three beats. */
export interface HomeThere {
  readonly socket: WebSocket
  readonly held: Attachment
}

export interface TunnelEphemeral {
  /** Waits in memory. Refusals: home_offline, and those of `TunnelAsks.ask`. */
  askModel(ask: Unsent<ModelAsk>): Promise<Result<ModelResponse>>
  /** Cancels the request, and tells home. */
  dropModel(id: string): void
  /** Refusals as for `askModel`. */
  askFile(ask: Unsent<FileAsk>): Promise<Result<FileAnswer>>
  /** Cancels the request; home stops by its own deadline. */
  dropFile(id: string): void
  /** Sends to home if it is connected. */
  tell(body: EphemeralBody): void
  /** Handles a frame from home, or refuses it. */
  take(socket: WebSocket, body: EphemeralBody): void
  /** The connection ended: all its pending requests fail. */
  lost(): void
}

interface EphemeralInput {
  readonly there: () => HomeThere | null
  /** The newest connection. */
  readonly current: () => WebSocket | null
  readonly forwarder: Forwarder
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Refuses a frame and closes the connection. */
  readonly deny: (socket: WebSocket, code: ReasonCode) => void
}

export function createTunnelEphemeral({
  there,
  current,
  forwarder,
  waitUntil,
  deny,
}: EphemeralInput): TunnelEphemeral {
  const models = createTunnelAsks<Unsent<ModelAsk>, ModelResponse>(MODELS)
  const files = createTunnelAsks<Unsent<FileAsk>, FileAnswer>(FILES)
  let counted: RateWindow | null = null
  const ask = async <A, T>(asks: TunnelAsks<A, T>, asked: A): Promise<Result<T>> => {
    const home = there()
    if (home === null) return err('home_offline')
    return asks.ask(asked, home.held.epoch, (text) => sendText(home.socket, text))
  }
  /** Counted in memory across connections, and in the socket's attachment across hibernation: neither writes to storage. */
  const isWithin = (held: Attachment | null): boolean => {
    const { window, within } = countOne(counted ?? held?.flood ?? null, Date.now(), MAX_EPHEMERAL)
    counted = window
    return within
  }
  return {
    askModel: (asked) => ask(models, asked),
    dropModel(id) {
      const socket = models.drop(id) ? current() : null
      if (socket !== null) send(socket, { kind: 'ephemeral', body: { type: 'model_stop', id } })
    },
    askFile: (asked) => ask(files, asked),
    dropFile: (id) => void files.drop(id),
    tell(body) {
      const home = there()
      if (home !== null) send(home.socket, { kind: 'ephemeral', body })
    },
    take(socket, body) {
      // An answer to a pending request is not counted: the requests bound it.
      if (body.type === 'model_told' && models.take(body.told)) return
      if (body.type === 'file_told' && files.take(body.told)) return
      // Home requests no model here, and is no channel of the edge: a compromised peer must not reverse the tunnel.
      if (EDGE_ONLY.includes(body.type)) return deny(socket, 'frame_malformed')
      const held = attachmentOf(socket)
      if (!isWithin(held)) return deny(socket, 'remote_rate_limited')
      if (held === null) return
      attach(socket, { ...held, rtt: body.type === 'rtt' ? body.ms : held.rtt, flood: counted })
      if (body.type === 'deliver') waitUntil(forwarder.text(socket, body.handed))
      if (body.type === 'work') waitUntil(forwarder.work(socket, body.work))
    },
    lost() {
      models.lost()
      files.lost()
    },
  }
}

/** A request before it is bound to a connection. */
export type Unsent<A> = Omit<A, 'epoch'>

interface Told {
  readonly id: string
  readonly epoch: number
}

interface TunnelAsks<A, T> {
  /** Resolves with home's answer. Refusals: `tooLarge`, `busy`, home_offline (the connection has ended). */
  ask(ask: A, epoch: number, send: (text: string) => void): Promise<Result<T>>
  /** Delivers an answer; false when no request was pending for it. */
  take(told: T): boolean
  /** Cancels a request; false when none was pending. */
  drop(id: string): boolean
  /** The connection ended: all its pending requests fail. */
  lost(): void
}

/** Properties of one kind of request. */
interface AskKind<A> {
  readonly body: (ask: A, epoch: number) => EphemeralBody
  /** Most pending requests of all principals: home accepts fewer, so more would only wait for one another. */
  readonly most: number
  readonly tooLarge: ReasonCode
  readonly busy: ReasonCode
}

export const MOST_WAITING_MODELS = 8
export const MOST_WAITING_FILES = 2
/** Milliseconds until a refused request may be retried. */
const BUSY_FOR = 2_000

export const MODELS: AskKind<Unsent<ModelAsk>> = {
  body: (ask, epoch) => ({ type: 'model_ask', ask: { ...ask, epoch } }),
  ...{ most: MOST_WAITING_MODELS, tooLarge: 'prompt_too_large', busy: 'model_overloaded' },
}

const FILES: AskKind<Unsent<FileAsk>> = {
  body: (ask, epoch) => ({ type: 'file_ask', ask: { ...ask, epoch } }),
  ...{ most: MOST_WAITING_FILES, tooLarge: 'response_too_large', busy: 'remote_rate_limited' },
}

interface Waiting<T> {
  readonly epoch: number
  readonly end: (told: Result<T>) => void
}

export function createTunnelAsks<A extends { readonly id: string }, T extends Told>({
  body,
  most,
  tooLarge,
  busy,
}: AskKind<A>): TunnelAsks<A, T> {
  const waiting = new Map<string, Waiting<T>>()
  const end = (id: string, told: Result<T>): boolean => {
    const found = waiting.get(id)
    waiting.delete(id)
    found?.end(told)
    return found !== undefined
  }
  const give = (id: string, code: ReasonCode): boolean => end(id, err(code))
  return {
    async ask(ask, epoch, send) {
      const frame = encodeFrame({ kind: 'ephemeral', body: body(ask, epoch) })
      if (bytesOf(frame) > MAX_FRAME_BYTES) return err(tooLarge, { max: MAX_FRAME_BYTES })
      if (waiting.size >= most) return err(busy, { after: BUSY_FOR })
      if (waiting.has(ask.id)) return err('frame_malformed')
      const told = new Promise<Result<T>>((resolve) => {
        waiting.set(ask.id, { epoch, end: resolve })
      })
      send(frame)
      return told
    },
    take: (told) => waiting.get(told.id)?.epoch === told.epoch && end(told.id, ok(told)),
    drop: (id) => give(id, 'task_stopped'),
    lost() {
      for (const id of [...waiting.keys()]) give(id, 'home_offline')
    },
  }
}
