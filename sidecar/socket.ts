/**
 * The private line's door: a Unix socket that only the owner's account can open (B-09, H-10), and only with the token beside it.
 * Newline-delimited JSON, {id, method, params} → {id, result | error}, and pushed {event}. Must not know what the methods do.
 * Called by runtime.ts; the caller holds the instance lock, so a socket file found here belongs to a dead process.
 */
import { unlinkSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { err, ok, type ReasonCode, type Refusal, type Result } from '../kernel/flow/verdict.ts'
import { diskRefusal } from './disk-refusal.ts'
import { createLineReader } from './line-reader.ts'
import { makeLineToken } from './line-token.ts'
import { createDoor } from './socket-door.ts'
import { checkSocketPath, checkTrusted } from './trusted-path.ts'

/** One client, as a method sees it. */
export interface Client {
  /** Sends an event; resolves when the client has room for more, false when it is gone. */
  push(event: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Runs once, when the client goes. */
  onClose(work: () => void): void
}

export type Method = (params: unknown, client: Client) => Promise<Result<unknown>>

export interface SocketServer {
  /** Refuses new requests, lets running ones answer, then closes every connection. */
  close(): Promise<void>
}

export interface SocketOptions {
  readonly path: string
  readonly methods: ReadonlyMap<string, Method>
  /** A sentence for people; facts and payload stay out of it. */
  readonly words: (reason: Refusal) => string
  /** Takes known secrets out of a line before it leaves (E-18). */
  readonly redact: (line: string) => string
  /** A method threw and it was not the disk, which is a bug: its name, never its arguments. */
  readonly fault: (method: string) => void
  /** A client that did not prove that it may read the token. */
  readonly denied: (code: ReasonCode) => void
}

/** Unanswered requests of one client before its socket is no longer read: a flood waits at its own end. */
const MAX_IN_FLIGHT = 32
const MAX_CLIENTS = 64
/** Milliseconds for a client's proof: who says nothing must not hold a place. */
const PROOF_WITHIN = 10_000
/** Milliseconds for the last answers to leave when home stops. */
const CLOSE_GRACE = 1_000

const request = z.strictObject({
  id: z.union([z.string().check(z.maxLength(100)), z.int()]),
  method: z.string().check(z.maxLength(100)),
  params: z.optional(z.record(z.string(), z.unknown())),
})

/** Refusal: storage_failed, also where the path is too long for a socket or its folder is not this account's alone. */
export async function listen(options: SocketOptions): Promise<Result<SocketServer>> {
  const short = checkSocketPath(options.path)
  if (!short.ok) return short
  const folder = checkTrusted(dirname(options.path), 'folder')
  if (folder?.ok === false) return folder
  const token = makeLineToken(options.path)
  if (!token.ok) return token
  const clients = new Set<Socket>()
  const running = new Set<Promise<void>>()
  const server = createServer((socket) => {
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    serve(socket, { ...options, running, token: token.value })
  })
  server.maxConnections = MAX_CLIENTS
  try {
    await bind(server, options.path)
  } catch {
    return err('storage_failed', { file: 'home.sock', problem: 'the socket cannot be created' })
  }
  return ok({ close: () => closeServer(server, clients, running) })
}

/** The mode is set by the mask, so that there is no moment in which others could connect. */
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

async function closeServer(
  server: Server,
  clients: ReadonlySet<Socket>,
  running: ReadonlySet<Promise<void>>,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of clients) socket.pause()
  await Promise.race([Promise.allSettled([...running]), delay(CLOSE_GRACE)])
  for (const socket of clients) socket.end()
  await Promise.race([closed, delay(CLOSE_GRACE)])
  for (const socket of clients) socket.destroy()
}

type Serving = SocketOptions & { readonly running: Set<Promise<void>>; readonly token: string }

function serve(socket: Socket, options: Serving): void {
  const read = createLineReader()
  const client = createClient(socket, options.redact)
  const door = createDoor(options.token)
  const unproved = setTimeout(() => turnAway(err('hello_overdue')), PROOF_WITHIN).unref()
  socket.on('close', () => clearTimeout(unproved))
  let inFlight = 0
  const end = (reason: Refusal): void => {
    socket.end(encode(failure(null, reason, options.words)))
    // What still arrives is dropped unread; `end` alone would leave the sender pushing.
    socket.removeAllListeners('data').resume()
    setTimeout(() => socket.destroy(), CLOSE_GRACE).unref()
  }
  const turnAway = ({ reason }: { readonly reason: Refusal }): void => {
    if (socket.writableEnded) return
    options.denied(reason.code)
    end(reason)
  }
  const greet = (line: string): void => {
    const parsed = parseRequest(line)
    const step = parsed.ok ? door.step(parsed.value.method, parsed.value.params) : err('signature_invalid')
    if (door.isOpen()) clearTimeout(unproved)
    if (!step.ok) turnAway(step)
    else if (parsed.ok) void client.push({ id: parsed.value.id, result: step.value })
  }
  const answer = async (line: string): Promise<void> => {
    inFlight += 1
    if (inFlight >= MAX_IN_FLIGHT) socket.pause()
    const reply = await respond(line, client, options)
    // Waits for room before it reads on, so that a client that never reads cannot make answers pile up here.
    if (!socket.destroyed) await client.push(reply)
    inFlight -= 1
    if (inFlight < MAX_IN_FLIGHT) socket.resume()
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    const lines = read(chunk)
    if (lines === 'too_long') {
      end({ code: 'frame_too_large', facts: {} })
      return
    }
    for (const line of lines) {
      if (!door.isOpen()) {
        greet(line)
        if (socket.writableEnded) return
        continue
      }
      const work = answer(line)
      options.running.add(work)
      void work.finally(() => options.running.delete(work))
    }
  })
}

async function respond(line: string, client: Client, options: Serving): Promise<Record<string, unknown>> {
  const parsed = parseRequest(line)
  if (!parsed.ok) return failure(null, parsed.reason, options.words)
  const { id, method, params = {} } = parsed.value
  const run = options.methods.get(method)
  if (run === undefined)
    return failure(id, { code: 'frame_malformed', facts: {} }, () => 'There is no such method.')
  try {
    const result = await run(params, client)
    return result.ok ? { id, result: result.value } : failure(id, result.reason, options.words)
  } catch (error) {
    const disk = diskRefusal(error)
    if (disk === null) options.fault(method)
    return failure(id, disk ?? { code: 'internal_fault', facts: {} }, options.words)
  }
}

function parseRequest(line: string): Result<z.output<typeof request>> {
  try {
    const parsed = z.safeParse(request, JSON.parse(line))
    return parsed.success ? ok(parsed.data) : err('frame_malformed')
  } catch {
    return err('frame_malformed')
  }
}

function failure(
  id: string | number | null,
  reason: Refusal,
  words: SocketOptions['words'],
): Record<string, unknown> {
  return { id, error: { code: reason.code, message: words(reason) } }
}

function createClient(socket: Socket, redact: SocketOptions['redact']): Client {
  return {
    push(event) {
      if (socket.destroyed || !socket.writable) return Promise.resolve(false)
      if (socket.write(redact(encode(event)))) return Promise.resolve(true)
      return new Promise((resolve) => {
        const settle = (): void => {
          socket.off('drain', settle).off('close', settle)
          resolve(!socket.destroyed)
        }
        socket.on('drain', settle).on('close', settle)
      })
    },
    onClose: (work) => void socket.once('close', work),
  }
}

function encode(message: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(message)}\n`
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
