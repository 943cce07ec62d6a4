/**
 * Routes of the private line (B-09, H-10): `/hello`; with its proof `/operations/<name>` and `/methods/<name>`, one per
 * row of a table; and `/events`. All are POST with a JSON body, so that a URL contains only a name. Must not know what
 * a method does. Called by listen.ts.
 */
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import * as z from 'zod/mini'
import { err, ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { diskRefusal } from '../store/storage-trouble.ts'
import type { Door } from './door.ts'
import type { Method, Methods } from './method.ts'

/** Most bytes of a request's body (T-04). Stops a client that never ends it. */
export const MAX_BODY_BYTES = 1_048_576

/** Most bytes of a `/hello` body: an unproven client must not send more. */
const MAX_HELLO_BYTES = 1_000

/** HTTP status of a refusal, for people who inspect the traffic. The terminal uses the more precise reason code. */
const STATUS: Readonly<Partial<Record<ReasonCode, number>>> = {
  frame_malformed: 400,
  signature_invalid: 401,
  frame_too_large: 413,
  internal_fault: 500,
  storage_full: 507,
}

/** A client of `/events`, as the event source sees it. */
export interface Client {
  /** Resolves to true when the client has room for more, to false when it is disconnected. */
  push(event: string, data: unknown): Promise<boolean>
  /** Calls `work` once, when the client disconnects. */
  onClose(work: () => void): void
}

export interface AppOptions {
  readonly operations: Methods
  readonly methods: Methods
  /** Sends the outbox above `after` and all later rows until the client disconnects. */
  readonly follow: (client: Client, after: number) => void
  /** A sentence for people, without facts or payload. */
  readonly words: (reason: Refusal) => string
  /** Removes known secrets from output (E-18). */
  readonly redact: (text: string) => string
  /** A method threw an error other than a storage error, which is a bug. Receives its name, never its arguments. */
  readonly fault: (method: string) => void
}

export interface Connection {
  readonly door: Door
  proved(): void
  /** The client did not prove that it can read the token; the connection is closed. */
  denied(code: ReasonCode): void
}

/** Input of a route besides URL and headers. */
export interface Incoming {
  readonly connection: Connection
  /** The body; the first caller reads it to its end. Throws if it is incomplete. */
  body(): Promise<string>
}

type Bound = { Bindings: Incoming }
type At = Context<Bound>

export interface App {
  fetch(request: Request, incoming: Incoming): Response | Promise<Response>
  endStreams(): void
}

export function createApp(options: AppOptions): App {
  const app = new Hono<Bound>()
  const streams = new Set<() => void>()
  const messageOf = (reason: Refusal) => ({ code: reason.code, message: options.words(reason) })
  const refused = (reason: Refusal, headers: Readonly<Record<string, string>> = {}): Response =>
    said({ error: messageOf(reason) }, STATUS[reason.code] ?? 422, headers)
  const answered = (value: unknown): Response => {
    const text = options.redact(JSON.stringify(value ?? null))
    return new Response(text, { headers: JSON_BODY })
  }
  const turnedAway = ({ env }: At, { reason }: { readonly reason: Refusal }): Response => {
    env.connection.denied(reason.code)
    return refused(reason, LAST)
  }
  const add = (path: string, name: string, run: Method): void => {
    app.post(path, async ({ env }) => {
      const result = await tried(options, name, run, await bodyOf(env))
      return result.ok ? answered(result.value) : refused(result.reason)
    })
  }

  app.post('/hello', async (context) => {
    const sized = checkSize(context, MAX_HELLO_BYTES)
    if (!sized.ok) return turnedAway(context, sized)
    const greeting = context.env.connection.door.greet(await bodyOf(context.env))
    return greeting.ok ? answered(greeting.value) : turnedAway(context, greeting)
  })
  app.use(async (context, next) => {
    const { door, proved } = context.env.connection
    if (!door.admits(context.req.header('authorization')))
      return turnedAway(context, err('signature_invalid'))
    proved()
    const sized = checkSize(context, MAX_BODY_BYTES)
    return sized.ok ? next() : refused(sized.reason)
  })
  for (const [name, run] of Object.entries(options.operations)) add(`/operations/${name}`, name, run)
  for (const [name, run] of Object.entries(options.methods)) add(`/methods/${name}`, name, run)
  app.post('/events', async (context) => {
    const parsed = z.safeParse(following, await bodyOf(context.env))
    if (!parsed.success) return refused({ code: 'frame_malformed', facts: {} })
    return stream(context, options, { after: parsed.data.after, streams })
  })
  app.notFound(() => said({ error: messageOf({ code: 'frame_malformed', facts: {} }) }, 404, {}))
  app.onError(() => {
    options.fault('private line')
    return refused({ code: 'internal_fault', facts: {} })
  })
  return {
    fetch: (request, incoming) => app.fetch(request, incoming),
    endStreams() {
      for (const end of streams) end()
    },
  }
}

const following = z.strictObject({ after: z.int().check(z.nonnegative()) })

interface Stream {
  readonly after: number
  readonly streams: Set<() => void>
}

/** Lasts until the client disconnects or home ends it. A write waits for room: a slow client costs one event, no queue. */
function stream(context: At, { follow, redact }: AppOptions, { after, streams }: Stream): Response {
  return streamSSE(context, async (sse) => {
    const works: (() => void)[] = []
    let over = false
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    streams.add(end)
    sse.onAbort(end)
    const client: Client = {
      async push(event, data) {
        if (!over) await sse.writeSSE({ event, data: redact(JSON.stringify(data)) })
        return !over && !sse.aborted
      },
      onClose: (work) => void works.push(work),
    }
    follow(client, after)
    await ended
    over = true
    streams.delete(end)
    for (const work of works) work()
  })
}

async function tried(
  options: AppOptions,
  name: string,
  run: Method,
  params: unknown,
): Promise<Result<unknown>> {
  try {
    return await run(params)
  } catch (error) {
    const disk = diskRefusal(error)
    if (disk === null) options.fault(name)
    return { ok: false, reason: disk ?? { code: 'internal_fault', facts: {} } }
  }
}

/** Undefined, which no method accepts, if the body is not JSON or is incomplete. */
async function bodyOf(incoming: Incoming): Promise<unknown> {
  try {
    return JSON.parse(await incoming.body())
  } catch {
    return undefined
  }
}

const JSON_BODY = { 'content-type': 'application/json' } as const

/**
 * Checks the declared length before the body is read; Node enforces it and discards refused bodies. Refusals:
 * frame_malformed without a length, frame_too_large.
 */
function checkSize({ req }: At, most: number): Result<true> {
  if (req.header('transfer-encoding') !== undefined) return err('frame_malformed')
  return Number(req.header('content-length') ?? 0) > most ? err('frame_too_large') : ok(true)
}

/** Closes the connection, so that nothing else on it is read. */
const LAST = { connection: 'close' } as const

function said(body: unknown, status: number, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_BODY, ...headers } })
}
