/**
 * Server of the private line: HTTP on a Unix socket that only the owner's account can open (B-09, H-10), and that
 * requires the token file beside it. Bounds connections, requests and time. Must not know the methods. Called by
 * doors.ts; the caller holds the instance lock, so an existing socket file belongs to a dead process.
 */

import { unlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { checkSocketPath, checkTrusted } from '../process/trusted-path.ts'
import { type App, type AppOptions, type Connection, createApp } from './app.ts'
import { createDoor, makeLineToken } from './door.ts'

export interface SocketServer {
  /** Refuses new requests, lets running ones finish, then closes every connection. */
  close(): Promise<void>
}

export interface LineOptions extends AppOptions {
  readonly path: string
  /** Called for a client that did not prove that it can read the token. */
  readonly denied: (code: ReasonCode) => void
}

/** A connection has one request at a time, so this bounds the requests that home handles at once. */
const MAX_CLIENTS = 64
/** Milliseconds for a client's proof: a silent client must not occupy a connection. */
const PROOF_WITHIN = 10_000
/** Milliseconds for the last responses when home stops. */
const CLOSE_GRACE = 1_000

const BOUNDS = {
  /** Bytes. The longest header that is sent is a proof and a name. */
  maxHeaderSize: 8_192,
  /** Milliseconds to receive a whole request. */
  headersTimeout: PROOF_WITHIN,
  requestTimeout: 60_000,
  /** No timeout: a terminal may be idle for hours between two requests, and has already authenticated. */
  keepAliveTimeout: 0,
}

/** Refusal: storage_failed, also if the path is too long for a socket or other accounts can write its folder. */
export async function listen(options: LineOptions): Promise<Result<SocketServer>> {
  const short = checkSocketPath(options.path)
  if (!short.ok) return short
  const folder = checkTrusted(dirname(options.path), 'folder')
  if (folder?.ok === false) return folder
  const token = makeLineToken(options.path)
  if (!token.ok) return token
  const app = createApp(options)
  const open: Open = { closing: false, clients: new Map(), running: new Set() }
  const server = serve({ ...options, open, app, token: token.value })
  try {
    await bind(server, options.path)
  } catch {
    return err('storage_failed', { file: 'home.sock', problem: 'the socket cannot be created' })
  }
  return ok({ close: () => closeServer(server, app, open) })
}

/** Sets the mode by umask, so that others can at no moment connect. */
async function bind(server: Server, path: string): Promise<void> {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const mask = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
  } finally {
    process.umask(mask)
  }
}

/** Ends connections gracefully, so that a terminal notices before it sends another request. */
async function closeServer(server: Server, app: App, open: Open): Promise<void> {
  open.closing = true
  app.endStreams()
  await Promise.race([Promise.all([...open.running].map(closed)), delay(CLOSE_GRACE)])
  const sockets = [...open.clients.keys()]
  for (const socket of sockets) socket.end()
  await Promise.race([Promise.all(sockets.map(closed)), delay(CLOSE_GRACE)])
  const done = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await done
}

const closed = (stream: Socket | ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) resolve()
    else stream.once('close', resolve)
  })

interface Open {
  closing: boolean
  readonly clients: Map<Socket, Client>
  readonly running: Set<ServerResponse>
}

interface Serving extends LineOptions {
  readonly open: Open
  readonly app: App
  readonly token: string
}

/** A client is identified by its socket: two requests on one socket come from the same client. */
function serve(serving: Serving): Server {
  const { open } = serving
  const { clients, running } = open
  const server = createServer(BOUNDS, (incoming, outgoing) => {
    const client = clients.get(incoming.socket)
    // Refuses pipelined requests, which would queue here, and requests during shutdown.
    if (client === undefined || client.busy || open.closing) {
      incoming.socket.destroy()
      return
    }
    client.busy = true
    running.add(outgoing)
    outgoing.once('close', () => {
      client.busy = false
      running.delete(outgoing)
    })
    void answerWith(serving.app, client, [incoming, outgoing])
  })
  server.maxConnections = MAX_CLIENTS
  server.on('connection', (socket) => {
    clients.set(socket, createClient(socket, serving))
    socket.once('close', () => clients.delete(socket))
  })
  server.on('clientError', (_error, socket) => {
    if (socket instanceof Socket) clients.get(socket)?.denied('frame_malformed')
    socket.destroy()
  })
  return server
}

interface Client extends Connection {
  busy: boolean
}

function createClient(socket: Socket, { token, denied }: LineOptions & { readonly token: string }): Client {
  let settled = false
  /** Only the first outcome counts; later input on a closed connection is ignored. */
  const settle = (code: ReasonCode | null): void => {
    if (!settled && code !== null) denied(code)
    settled = true
    clearTimeout(unproved)
  }
  const unproved = setTimeout(() => {
    settle('hello_overdue')
    socket.destroy()
  }, PROOF_WITHIN).unref()
  socket.once('close', () => clearTimeout(unproved))
  return {
    busy: false,
    door: createDoor(token),
    proved: () => settle(null),
    denied: settle,
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}

/** Base of all URLs: the host that a request names does not matter. */
const ORIGIN = 'http://home'

async function answerWith(
  app: App,
  connection: Connection,
  [incoming, outgoing]: readonly [IncomingMessage, ServerResponse],
): Promise<void> {
  const request = requestOf(incoming)
  if (request === null) {
    connection.denied('frame_malformed')
    outgoing.writeHead(400, { connection: 'close' }).end()
    return
  }
  const response = await app.fetch(request, { connection, body: () => textOf(incoming) })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.headers.get('content-type') !== 'text/event-stream') {
    outgoing.end(Buffer.from(await response.arrayBuffer()))
    return
  }
  outgoing.flushHeaders()
  // Reads when the client has room, and ends the stream when it disconnects.
  const stream = Readable.fromWeb(response.body as ReadableStream)
  await pipeline(stream, outgoing).catch(() => undefined)
}

/** Null if the URL or the method is invalid. */
function requestOf({ url = '', method = '', headers }: IncomingMessage): Request | null {
  const address = URL.parse(url, ORIGIN)
  if (address?.origin !== ORIGIN) return null
  const single = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  )
  try {
    return new Request(address, { method, headers: single })
  } catch {
    return null
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
