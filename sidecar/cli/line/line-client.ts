/**
 * Client of home's Unix socket: sends a request over a free connection or a new one, and keeps connections for reuse;
 * follows one stream of events. Must not retry: only the caller knows which requests are idempotent. Called by the
 * private link and by commands that only home answers.
 */
import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { connectLine, eventsOf, type LineConnection, type LineEvent } from './line-connection.ts'

/** Default time limit of a response, milliseconds: most are read from home's own database. */
const ANSWER_WITHIN = 30_000

export interface LineClient {
  /** `within`: time limit of a slower response, milliseconds. */
  method(name: string, params: unknown, within?: number): Promise<Result<unknown>>
  operation(name: string, args: unknown, within?: number): Promise<Result<unknown>>
  /** Resolves when the stream has started. `onEvent` gets each event, and null when the stream ends. */
  follow(after: number, onEvent: (event: LineEvent | null) => void): Promise<Result<true>>
  close(): void
}

export function createLineClient(path: string): LineClient {
  const all = new Set<LineConnection>()
  /** Authenticated and idle. */
  const free: LineConnection[] = []
  let closed = false

  const connection = async (): Promise<Result<LineConnection>> => {
    if (closed) return err('home_offline')
    for (let kept = free.pop(); kept !== undefined; kept = free.pop()) {
      if (kept.isOpen()) return ok(kept)
      all.delete(kept)
    }
    const connected = await connectLine(path)
    if (!connected.ok) return connected
    if (closed) {
      connected.value.close()
      return err('home_offline')
    }
    all.add(connected.value)
    return connected
  }
  const ask = async (address: string, body: unknown, within = ANSWER_WITHIN): Promise<Result<unknown>> => {
    const taken = await connection()
    if (!taken.ok) return taken
    const answer = await taken.value.ask({ path: address, body, within })
    if (taken.value.isOpen()) free.push(taken.value)
    else all.delete(taken.value)
    return answer
  }

  return {
    method: (name, params, within) => ask(`/methods/${name}`, params, within),
    operation: (name, args, within) => ask(`/operations/${name}`, args, within),
    async follow(after, onEvent) {
      const taken = await connection()
      if (!taken.ok) return taken
      const stream = taken.value
      const opened = await stream.open({ path: '/events', body: { after }, within: ANSWER_WITHIN })
      if (!opened.ok) {
        stream.close()
        return opened
      }
      const end = (): void => {
        stream.close()
        all.delete(stream)
        onEvent(null)
      }
      void pass(opened.value, onEvent).finally(end)
      return ok(true)
    },
    close() {
      closed = true
      for (const each of all) each.close()
    },
  }
}

/** Until the stream ends or cannot be parsed. */
async function pass(stream: IncomingMessage, onEvent: (event: LineEvent) => void): Promise<void> {
  try {
    for await (const event of eventsOf(stream)) onEvent(event)
  } catch {
    // A broken stream counts as ended.
  }
}
