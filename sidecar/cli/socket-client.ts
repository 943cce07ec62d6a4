/**
 * Request and reply over home's Unix socket: newline-delimited JSON, {id, method, params} → {id, result | error}, and
 * pushed {event}. Connects when first asked and again after a loss. Must not retry a request on its own: the caller
 * knows which may be repeated. Called by the socket link.
 */
import { connect, type Socket } from 'node:net'
import * as z from 'zod/mini'
import { allowed, isReasonCode, type Result, refused } from '../../kernel/flow/verdict.ts'
import { createLineReader } from './json-lines.ts'

/** Milliseconds that home has for one reply: but for those that say otherwise, its methods answer from its own database. */
const REPLY_TIMEOUT_MS = 30_000

const message = z.union([
  z.object({ id: z.string(), error: z.object({ code: z.string(), message: z.optional(z.string()) }) }),
  z.object({ id: z.string(), result: z.unknown() }),
  z.looseObject({ event: z.string() }),
])

type Settle = (result: Result<unknown>) => void

type Listener = (event: Readonly<Record<string, unknown>> | null) => void

export interface SocketClient {
  /** `within`: milliseconds for the reply, where it may take longer. */
  request(method: string, params: unknown, within?: number): Promise<Result<unknown>>
  /** Calls back once per pushed event with it, and with null when the connection is lost. Returns the way to stop. */
  onEvent(listener: Listener): () => void
  /** Counts connections: a caller that subscribed on an older one must subscribe again. */
  connection(): number
  close(): void
}

interface Connection {
  readonly socket: Socket
  readonly waiting: Map<string, Settle>
  lost: boolean
}

export function createSocketClient(path: string): SocketClient {
  const listeners = new Set<Listener>()
  let current: Promise<Result<Connection>> | null = null
  let connections = 0
  let closed = false
  let requests = 0

  const lost = (connection: Connection) => {
    if (connection.lost) return
    connection.lost = true
    current = null
    connection.socket.destroy()
    for (const settle of connection.waiting.values()) settle(refused('home_offline'))
    connection.waiting.clear()
    for (const wake of listeners) wake(null)
  }

  const open = (): Promise<Result<Connection>> =>
    new Promise((resolve) => {
      const connection: Connection = { socket: connect(path), waiting: new Map(), lost: false }
      const read = createLineReader((value) => receive(connection, value, listeners))
      connection.socket.on('connect', () => {
        connections += 1
        resolve(allowed(connection))
      })
      connection.socket.on('data', (chunk: Buffer) => {
        if (read(chunk) !== 'ok') lost(connection)
      })
      connection.socket.on('error', () => resolve(refused('home_offline')))
      connection.socket.on('close', () => lost(connection))
    })

  return {
    async request(method, params, within = REPLY_TIMEOUT_MS) {
      if (closed) return refused('home_offline')
      current ??= open()
      const opened = await current
      if (!opened.ok) return opened
      requests += 1
      return ask(opened.value, { id: String(requests), method, params }, within)
    },
    onEvent(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connection: () => connections,
    close() {
      closed = true
      const closing = current
      current = null
      void closing?.then((opened) => opened.ok && opened.value.socket.destroy())
    },
  }
}

function ask(
  { socket, waiting }: Connection,
  request: { readonly id: string; readonly method: string; readonly params: unknown },
  within: number,
): Promise<Result<unknown>> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(refused('home_offline'))
    const timer = setTimeout(() => settle(refused('home_timeout')), within)
    const settle: Settle = (result) => {
      clearTimeout(timer)
      waiting.delete(request.id)
      resolve(result)
    }
    waiting.set(request.id, settle)
    socket.write(`${JSON.stringify(request)}\n`)
  })
}

function receive({ waiting }: Connection, value: unknown, listeners: ReadonlySet<Listener>): void {
  const parsed = message.safeParse(value)
  if (!parsed.success) return
  if ('event' in parsed.data) {
    for (const wake of listeners) wake(parsed.data)
    return
  }
  waiting.get(parsed.data.id)?.(
    'error' in parsed.data ? refusalOf(parsed.data.error.code) : allowed(parsed.data.result),
  )
}

/** A code of another version of home is still a refusal, of a kind that this version knows. */
function refusalOf(code: string): Result<never> {
  return refused(isReasonCode(code) ? code : 'internal_fault')
}
