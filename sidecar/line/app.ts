/**
 * The private line's routes (B-09, H-10): `/hello`, then with its proof alone `/operations/<name>` and `/methods/<name>`, each made of its
 * row in a table, and `/events`. Everything is a POST with one JSON body, so that no address says more than a name. Must not know what
 * they do. Called by listen.ts.
 */
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import * as z from 'zod/mini'
import { err, ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { diskRefusal } from '../disk-refusal.ts'
import type { Door } from './door.ts'
import type { Method, Methods } from './method.ts'

/** Bytes of a request's body (T-04). Stops a client that never ends it. */
export const MAX_BODY_BYTES = 1_048_576

/** Bytes of a greeting: of who proved nothing, no more is read. */
const MAX_HELLO_BYTES = 1_000

/** Who follows what happens, as its source sees it. */
export interface Client {
  /** Resolves when the client has room for more, false when it is gone. */
  push(event: string, data: unknown): Promise<boolean>
  /** Runs once, when the client goes. */
  onClose(work: () => void): void
}

export interface AppOptions {
  readonly operations: Methods
  readonly methods: Methods
  /** Sends the outbox above `after`, and what comes, until the client goes. */
  readonly follow: (client: Client, after: number) => void
  /** A sentence for people; facts and payload stay out of it. */
  readonly words: (reason: Refusal) => string
  /** Takes known secrets out of what leaves (E-18). */
  readonly redact: (text: string) => string
  /** A method threw and it was not the disk, which is a bug: its name, never its arguments. */
  readonly fault: (method: string) => void
}

/** What is known of the connection that a request came over. */
export interface Connection {
  readonly door: Door
  proved(): void
  /** It did not prove that it may read the token, and is over. */
  denied(code: ReasonCode): void
}

/** What a route is given of its request, beside address and headers. */
export interface Incoming {
  readonly connection: Connection
  /** The body, read to its end by the first who asks. Throws where it does not come whole. */
  body(): Promise<string>
}

type Bound = { Bindings: Incoming }
type At = Context<Bound>

export interface App {
  fetch(request: Request, incoming: Incoming): Response | Promise<Response>
  /** Ends every stream; who followed is gone. */
  endStreams(): void
}

export function createApp(options: AppOptions): App {
  const app = new Hono<Bound>()
  const streams = new Set<() => void>()
  const messageOf = (reason: Refusal) => ({ code: reason.code, message: options.words(reason) })
  const refused = (reason: Refusal, headers: Readonly<Record<string, string>> = {}): Response =>
    said({ error: messageOf(reason) }, statusOf(reason.code), headers)
  const told = (value: unknown): Response => {
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
      return result.ok ? told(result.value) : refused(result.reason)
    })
  }

  app.post('/hello', async (context) => {
    const sized = checkSize(context, MAX_HELLO_BYTES)
    if (!sized.ok) return turnedAway(context, sized)
    const greeting = context.env.connection.door.greet(await bodyOf(context.env))
    return greeting.ok ? told(greeting.value) : turnedAway(context, greeting)
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

/** Lasts until the client goes or home ends it; a write waits for room, so that a slow reader costs one event and no queue. */
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

/** Undefined, which no method takes, for what is no JSON, or did not come whole. */
async function bodyOf(incoming: Incoming): Promise<unknown> {
  try {
    return JSON.parse(await incoming.body())
  } catch {
    return undefined
  }
}

const JSON_BODY = { 'content-type': 'application/json' } as const

/** By what a body says of itself, before any of it is read; Node holds it to that, and drops what is refused. Refusals: frame_malformed without a length, frame_too_large. */
function checkSize({ req }: At, most: number): Result<true> {
  if (req.header('transfer-encoding') !== undefined) return err('frame_malformed')
  return Number(req.header('content-length') ?? 0) > most ? err('frame_too_large') : ok(true)
}

/** Whatever else is on its way over this connection is not read. */
const LAST = { connection: 'close' } as const

function said(body: unknown, status: number, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_BODY, ...headers } })
}

/** For the eye of whoever reads along: the code says more, and is what the terminal goes by. */
function statusOf(code: ReasonCode): number {
  switch (code) {
    case 'frame_malformed':
      return 400
    case 'signature_invalid':
      return 401
    case 'frame_too_large':
      return 413
    case 'internal_fault':
      return 500
    case 'storage_full':
      return 507
    default:
      return 422
  }
}
