/**
 * One connection to home's Unix socket, mutually authenticated before anything else, with one request at a time. Must
 * not use another connection for a request: its agent holds this socket and opens no other. Called by the line client.
 */

import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { framesOf } from '../../../integrations/models/frames.ts'
import { parseJson } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { isReasonCode } from '../../../kernel/reasons.ts'
import { isProof, makeNonce, proofOf, readLineToken } from '../../line/door.ts'
import { checkTrusted } from '../../process/trusted-path.ts'

/** Milliseconds for the response to `/hello`. */
const HELLO_WITHIN = 10_000

interface LineRequest {
  readonly path: string
  readonly body: unknown
  /** Time limit of the response in milliseconds; for a stream, until its headers. */
  readonly within: number
}

export interface LineConnection {
  /**
   * The response, or home's refusal. Refusals of this side: home_offline if the connection is lost; home_timeout,
   * frame_malformed and frame_too_large, after which it is closed.
   */
  ask(asked: LineRequest): Promise<Result<unknown>>
  /** A streamed response, once it has started. Refusals as for `ask`. */
  open(asked: LineRequest): Promise<Result<IncomingMessage>>
  isOpen(): boolean
  close(): void
}

/** Refusals: those of `ask`, `checkLine` and `greet`. */
export async function connectLine(path: string): Promise<Result<LineConnection>> {
  const trusted = checkLine(path)
  const dialled = trusted.ok ? await dial(path) : trusted
  if (!dialled.ok) return dialled
  const proof = await greet(createConnection(dialled.value, null), path)
  if (proof.ok) return ok(createConnection(dialled.value, proof.value))
  dialled.value.destroy()
  return proof
}

/** Refusals: home_offline without a socket; storage_failed if socket or folder could belong to another account. */
function checkLine(path: string): Result<true> {
  const socket = checkTrusted(path, 'socket')
  if (socket === null) return err('home_offline')
  const folder = checkTrusted(dirname(path), 'folder', 'PFAR_HOME')
  return folder?.ok === false ? folder : socket
}

function dial(path: string): Promise<Result<Talk>> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(ok(createTalk(socket))))
    // Stays registered: a later error is reported by the request that meets it.
    socket.on('error', () => resolve(err('home_offline')))
  })
}

interface Talk {
  readonly socket: Socket
  readonly agent: Agent
  destroy(): void
}

/** Keeps the socket between requests, and opens no replacement after it is lost. */
function createTalk(socket: Socket): Talk {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let taken = false
  agent.createConnection = (_options, done) => {
    if (!taken && !socket.destroyed) done?.(null, socket)
    else done?.(new Error('the connection is lost'), socket)
    taken = true
    return undefined
  }
  return { socket, agent, destroy: () => socket.destroy() }
}

const hello = z.object({ nonce: z.string(), proof: z.string() })

/**
 * Each side proves that it can read the token. The file is read after connecting, because home writes it before it
 * listens. Refusals: version_incompatible for a home without tokens, signature_invalid for another program.
 */
async function greet(connection: LineConnection, path: string): Promise<Result<string>> {
  const token = readLineToken(path)
  if (token === null) return olderHome()
  if (!token.ok) return token
  const client = makeNonce()
  const answer = await connection.ask({ path: '/hello', body: { nonce: client }, within: HELLO_WITHIN })
  // A response in another protocol comes from an older home that is still running.
  if (!answer.ok) return answer.reason.code === 'frame_malformed' ? olderHome() : answer
  const said = hello.safeParse(answer.value)
  if (!said.success) return notHome()
  const nonces = { client, home: said.data.nonce }
  if (!isProof(said.data.proof, proofOf(token.value, 'home', nonces))) return notHome()
  return ok(proofOf(token.value, 'client', nonces))
}

function olderHome(): Result<never> {
  const problem = 'the home that runs is of another version; restart it'
  return err('version_incompatible', { file: 'home.token', problem })
}

function notHome(): Result<never> {
  const problem = 'what answers there does not know the token of this folder; restart home'
  return err('signature_invalid', { file: 'home.sock', problem })
}

/** `proof`: sent with each request; null before authentication. */
function createConnection({ socket, agent }: Talk, proof: string | null): LineConnection {
  /** Closed after a timeout: a late response must not be taken as that to another request. */
  const within = async <T>(milliseconds: number, work: Promise<Result<T>>): Promise<Result<T>> => {
    let late = false
    const timer = setTimeout(() => {
      late = true
      socket.destroy()
    }, milliseconds)
    const result = await work
    clearTimeout(timer)
    return late && !result.ok ? err('home_timeout') : result
  }
  const begin = ({ path, body }: LineRequest): Promise<Result<IncomingMessage>> =>
    new Promise((resolve) => {
      const text = JSON.stringify(body)
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(proof === null ? {} : { authorization: proof }),
      }
      const sent = request({ agent, method: 'POST', path, headers })
      sent.once('response', (answer) => resolve(ok(answer)))
      sent.on('error', (error: NodeJS.ErrnoException) =>
        resolve(err(error.code?.startsWith('HPE_') ? 'frame_malformed' : 'home_offline')),
      )
      sent.end(text)
    })
  const answered = async (asked: LineRequest): Promise<Result<unknown>> => {
    const begun = await begin(asked)
    return begun.ok ? read(begun.value) : begun
  }
  const opened = async (asked: LineRequest): Promise<Result<IncomingMessage>> => {
    const begun = await begin(asked)
    if (!begun.ok || begun.value.statusCode === OK) return begun
    const refused = await read(begun.value)
    return refused.ok ? err('frame_malformed') : refused
  }
  return {
    ask: (asked) => within(asked.within, answered(asked)),
    open: (asked) => within(asked.within, opened(asked)),
    isOpen: () => socket.readyState === 'open',
    close: () => socket.destroy(),
  }
}

const OK = 200

const refusal = z.object({ error: z.object({ code: z.string() }) })

async function read(answer: IncomingMessage): Promise<Result<unknown>> {
  const text = await textOf(answer)
  if (!text.ok) return text
  const body = parseJson(text.value)
  if (answer.statusCode === OK) return body === undefined ? err('frame_malformed') : ok(body)
  const refused = refusal.safeParse(body)
  if (!refused.success) return err('frame_malformed')
  const { code } = refused.data.error
  // A code that this version does not know is reported as a general one.
  return err(isReasonCode(code) ? code : 'internal_fault')
}

async function textOf(answer: IncomingMessage): Promise<Result<string>> {
  const chunks: Buffer[] = []
  let held = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      held += chunk.length
      // Leaving the loop closes the connection.
      if (held > MOST_BYTES) return err('frame_too_large')
      chunks.push(chunk)
    }
    return ok(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return err('home_offline')
  }
}

/** Most bytes (4 MiB) of an event and of a response. Stops a faulty peer from filling this process's memory. */
const MOST_BYTES = 4 * 1024 * 1024

export interface LineEvent {
  readonly event: string
  readonly data: unknown
}

const LIMITS = { maxBytes: Number.POSITIVE_INFINITY, maxFrame: MOST_BYTES }

/** Yields each complete event. Ends at an event without valid JSON; throws `TooLarge`, and what the source throws. */
export async function* eventsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<LineEvent> {
  for await (const frames of framesOf(source, 'event', LIMITS)) {
    // An event that the end of the stream cut off is dropped.
    const whole = Buffer.from(frames)
      .toString('utf8')
      .split(/\r?\n\r?\n/)
      .slice(0, -1)
    for (const text of whole) {
      const fields = fieldsOf(text)
      if (fields.data === undefined) continue
      const data = parseJson(fields.data)
      if (data === undefined) return
      yield { event: fields.event ?? 'message', data }
    }
  }
}

/** The last value of each field; home writes each field on one line. */
function fieldsOf(text: string): Readonly<Partial<Record<string, string>>> {
  const fields = text.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/s.exec(line))
  return Object.fromEntries(fields.flatMap((field) => (field === null ? [] : [[field[1], field[2]]])))
}
