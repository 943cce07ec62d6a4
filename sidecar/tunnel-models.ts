/**
 * The edge's questions to models of home's, as they come over one connection: each once, a few at a time, and all at an end
 * with the connection, as nobody would hear the answer (D-03, T-04). Must not check what a question may do:
 * `serveModelAsk` does. Called by tunnel-inbox.ts.
 */
import type { StopSignal } from '../kernel/inference/provider.ts'
import type { EphemeralBody } from '../kernel/tunnel/frame.ts'
import type { ModelAsk, ModelTold } from '../kernel/tunnel/model-ask.ts'

export interface LenderPowers {
  /** Never rejects. */
  readonly serve: (ask: ModelAsk, signal: StopSignal) => Promise<ModelTold>
  /** Told of a question that came twice: a line of the audit. */
  readonly replayed: (id: string) => void
}

export interface Lender {
  /** A connection is up. `epoch`: the edge's number of it. */
  attach(epoch: number, send: (body: EphemeralBody) => void): void
  /** Ends what runs. */
  detach(): void
  take(ask: ModelAsk): void
  /** The edge wants this one no more. */
  stop(id: string): void
}

/** Models work for the edge at once: each takes the whole machine, and its owner's own tasks want some of it. */
const MOST_RUNNING = 2
/** Milliseconds after which the edge may ask again. */
const BUSY_FOR = 2_000
/** Ids of a connection that are remembered; what is asked so much later costs time and nothing else. */
const MOST_SEEN = 4_096

interface Connection {
  readonly epoch: number
  readonly send: (body: EphemeralBody) => void
  readonly running: Map<string, AbortController>
  readonly seen: Set<string>
}

export function createLender({ serve, replayed }: LenderPowers): Lender {
  let connection: Connection | null = null
  const run = async (own: Connection, ask: ModelAsk): Promise<void> => {
    const stop = new AbortController()
    own.running.set(ask.id, stop)
    try {
      const told = await serve(ask, stop.signal)
      if (connection === own && !stop.signal.aborted) own.send({ type: 'model_told', told })
    } finally {
      own.running.delete(ask.id)
    }
  }
  return {
    attach(epoch, send) {
      // A second hello begins nothing anew: what runs counts, whatever number it names.
      if (connection !== null) return
      connection = { epoch, send, running: new Map(), seen: new Set() }
    },
    detach() {
      for (const stop of connection?.running.values() ?? []) stop.abort()
      connection = null
    },
    take(ask) {
      const own = connection
      if (own === null) return
      const { id, epoch } = ask
      if (own.seen.has(id)) return replayed(id)
      remember(own.seen, id)
      const refuse = (reason: string, after?: number): void => {
        const told = { id, epoch, ok: false, reason, ...(after !== undefined && { after }) } as const
        own.send({ type: 'model_told', told })
      }
      if (epoch !== own.epoch) refuse('frame_fenced')
      else if (own.running.size >= MOST_RUNNING) refuse('model_overloaded', BUSY_FOR)
      else void run(own, ask).catch(() => refuse('internal_fault'))
    },
    stop: (id) => connection?.running.get(id)?.abort(),
  }
}

function remember(seen: Set<string>, id: string): void {
  const [oldest] = seen
  if (seen.size >= MOST_SEEN && oldest !== undefined) seen.delete(oldest)
  seen.add(id)
}
