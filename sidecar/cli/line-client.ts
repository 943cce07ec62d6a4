/**
 * Asks home over its Unix socket: a request over a connection that is free, or a new one, kept for the next; and one stream of what
 * happens. Must not repeat a request on its own: the caller knows which may be. Called by the private link and by commands that home
 * alone answers.
 */
import type { IncomingMessage } from 'node:http'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { eventsOf, type LineEvent } from './event-reader.ts'
import { connectLine, type LineConnection } from './line-connection.ts'

/** Milliseconds that home has for one answer: but for those that say otherwise, it answers from its own database. */
const ANSWER_WITHIN = 30_000

export interface LineClient {
  /** `within`: milliseconds for the answer, where it may take longer. */
  method(name: string, params: unknown, within?: number): Promise<Result<unknown>>
  operation(name: string, args: unknown, within?: number): Promise<Result<unknown>>
  /** Follows what happens once it resolves; `onEvent` gets each event, and null when the stream has ended. */
  follow(after: number, onEvent: (event: LineEvent | null) => void): Promise<Result<true>>
  close(): void
}

export function createLineClient(path: string): LineClient {
  const all = new Set<LineConnection>()
  /** Proven, and without a request. */
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

/** Until the stream ends, or says what cannot be read. */
async function pass(stream: IncomingMessage, onEvent: (event: LineEvent) => void): Promise<void> {
  try {
    for await (const event of eventsOf(stream)) onEvent(event)
  } catch {
    // A stream that breaks has ended.
  }
}
