/**
 * The owner's open line over HTTP: send, read, inspect a task, decide and stop; every call is signed by an enrolled device (DESIGN
 * §1, §8, B-09). Must not decide who the caller is or what may flow: the kernel does, in the principal's object. Called by
 * worker/index.ts.
 */
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { OPEN_DIRECTORY, OPEN_LINE } from '../durable-objects/directory.ts'
import { KERNEL_NAME, objectName } from '../durable-objects/names.ts'
import type { PrincipalObject } from '../durable-objects/principal/principal.ts'
import { lockEdge } from '../kernel/features/places/operations/lock.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { EventSource } from '../kernel/task/event.ts'
import { principalOf } from '../kernel/task/principal.ts'
import { admitDevice, checkDevice } from './enrolled.ts'
import { type EdgeEnv, type EdgeSettings, settingsOf } from './env.ts'
import { askObject, errorResponse } from './errors.ts'
import { health } from './health.ts'
import { takeSecret } from './secrets.ts'
import { readSigned } from './signature.ts'

/** Longest wait of a reader for the next delivery, milliseconds; then it asks again. */
const POLL_WAIT = 20_000

const message = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(128)), text: z.string() })
/** The operation checks its own arguments. */
const args = z.record(z.string(), z.unknown())
const nothing = z.union([z.strictObject({}), z.undefined()])
const reading = z.object({
  after: z._default(z.coerce.number().check(z.int(), z.nonnegative()), 0),
  /** Milliseconds. */
  wait: z._default(z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(POLL_WAIT)), POLL_WAIT),
  /** Number of the draft that the reader saw last. */
  draft: z.optional(z.coerce.number().check(z.int(), z.nonnegative())),
})

/** The caller, and the Durable Object of the caller's principal. */
interface Caller {
  readonly principal: string
  readonly source: EventSource
  /** Id of the device that signed. */
  readonly device: string
  readonly object: DurableObjectStub<PrincipalObject>
}

interface Line {
  Bindings: EdgeEnv
  Variables: { caller: Caller }
}

export function openLine(): Hono<Line> {
  const line = new Hono<Line>()
  line.use(async (context, next) => {
    const caller = await identify(context.req.raw, context.env)
    if (!caller.ok) return errorResponse(caller.reason)
    context.set('caller', caller.value)
    return next()
  })
  line.post('/messages', async ({ req, var: { caller } }) => {
    const body = await readJson(req.raw, message)
    if (!body.ok) return errorResponse(body.reason)
    const event = eventOf(caller.source, body.value)
    const received = await askObject(() => caller.object.receive(caller.principal, event))
    if (!received.ok) return errorResponse(received.reason)
    const { task, turn } = received.value
    return Response.json({ task, turn }, { status: 202 })
  })
  line.get('/deliveries', async ({ req, var: { caller } }) => {
    const asked = z.safeParse(reading, req.query())
    if (!asked.success) return errorResponse(err('event_malformed').reason)
    const { after, wait, draft: seen } = asked.data
    const { principal, object } = caller
    const request = { sink: OPEN_LINE.sink, after, waitMs: wait, draft: seen }
    const found = await askObject(() => object.deliveries(principal, request))
    if (!found.ok) return errorResponse(found.reason)
    const draft = seen === undefined ? null : await askObject(() => object.draft(principal, OPEN_LINE.sink))
    return Response.json({ deliveries: found.value, draft: draft?.ok === true ? draft.value : null })
  })
  line.get('/tasks/:id', async ({ req, var: { caller } }) =>
    answer(await askObject(() => caller.object.report(caller.principal, req.param('id')))),
  )
  line.post('/tasks/:id/stop', async ({ req, var: { caller } }) => {
    const body = await readJson(req.raw, nothing)
    if (!body.ok) return errorResponse(body.reason)
    return answer(await askObject(() => caller.object.stop(caller.principal, req.param('id'))))
  })
  // Locking restarts every object, also the caller's: so the Worker calls it, not a principal's object.
  line.post(`/operations/${lockEdge.name}`, async ({ req, env }) => {
    const body = await readJson(req.raw, nothing)
    if (!body.ok) return errorResponse(body.reason)
    const locked = await askObject(() => env.KERNEL.getByName(KERNEL_NAME).setLocked(true))
    return locked.ok ? Response.json({ done: true }) : errorResponse(locked.reason)
  })
  line.put('/secrets/:name', async ({ req, env, var: { caller } }) => {
    const { principal, device } = caller
    const taken = await takeSecret(req.raw, env, { name: req.param('name'), principal, device })
    return taken.ok ? Response.json({ done: true }, { status: 202 }) : errorResponse(taken.reason)
  })
  line.get('/waiting', async ({ var: { caller } }) => {
    const found = await askObject(() => caller.object.waiting(caller.principal))
    return found.ok ? Response.json(found.value) : errorResponse(found.reason)
  })
  line.post('/operations/:name', async ({ req, var: { caller } }) => {
    const body = await readJson(req.raw, args)
    if (!body.ok) return errorResponse(body.reason)
    const call = { operation: req.param('name'), args: body.value, sink: OPEN_LINE.sink }
    const done = await askObject(() => caller.object.operate(caller.principal, call))
    return done.ok ? Response.json(done.value) : errorResponse(done.reason)
  })
  line.route('/health', health())
  return line
}

/**
 * Checks the signature, then finds the device's principal; no principal's object has woken yet. A message counts once by its own
 * id; for every other request a signature counts once, so that a replay reads and decides nothing.
 */
async function identify(request: Request, env: EdgeEnv): Promise<Result<Caller>> {
  const settings = settingsOf(env)
  if (!settings.ok) return settings
  const isMessage = request.method === 'POST' && new URL(request.url).pathname === '/line/messages'
  const signed = await (isMessage ? checkDevice : admitDevice)(request, env)
  return signed.ok ? ok(callerOf(env, settings.value, signed.value.device)) : signed
}

function callerOf(env: EdgeEnv, settings: EdgeSettings, device: string): Caller {
  const source: EventSource = {
    adapter: OPEN_LINE.adapter,
    user: OPEN_LINE.user,
    chat: OPEN_LINE.chat,
    group: false,
  }
  const principal = principalOf(source, OPEN_DIRECTORY).id
  return {
    principal,
    source,
    device,
    object: env.PRINCIPALS.getByName(objectName(settings.nameKey, principal)),
  }
}

function eventOf(source: EventSource, { id, text }: z.infer<typeof message>): unknown {
  return {
    id,
    at: Date.now(),
    source,
    kind: 'message',
    text,
    quoted: [],
    attachments: [],
    replyTo: null,
    place: 'edge',
  }
}

async function readJson<T>(request: Request, schema: z.ZodMiniType<T>): Promise<Result<T>> {
  const text = await readSigned(request)
  if (!text.ok) return text
  const parsed = z.safeParse(schema, decode(text.value))
  return parsed.success ? ok(parsed.data) : err('event_malformed')
}

function decode(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return null
  }
}

function answer(result: Result<object>): Response {
  return result.ok ? Response.json(result.value) : errorResponse(result.reason)
}
