/**
 * The owner's open line over HTTP: send, read, inspect a task, decide, stop, and the edge's health; every call is signed by an
 * enrolled device (DESIGN §1, §8, B-09, S-18). Must not decide who the caller is or what may flow, nor return a secret or the
 * value of a setting. Called by worker/app.ts.
 */
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { OPEN_DIRECTORY, OPEN_LINE } from '../durable-objects/directory.ts'
import { KERNEL_NAME, objectName } from '../durable-objects/names.ts'
import { type EdgeEnv, type EdgeSettings, settingsOf } from '../durable-objects/platform/env.ts'
import { askObject, done, errorResponse, respond } from '../durable-objects/platform/errors.ts'
import { takeSecret } from '../durable-objects/platform/secrets.ts'
import { readSignedJson } from '../durable-objects/platform/signature.ts'
import type { PrincipalObject } from '../durable-objects/principal/principal.ts'
import { listApprovals } from '../kernel/features/approvals/operations/list.ts'
import { lockEdge } from '../kernel/features/places/operations/lock.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { EventSource } from '../kernel/task/event.ts'
import { OWNER_PRINCIPAL, principalOf } from '../kernel/task/principal.ts'
import { admitDevice, checkDevice } from './enrolled.ts'

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
    const body = await readSignedJson(req.raw, message)
    if (!body.ok) return errorResponse(body.reason)
    const event = eventOf(caller.source, body.value)
    const received = await askObject(() => caller.object.receive(caller.principal, event))
    return respond(received, ({ task, turn }) => ({ task, turn }), 202)
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
    respond(await askObject(() => caller.object.report(caller.principal, req.param('id')))),
  )
  line.post('/tasks/:id/stop', async ({ req, var: { caller } }) => {
    const body = await readSignedJson(req.raw, nothing)
    if (!body.ok) return errorResponse(body.reason)
    return respond(await askObject(() => caller.object.stop(caller.principal, req.param('id'))))
  })
  // Locking restarts every object, also the caller's: so the Worker calls it, not a principal's object.
  line.post(`/operations/${lockEdge.name}`, async ({ req, env }) => {
    const body = await readSignedJson(req.raw, nothing)
    if (!body.ok) return errorResponse(body.reason)
    const locked = await askObject(() => env.KERNEL.getByName(KERNEL_NAME).setLocked(true))
    return respond(locked, done)
  })
  line.put('/secrets/:name', async ({ req, env, var: { caller } }) => {
    const { principal, device } = caller
    const taken = await takeSecret(req.raw, env, { name: req.param('name'), principal, device })
    return respond(taken, done, 202)
  })
  line.get('/waiting', async ({ var: { caller } }) =>
    respond(await askObject(() => caller.object.waiting(caller.principal))),
  )
  line.post('/operations/:name', async ({ req, var: { caller } }) => {
    const body = await readSignedJson(req.raw, args)
    if (!body.ok) return errorResponse(body.reason)
    const call = { operation: req.param('name'), args: body.value, sink: OPEN_LINE.sink }
    return respond(await askObject(() => caller.object.operate(caller.principal, call)))
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

const order = z.strictObject({ set: z.boolean() })

function health(): Hono<{ Bindings: EdgeEnv }> {
  const routes = new Hono<{ Bindings: EdgeEnv }>()
  routes.get('/', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    const { models, bot, nameKey } = settings.value
    return Response.json({
      at: Date.now(),
      troubles: [models.trouble, bot.trouble].filter((one) => one !== null),
      bot: (await bot.channel?.health(new URL(req.url).origin)) ?? null,
      waiting: await waitingIn(env, nameKey),
      paused: await env.KERNEL.getByName(KERNEL_NAME).paused(),
    })
  })
  routes.post('/webhook', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    const body = await readSignedJson(req.raw, order)
    const { channel } = settings.value.bot
    if (!body.ok || channel === null)
      return errorResponse(body.ok ? err('nothing_found').reason : body.reason)
    // The webhook's address is the origin of this request, which the owner's device signed.
    return respond(await channel.order(new URL(req.url).origin, body.value.set), done)
  })
  return routes
}

/** Number of questions that wait for the owner; 0 when the owner's object does not answer. */
async function waitingIn({ PRINCIPALS }: EdgeEnv, nameKey: Uint8Array): Promise<number> {
  const call = { operation: listApprovals.name, args: {}, sink: OPEN_LINE.sink }
  const owner = PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
  const waiting = await askObject(() => owner.operate(OWNER_PRINCIPAL, call))
  return waiting.ok && Array.isArray(waiting.value) ? waiting.value.length : 0
}
