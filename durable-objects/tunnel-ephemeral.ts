/**
 * Frames of the tunnel that may be lost: what is asked of home while somebody waits, what it answers, its round trip, and texts and progress
 * on their way to the owner's chat (T-06, B-27, DESIGN §1). Counted, as each one wakes the object; never written to the disk. Must not take one
 * that is the edge's to send, nor look into what passes. Called by TunnelObject.
 */
import { err, type Result } from '../kernel/flow/verdict.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import type { FileAsk, FileTold } from '../kernel/tunnel/file-ask.ts'
import type { EphemeralBody } from '../kernel/tunnel/frame.ts'
import type { ModelAsk, ModelTold } from '../kernel/tunnel/model-ask.ts'
import type { Carrier } from './carrier.ts'
import { countOne, type RateWindow } from './rate-window.ts'
import { createTunnelAsks, FILES, MODELS, type TunnelAsks, type Unsent } from './tunnel-asks.ts'
import { type Attachment, attach, attachmentOf, send, sendText } from './tunnel-socket.ts'

const EDGE_ONLY: readonly EphemeralBody['type'][] = [
  'model_ask',
  'model_stop',
  'file_ask',
  'delivered',
  'card_waits',
  'unsent',
]

/** Frames a minute that may be lost: an honest home reports once in minutes, and each one wakes the object. */
export const MAX_EPHEMERAL = 60

/** A home that has greeted and is heard. */
export interface HomeThere {
  readonly socket: WebSocket
  readonly held: Attachment
}

export interface TunnelEphemeral {
  /** Waits in memory. Refusals: home_offline, and those of `TunnelAsks.ask`. */
  askModel(ask: Unsent<ModelAsk>): Promise<Result<ModelTold>>
  /** Its answer is wanted no more, and home hears of it. */
  dropModel(id: string): void
  /** Refusals as of `askModel`. */
  askFile(ask: Unsent<FileAsk>): Promise<Result<FileTold>>
  /** Its text is wanted no more; home ends by itself. */
  dropFile(id: string): void
  /** To a home that is there. */
  tell(body: EphemeralBody): void
  /** What home sent, or a refusal of it. */
  take(socket: WebSocket, body: EphemeralBody): void
  /** The connection is gone, and with it all that was asked over it. */
  lost(): void
}

export interface EphemeralInput {
  readonly there: () => HomeThere | null
  /** The newest connection. */
  readonly current: () => WebSocket | null
  readonly carry: Carrier
  readonly waitUntil: (work: Promise<unknown>) => void
  /** Refuses what a device said, and hangs up. */
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
  /** Counted in memory, over connections, and with the socket, over sleep: neither touches the disk. */
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
      // One that somebody waits for was asked for, and is bounded by that.
      if (body.type === 'model_told' && models.take(body.told)) return
      if (body.type === 'file_told' && files.take(body.told)) return
      // Home asks no model here, and is no channel's: a taken-over peer must not turn the tunnel around.
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
