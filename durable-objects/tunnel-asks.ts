/**
 * Pending requests of the edge to home's models and file readers, in TunnelObject's memory only: one lost by an eviction fails, and
 * the next model is called or the file stays unread (B-27, D-03, D-13). An answer counts once, for a pending request of its kind,
 * on the same connection. Must not look into either. Called by TunnelObject.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import type { FileAsk } from '../kernel/tunnel/file-ask.ts'
import { type EphemeralBody, encodeFrame } from '../kernel/tunnel/frame.ts'
import type { ModelAsk } from '../kernel/tunnel/model-ask.ts'
import { bytesOf, MAX_FRAME_BYTES } from '../kernel/tunnel/piece.ts'

/** A request before it is bound to a connection. */
export type Unsent<A> = Omit<A, 'epoch'>

interface Told {
  readonly id: string
  readonly epoch: number
}

export interface TunnelAsks<A, T> {
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

export const FILES: AskKind<Unsent<FileAsk>> = {
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
