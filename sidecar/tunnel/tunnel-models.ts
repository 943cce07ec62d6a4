/**
 * Runs the edge's requests to home's models over one connection: each once, few at a time, all aborted when the
 * connection ends (D-03, T-04). Must not check what a request may do: `serveModelAsk` does. Called by tunnel-inbox.ts.
 */
import type { StopSignal } from '../../kernel/inference/provider.ts'
import type { ModelAsk, ModelResponse } from '../../kernel/tunnel/ask.ts'
import type { EphemeralBody } from '../../kernel/tunnel/frame.ts'

export interface LenderPowers {
  /** Never rejects. */
  readonly serve: (ask: ModelAsk, signal: StopSignal) => Promise<ModelResponse>
  /** Called for a replayed request; writes an audit row. */
  readonly replayed: (id: string) => void
}

export interface Lender {
  /** Call when a connection is up. `epoch`: the edge's number of it. */
  attach(epoch: number, send: (body: EphemeralBody) => void): void
  /** Aborts what runs. */
  detach(): void
  take(ask: ModelAsk): void
  /** Aborts one request, by order of the edge. */
  stop(id: string): void
}

/** Most models that run for the edge at once: each may use the whole machine, which the owner's tasks need as well. */
const MOST_RUNNING = 2
/** Milliseconds until the edge may ask again. */
const BUSY_FOR = 2_000
/** Most ids that are remembered per connection. A replay of an older one only costs time. */
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
      // A second hello on the same connection changes nothing, so it cannot reset the limits.
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
