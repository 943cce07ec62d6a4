/**
 * Questions of the edge to models of home's that wait for an answer, in the memory of TunnelObject alone: what an eviction
 * loses fails, and the next model is asked (D-03, D-13). An answer counts once, for a question that waits, on the connection
 * that the question went by. Must not look into either. Called by TunnelObject.
 */
import { allowed, type ReasonCode, type Result, refused } from '../kernel/flow/verdict.ts'
import { encodeFrame } from '../kernel/tunnel/frame.ts'
import type { ModelAsk, ModelTold } from '../kernel/tunnel/model-ask.ts'
import { bytesOf, MAX_FRAME_BYTES } from '../kernel/tunnel/piece.ts'

export interface TunnelModels {
  /** Resolves with what home said. Refusals: prompt_too_large, model_overloaded, home_offline (the connection has ended). */
  ask(ask: ModelAsk, send: (text: string) => void): Promise<Result<ModelTold>>
  /** Whether anybody waited for it. */
  take(told: ModelTold): boolean
  /** Nobody waits any more. Whether somebody did. */
  drop(id: string): boolean
  /** The connection is gone, and with it all that was asked over it. */
  lost(): void
}

/** Questions that wait at once, of all principals: home takes fewer, and more would only wait for one another. */
export const MOST_WAITING_MODELS = 8
/** Milliseconds after which to try again. */
const BUSY_FOR = 2_000

interface Waiting {
  readonly epoch: number
  readonly end: (told: Result<ModelTold>) => void
}

export function createTunnelModels(): TunnelModels {
  const waiting = new Map<string, Waiting>()
  const end = (id: string, told: Result<ModelTold>): boolean => {
    const found = waiting.get(id)
    waiting.delete(id)
    found?.end(told)
    return found !== undefined
  }
  const give = (id: string, code: ReasonCode): boolean => end(id, refused(code))
  return {
    async ask(ask, send) {
      const frame = encodeFrame({ kind: 'ephemeral', body: { type: 'model_ask', ask } })
      if (bytesOf(frame) > MAX_FRAME_BYTES) return refused('prompt_too_large', { max: MAX_FRAME_BYTES })
      if (waiting.size >= MOST_WAITING_MODELS) return refused('model_overloaded', { after: BUSY_FOR })
      if (waiting.has(ask.id)) return refused('frame_malformed')
      const told = new Promise<Result<ModelTold>>((resolve) => {
        waiting.set(ask.id, { epoch: ask.epoch, end: resolve })
      })
      send(frame)
      return told
    },
    take: (told) => waiting.get(told.id)?.epoch === told.epoch && end(told.id, allowed(told)),
    drop: (id) => give(id, 'task_stopped'),
    lost() {
      for (const id of [...waiting.keys()]) give(id, 'home_offline')
    },
  }
}
