/**
 * The edge's HTTP surface: health, the tunnel's upgrade and the owner's open line. Must not hold state or run a
 * pipeline: objects do. Called by worker/index.ts.
 */
import { Hono } from 'hono'
import { DEVICE_HEADER, NONCE_HEADER, TUNNEL_NAME } from '../durable-objects/names.ts'
import { type EdgeEnv, settingsOf } from './env.ts'
import { errorResponse, faultResponse, routeUnknown, upgradeRequired } from './errors.ts'
import { openLine } from './open-line.ts'
import { checkSignature } from './signature.ts'

export function createApp(): Hono<{ Bindings: EdgeEnv }> {
  const app = new Hono<{ Bindings: EdgeEnv }>()
  app.onError(faultResponse)
  app.notFound(routeUnknown)
  app.get('/healthz', (context) => context.json({ ok: settingsOf(context.env).ok }))
  app.get('/tunnel', ({ req, env }) => openTunnel(req.raw, env))
  app.route('/line', openLine())
  return app
}

/** The signature is checked here, so that a stranger's knocking wakes nothing and costs nothing (DESIGN §7). */
async function openTunnel(request: Request, env: EdgeEnv): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return upgradeRequired()
  const settings = settingsOf(env)
  if (!settings.ok) return errorResponse(settings.reason)
  const signed = await checkSignature(request, settings.value.devices, Date.now())
  if (!signed.ok) return errorResponse(signed.reason)
  const headers = new Headers(request.headers)
  headers.set(DEVICE_HEADER, signed.value.device)
  headers.set(NONCE_HEADER, signed.value.nonce)
  return env.TUNNEL.getByName(TUNNEL_NAME).fetch(new Request(request, { headers }))
}
