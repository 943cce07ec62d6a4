/**
 * Questions of the edge to home that wait for an answer, to its models and to its readers of files, in the memory of TunnelObject alone:
 * what an eviction loses fails, and the next model is asked, or the file is not read (B-27, D-03, D-13). An answer counts once, for a
 * question of its own kind that waits, on the connection that the question went by. Must not look into either. Called by TunnelObject.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import type { FileAsk } from '../kernel/tunnel/file-ask.ts'
import { type EphemeralBody, encodeFrame } from '../kernel/tunnel/frame.ts'
import type { ModelAsk } from '../kernel/tunnel/model-ask.ts'
import { bytesOf, MAX_FRAME_BYTES } from '../kernel/tunnel/piece.ts'

/** As it is asked, before the connection is known that it goes by. */
export type Unsent<A> = Omit<A, 'epoch'>

interface Told {
  readonly id: string
  readonly epoch: number
}

export interface TunnelAsks<A, T> {
  /** Resolves with what home said. Refusals: `tooLarge`, `busy`, home_offline (the connection has ended). */
  ask(ask: A, epoch: number, send: (text: string) => void): Promise<Result<T>>
  /** Whether anybody waited for it. */
  take(told: T): boolean
  /** Nobody waits any more. Whether somebody did. */
  drop(id: string): boolean
  /** The connection is gone, and with it all that was asked over it. */
  lost(): void
}

/** What is asked. */
interface AskKind<A> {
  readonly body: (ask: A, epoch: number) => EphemeralBody
  /** That wait at once, of all principals: home takes fewer, and more would only wait for one another. */
  readonly most: number
  readonly tooLarge: ReasonCode
  readonly busy: ReasonCode
}

export const MOST_WAITING_MODELS = 8
export const MOST_WAITING_FILES = 2
/** Milliseconds after which to try again. */
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
