/**
 * Request and reply over home's Unix socket: newline-delimited JSON, {id, method, params} → {id, result | error}, and
 * pushed {event}. Connects when first asked and again after a loss, and says nothing before the other end proved that it is home. Must not retry a request on its own: the caller
 * knows which may be repeated. Called by the socket link.
 */
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { err, isReasonCode, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isProof, makeNonce, proofOf, readLineToken } from '../line-token.ts'
import { checkTrusted } from '../trusted-path.ts'
import { createLineReader } from './json-lines.ts'

/** Milliseconds that home has for one reply: but for those that say otherwise, its methods answer from its own database. */
const REPLY_TIMEOUT_MS = 30_000

const message = z.union([
  z.object({ id: z.string(), error: z.object({ code: z.string(), message: z.optional(z.string()) }) }),
  z.object({ id: z.string(), result: z.unknown() }),
  z.looseObject({ event: z.string() }),
])

/** Milliseconds for each step of the greeting. */
const HELLO_WITHIN = 10_000

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
    for (const settle of connection.waiting.values()) settle(err('home_offline'))
    connection.waiting.clear()
    for (const wake of listeners) wake(null)
  }

  const dial = (): Promise<Result<Connection>> =>
    new Promise((resolve) => {
      const connection: Connection = { socket: connect(path), waiting: new Map(), lost: false }
      const read = createLineReader((value) => receive(connection, value, listeners))
      connection.socket.on('connect', () => {
        resolve(ok(connection))
      })
      connection.socket.on('data', (chunk: Buffer) => {
        if (read(chunk) !== 'ok') lost(connection)
      })
      connection.socket.on('error', () => resolve(err('home_offline')))
      connection.socket.on('close', () => lost(connection))
    })

  const open = async (): Promise<Result<Connection>> => {
    const trusted = checkLine(path)
    const dialled = trusted.ok ? await dial() : trusted
    if (!dialled.ok) return dialled
    const greeted = await greet(dialled.value, path)
    if (!greeted.ok) {
      lost(dialled.value)
      return greeted
    }
    connections += 1
    return dialled
  }

  return {
    async request(method, params, within = REPLY_TIMEOUT_MS) {
      if (closed) return err('home_offline')
      const opening = current ?? open()
      current = opening
      const opened = await opening
      if (!opened.ok) {
        if (current === opening) current = null
        return opened
      }
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

/** Refusals: home_offline where there is no socket; storage_failed where it, or its folder, could be somebody else's. */
function checkLine(path: string): Result<true> {
  const socket = checkTrusted(path, 'socket')
  if (socket === null) return err('home_offline')
  const folder = checkTrusted(dirname(path), 'folder', 'PFAR_HOME')
  return folder?.ok === false ? folder : socket
}

const hello = z.object({ nonce: z.string(), proof: z.string() })

/**
 * Each end proves to the other that it can read the token. Read once connected: home writes it before it listens. Refusals:
 * version_incompatible for a home that knows of none, signature_invalid for what is not home, or does not take this end's proof.
 */
async function greet(connection: Connection, path: string): Promise<Result<unknown>> {
  const token = readLineToken(path)
  if (token === null) return olderHome()
  if (!token.ok) return token
  const client = makeNonce()
  const answer = await ask(
    connection,
    { id: 'hello', method: 'hello', params: { nonce: client } },
    HELLO_WITHIN,
  )
  if (!answer.ok) return answer.reason.code === 'frame_malformed' ? olderHome() : answer
  const said = hello.safeParse(answer.value)
  if (!said.success) return notHome()
  const nonces = { client, home: said.data.nonce }
  if (!isProof(said.data.proof, proofOf(token.value, 'home', nonces))) return notHome()
  const proof = proofOf(token.value, 'client', nonces)
  const proved = await ask(connection, { id: 'prove', method: 'prove', params: { proof } }, HELLO_WITHIN)
  return proved.ok || proved.reason.code !== 'signature_invalid' ? proved : notHome()
}

function olderHome(): Result<never> {
  const problem = 'the home that runs is of another version; restart it'
  return err('version_incompatible', { file: 'home.token', problem })
}

function notHome(): Result<never> {
  const problem = 'what answers there does not know the token of this folder; restart home'
  return err('signature_invalid', { file: 'home.sock', problem })
}

function ask(
  { socket, waiting }: Connection,
  request: { readonly id: string; readonly method: string; readonly params: unknown },
  within: number,
): Promise<Result<unknown>> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(err('home_offline'))
    const timer = setTimeout(() => settle(err('home_timeout')), within)
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
    'error' in parsed.data ? refusalOf(parsed.data.error.code) : ok(parsed.data.result),
  )
}

/** A code of another version of home is still a refusal, of a kind that this version knows. */
function refusalOf(code: string): Result<never> {
  return err(isReasonCode(code) ? code : 'internal_fault')
}
