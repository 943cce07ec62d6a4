/**
 * Upload routes for the copies of home's sealed stores (DESIGN §6), over HTTP and signed by the one device that writes them. The
 * tunnel is not used, because its outbox would store each piece at home a second time, ahead of calls that somebody waits for.
 * Must not hold rows: copy-archive.ts does. Called by worker/app.ts.
 */
import { Hono } from 'hono'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { done, errorResponse, respond } from '../../durable-objects/platform/errors.ts'
import { readSignedBytes, readSignedJson } from '../../durable-objects/platform/signature.ts'
import { err } from '../../kernel/flow/verdict.ts'
import {
  announcementSchema,
  type CopyArchiveState,
  generationSchema,
  isChunkName,
  MAX_SEALED_BYTES,
} from '../../kernel/tunnel/copies.ts'
import { admitWriter, type SignedRoutes, signedBy } from '../enrolled.ts'
import { createCopyArchive } from './copy-archive.ts'

export function copies(): Hono<SignedRoutes> {
  const routes = new Hono<SignedRoutes>()
  routes.use(signedBy(admitWriter))
  routes.get('/', async ({ env }) => {
    const generations = await createCopyArchive(env.COPIES).list()
    if (!generations.ok) return errorResponse(generations.reason)
    const recoveryKey = await env.KERNEL.getByName(KERNEL_NAME).recoveryKey()
    const state: CopyArchiveState = { generations: [...generations.value], recoveryKey }
    return Response.json(state)
  })
  routes.post('/announcements', async ({ req, env }) => {
    const body = await readSignedJson(req.raw, announcementSchema)
    if (!body.ok) return errorResponse(body.reason)
    return respond(await createCopyArchive(env.COPIES).announce(body.value.chunks), (missing) => ({
      missing,
    }))
  })
  routes.put('/chunks/:name', async ({ req, env }) => {
    const bytes = await readSignedBytes(req.raw)
    if (!bytes.ok) return errorResponse(bytes.reason)
    const name = req.param('name')
    if (!isChunkName(name) || bytes.value.length > MAX_SEALED_BYTES)
      return errorResponse(err('event_malformed').reason)
    return respond(await createCopyArchive(env.COPIES).put(name, bytes.value), done)
  })
  routes.post('/generations', async ({ req, env, var: { device } }) => {
    const body = await readSignedJson(req.raw, generationSchema)
    if (!body.ok) return errorResponse(body.reason)
    const committed = await createCopyArchive(env.COPIES).commit(body.value)
    if (!committed.ok) return errorResponse(committed.reason)
    // After the commit, so that a reader with the new key finds a generation that it opens.
    await env.KERNEL.getByName(KERNEL_NAME).setRecoveryKey(body.value.recoveryKey, device)
    return Response.json({ done: true })
  })
  return routes
}
