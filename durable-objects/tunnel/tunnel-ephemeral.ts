/**
 * Unreliable frames of the tunnel: requests to home that somebody waits for and their answers, round-trip times, and texts and
 * progress for the owner's chat (T-06, B-27, DESIGN §1). Rate-limited, as each wakes the object; never stored. Must not accept a
 * frame type that only the edge sends, nor inspect content. Called by TunnelObject.
 */
import { err, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { FileAsk, FileTold } from '../../kernel/tunnel/file-ask.ts'
import type { EphemeralBody } from '../../kernel/tunnel/frame.ts'
import type { ModelAsk, ModelTold } from '../../kernel/tunnel/model-ask.ts'
import { countOne, type RateWindow } from '../rate-window.ts'
import { createTunnelAsks, FILES, MODELS, type TunnelAsks, type Unsent } from '../tunnel-asks.ts'
import type { Carrier } from './carrier.ts'
import { type Attachment, attach, attachmentOf, send, sendText } from './tunnel-socket.ts'

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
  askModel(ask: Unsent<ModelAsk>): Promise<Result<ModelTold>>
  /** Cancels the request, and tells home. */
  dropModel(id: string): void
  /** Refusals as for `askModel`. */
  askFile(ask: Unsent<FileAsk>): Promise<Result<FileTold>>
  /** Cancels the request; home stops by its own deadline. */
  dropFile(id: string): void
  /** Sends to home if it is connected. */
  tell(body: EphemeralBody): void
  /** Handles a frame from home, or refuses it. */
  take(socket: WebSocket, body: EphemeralBody): void
  /** The connection ended: all its pending requests fail. */
  lost(): void
}

export interface EphemeralInput {
  readonly there: () => HomeThere | null
  /** The newest connection. */
  readonly current: () => WebSocket | null
  readonly carry: Carrier
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Refuses a frame and closes the connection. */
  readonly deny: (socket: WebSocket, code: ReasonCode) => void
}

export function createTunnelEphemeral({
  there,
  current,
  carry,
  waitUntil,
  deny,
}: EphemeralInput): TunnelEphemeral {
  const models = createTunnelAsks<Unsent<ModelAsk>, ModelTold>(MODELS)
  const files = createTunnelAsks<Unsent<FileAsk>, FileTold>(FILES)
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
      if (body.type === 'deliver') waitUntil(carry.text(socket, body.handed))
      if (body.type === 'work') waitUntil(carry.work(socket, body.work))
    },
    lost() {
      models.lost()
      files.lost()
    },
  }
}
