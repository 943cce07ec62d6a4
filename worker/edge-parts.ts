/**
 * Export of the edge's stores to home's backup, and import into a new edge (E-13, E-16): store by store, page by page, for the one
 * device that writes the copies of home. Over HTTP, since the tunnel's outbox would store every page a second time, ahead of
 * waiting calls. Must not read rows: objects do. Called by worker/app.ts.
 */
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { KERNEL_NAME, objectName } from '../durable-objects/names.ts'
import { type EdgeEnv, keyOf, settingsOf } from '../durable-objects/platform/env.ts'
import { askObject, done, errorResponse, respond } from '../durable-objects/platform/errors.ts'
import { readSignedJson } from '../durable-objects/platform/signature.ts'
import { createImportKey } from '../durable-objects/principal/object-part.ts'
import type { PrincipalObject } from '../durable-objects/principal/principal.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import {
  type Cursor,
  cursorSchema,
  importBeginSchema,
  importEndSchema,
  importPageSchema,
  importRegistrySchema,
  MAX_PAGE_BYTES,
  REGISTRY,
} from '../kernel/tunnel/edge-part.ts'
import { admitWriter, type SignedRoutes, signedBy } from './enrolled.ts'

const from = z.object({
  moment: z.string().check(z.maxLength(100)),
  table: z.optional(z.string()),
  after: z.optional(z.coerce.number()),
})

export function edgeParts(): Hono<SignedRoutes> {
  const routes = new Hono<SignedRoutes>()
  routes.use(signedBy(admitWriter))
  routes.get('/', async ({ env, var: { device } }) => {
    const found = await askObject(() => kernelOf(env).stores(device))
    return respond(found, ({ objects }) => ({ stores: [REGISTRY, ...objects] }))
  })
  routes.get('/:store', async ({ req, env }) => {
    const name = req.param('store')
    if (name === REGISTRY) return Response.json(await kernelOf(env).registryHead())
    const known = await askObject(() => kernelOf(env).stores(null))
    const sealTo = known.ok ? keyOf(known.value.sealTo) : null
    if (!known.ok) return errorResponse(known.reason)
    // Checked first, because naming an object that does not exist would create it.
    if (sealTo === null || !known.value.objects.includes(name))
      return errorResponse({ code: 'nothing_found' })
    return respond(await askObject(() => env.PRINCIPALS.getByName(name).partHead(sealTo)))
  })
  routes.get('/:store/rows', async ({ req, env }) => {
    const name = req.param('store')
    const asked = readFrom(req.query())
    if (!asked.ok) return errorResponse(asked.reason)
    const { moment, cursor } = asked.value
    if (name === REGISTRY) return respond(await askObject(() => kernelOf(env).registryPage(cursor)))
    if (!(await kernelOf(env).isStore(name))) return errorResponse({ code: 'nothing_found' })
    return respond(await askObject(() => env.PRINCIPALS.getByName(name).partPage(moment, cursor)))
  })
  routes.post('/begin', async ({ req, env }) => {
    const body = await readSignedJson(req.raw, importBeginSchema)
    const settings = settingsOf(env)
    if (!body.ok) return errorResponse(body.reason)
    if (!settings.ok) return errorResponse(settings.reason)
    const begun = await objectOf(env, body.value.principal, (object) => object.beginPart(body.value))
    if (!begun.ok) return errorResponse(begun.reason)
    const sealTo = await createImportKey(settings.value.sealKey).publicKey()
    return Response.json({ done: begun.value, sealTo })
  })
  routes.post('/rows', async ({ req, env }) => {
    const body = await readSignedJson(req.raw, importPageSchema, MAX_PAGE_BYTES)
    if (!body.ok) return errorResponse(body.reason)
    const { page, ...part } = body.value
    return respond(await objectOf(env, part.principal, (object) => object.addToPart(part, page)), done)
  })
  routes.post('/end', async ({ req, env, var: { device } }) => {
    const body = await readSignedJson(req.raw, importEndSchema)
    if (!body.ok) return errorResponse(body.reason)
    // The first call ends with the object's restart; the retry finds it done.
    const ended = await objectOf(env, body.value.principal, (object) => object.endPart(body.value))
    if (ended.ok) await kernelOf(env).noteRestored(nameOf(env, body.value.principal), device)
    return respond(ended, done)
  })
  routes.post('/registry', async ({ req, env, var: { device } }) => {
    const body = await readSignedJson(req.raw, importRegistrySchema)
    if (!body.ok) return errorResponse(body.reason)
    return respond(await askObject(() => kernelOf(env).restoreRegistry(body.value, device)), done)
  })
  return routes
}

function kernelOf(env: EdgeEnv) {
  return env.KERNEL.getByName(KERNEL_NAME)
}

function nameOf(env: EdgeEnv, principal: string): string {
  const settings = settingsOf(env)
  return settings.ok ? objectName(settings.value.nameKey, principal) : ''
}

/** Looked up by principal: a new edge derives other object names for the same people. */
function objectOf<T>(
  env: EdgeEnv,
  principal: string,
  work: (object: DurableObjectStub<PrincipalObject>) => Promise<Result<T>>,
): Promise<Result<T>> {
  return askObject(() => work(env.PRINCIPALS.getByName(nameOf(env, principal))))
}

function readFrom(
  query: Record<string, string>,
): Result<{ readonly moment: string; readonly cursor: Cursor | null }> {
  const asked = z.safeParse(from, query)
  if (!asked.success) return err('event_malformed')
  const { moment, table, after } = asked.data
  if (table === undefined) return ok({ moment, cursor: null })
  const cursor = z.safeParse(cursorSchema, { table, after })
  return cursor.success ? ok({ moment, cursor: cursor.data }) : err('event_malformed')
}
