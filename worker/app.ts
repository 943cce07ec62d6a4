/**
 * The edge's HTTP routes: health, the tunnel's upgrade, the owner's open line and devices, the bot's webhook, the copies of home
 * and their recovery, and the export of the edge for home's backup. Must not hold state or run a pipeline: objects do. Called by
 * worker/index.ts.
 */
import { Hono } from 'hono'
import { DEVICE_HEADER, NONCE_HEADER, TUNNEL_NAME } from '../durable-objects/names.ts'
import { type EdgeEnv, settingsOf } from '../durable-objects/platform/env.ts'
import {
  errorResponse,
  faultResponse,
  routeUnknown,
  upgradeRequired,
} from '../durable-objects/platform/errors.ts'
import { noteAuthFailure } from './auth-failures.ts'
import { channels } from './channels.ts'
import { copies } from './copies/copies.ts'
import { recovery } from './copies/recovery.ts'
import { devices, pairing } from './devices.ts'
import { edgeParts } from './edge-parts.ts'
import { admitDevice } from './enrolled.ts'
import { openLine } from './open-line.ts'
import { secretPage } from './secret-page.ts'

export function createApp(): Hono<{ Bindings: EdgeEnv }> {
  const app = new Hono<{ Bindings: EdgeEnv }>()
  app.onError(faultResponse)
  app.notFound(routeUnknown)
  app.get('/healthz', (context) => context.json({ ok: settingsOf(context.env).ok }))
  app.get('/tunnel', ({ req, env }) => openTunnel(req.raw, env))
  app.route('/line', openLine())
  app.route('/', channels())
  app.route('/secret', secretPage())
  app.route('/pair', pairing())
  app.route('/devices', devices())
  app.route('/copies', copies())
  app.route('/parts', edgeParts())
  app.route('/recovery', recovery())
  return app
}

/** The signature is checked here, so that unsigned requests do not wake the tunnel (DESIGN §7). */
async function openTunnel(request: Request, env: EdgeEnv): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return upgradeRequired()
  const signed = await admitDevice(request, env)
  if (!signed.ok) {
    if (signed.reason.code === 'signature_invalid') await noteAuthFailure(env, Date.now())
    return errorResponse(signed.reason)
  }
  const headers = new Headers(request.headers)
  headers.set(DEVICE_HEADER, signed.value.device)
  headers.set(NONCE_HEADER, signed.value.nonce)
  return env.TUNNEL.getByName(TUNNEL_NAME).fetch(new Request(request, { headers }))
}
