/**
 * Upload routes for the copies of home's sealed stores (DESIGN §6): HTTP, signed by the one device that writes them. Not the
 * tunnel: its outbox would store each piece at home a second time, ahead of calls that somebody waits for. Must not hold rows:
 * copy-shelf.ts does. Called by worker/app.ts.
 */
import { Hono } from 'hono'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { err } from '../../kernel/flow/verdict.ts'
import {
  announcementSchema,
  type CopyShelfState,
  generationSchema,
  isChunkName,
  MAX_SEALED_BYTES,
} from '../../kernel/tunnel/copies.ts'
import { admitWriter } from '../enrolled.ts'
import type { EdgeEnv } from '../env.ts'
import { errorResponse } from '../errors.ts'
import { readSignedBytes } from '../signature.ts'
import { readSignedJson } from '../signed-json.ts'
import { createCopyShelf } from './copy-shelf.ts'

export function copies(): Hono<{ Bindings: EdgeEnv; Variables: { device: string } }> {
  const routes = new Hono<{ Bindings: EdgeEnv; Variables: { device: string } }>()
  routes.use(async (context, next) => {
    const signed = await admitWriter(context.req.raw, context.env)
    if (!signed.ok) return errorResponse(signed.reason)
    context.set('device', signed.value.device)
    return next()
  })
  routes.get('/', async ({ env }) => {
    const generations = await createCopyShelf(env.COPIES).list()
    if (!generations.ok) return errorResponse(generations.reason)
    const recoveryKey = await env.KERNEL.getByName(KERNEL_NAME).recoveryKey()
    const state: CopyShelfState = { generations: [...generations.value], recoveryKey }
    return Response.json(state)
  })
  routes.post('/announcements', async ({ req, env }) => {
    const body = await readSignedJson(req.raw, announcementSchema)
    if (!body.ok) return errorResponse(body.reason)
    const missing = await createCopyShelf(env.COPIES).announce(body.value.chunks)
    return missing.ok ? Response.json({ missing: missing.value }) : errorResponse(missing.reason)
  })
  routes.put('/chunks/:name', async ({ req, env }) => {
    const bytes = await readSignedBytes(req.raw)
    if (!bytes.ok) return errorResponse(bytes.reason)
    const name = req.param('name')
    if (!isChunkName(name) || bytes.value.length > MAX_SEALED_BYTES)
      return errorResponse(err('event_malformed').reason)
    const put = await createCopyShelf(env.COPIES).put(name, bytes.value)
    return put.ok ? Response.json({ done: true }) : errorResponse(put.reason)
  })
  routes.post('/generations', async ({ req, env, var: { device } }) => {
    const body = await readSignedJson(req.raw, generationSchema)
    if (!body.ok) return errorResponse(body.reason)
    const committed = await createCopyShelf(env.COPIES).commit(body.value)
    if (!committed.ok) return errorResponse(committed.reason)
    // After the commit, so that a reader with the new key finds a generation that it opens.
    await env.KERNEL.getByName(KERNEL_NAME).setRecoveryKey(body.value.recoveryKey, device)
    return Response.json({ done: true })
  })
  return routes
}
