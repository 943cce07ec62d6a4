/**
 * Device routes (T-02): pairing by a one-time code; for enrolled devices the list, a code for the next device, and revocation. Must
 * not decide whether a code is valid: KernelObject does. Called by worker/app.ts.
 */
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { KERNEL_NAME } from '../durable-objects/names.ts'
import { type EdgeEnv, keyOf, settingsOf } from '../durable-objects/platform/env.ts'
import { errorResponse, respond } from '../durable-objects/platform/errors.ts'
import { parseText, readBounded, readSignedJson } from '../durable-objects/platform/signature.ts'
import { countOne, type RateWindow } from '../durable-objects/rate-window.ts'
import { createEdgeIdentity } from '../durable-objects/tunnel/identity.ts'
import { pairRequestSchema } from '../kernel/tunnel/pairing.ts'
import { admitDevice, type SignedRoutes, signedBy } from './enrolled.ts'

/** Pairing attempts a minute that one isolate forwards: guessing must not wake the object without end. */
export const MAX_ATTEMPTS = 30

const codeKey = z.strictObject({ key: z.string() })
const deviceId = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) })

let attempts: RateWindow | null = null

/** Unsigned: a device that pairs has no enrolled key yet. */
export function pairing(): Hono<{ Bindings: EdgeEnv }> {
  const routes = new Hono<{ Bindings: EdgeEnv }>()
  routes.get('/', async ({ env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    return Response.json({ publicKey: await createEdgeIdentity(settings.value.signKey).publicKey() })
  })
  routes.post('/', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return errorResponse(settings.reason)
    if (!mayTry(Date.now())) return errorResponse({ code: 'remote_rate_limited' })
    const text = await readBounded(req.raw)
    const body = text.ok ? parseText(pairRequestSchema, new TextDecoder().decode(text.value)) : text
    if (!body.ok) return errorResponse(body.reason)
    const { publicKey: deviceKey, nonce, mac } = body.value
    const publicKey = keyOf(deviceKey)
    if (publicKey === null) return errorResponse({ code: 'event_malformed' })
    const edgeKey = await createEdgeIdentity(settings.value.signKey).publicKey()
    const { host } = new URL(req.url)
    const asked = { publicKey, deviceKey, edgeKey, host, nonce, mac }
    const paired = await env.KERNEL.getByName(KERNEL_NAME).pair(asked)
    return respond(paired, (value) => ({ mac: value.mac.toHex() }))
  })
  return routes
}

/** Signed by an enrolled device; each signature counts once. */
export function devices(): Hono<SignedRoutes> {
  const routes = new Hono<SignedRoutes>()
  routes.use(signedBy(admitDevice))
  routes.get('/', async ({ env, var: { device } }) => {
    const list = await env.KERNEL.getByName(KERNEL_NAME).devices()
    return Response.json({ devices: list.map(({ id }) => ({ id, asking: id === device })) })
  })
  routes.post('/codes', async ({ req, env, var: { device } }) => {
    const body = await readSignedJson(req.raw, codeKey)
    const key = body.ok ? keyOf(body.value.key) : null
    if (key === null) return errorResponse({ code: 'event_malformed' })
    await env.KERNEL.getByName(KERNEL_NAME).openCode(key, device)
    return Response.json({ opened: true })
  })
  routes.post('/revoke', async ({ req, env, var: { device } }) => {
    const body = await readSignedJson(req.raw, deviceId)
    if (!body.ok) return errorResponse(body.reason)
    const revoked = await env.KERNEL.getByName(KERNEL_NAME).revoke(body.value.id, device)
    return respond(revoked, () => ({ revoked: body.value.id }))
  })
  return routes
}

function mayTry(now: number): boolean {
  const { window, within } = countOne(attempts, now, MAX_ATTEMPTS)
  attempts = window
  return within
}
