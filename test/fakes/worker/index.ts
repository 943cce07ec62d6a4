/**
 * A second edge for tests: the product's own Worker and objects, plus a scripted chat whose peers are strangers,
 * a scripted model over HTTP, evictions at will, and what a taken-over edge would ask of home. Built through public
 * seams; nothing of it is in the product's bundle.
 */
// What the edge imports when it first needs it: the test runner answers such an import by a request, which workerd lets only the
// object finish that began it, so a second one that waits beside it waits for good. In the product's bundle there is no request.
import '../../../integrations/channels/telegram/client.ts'
import '../../../integrations/models/anthropic/client.ts'
import '../../../integrations/models/openai/client.ts'
import type { Hono } from 'hono'
import { objectName, TUNNEL_NAME } from '../../../durable-objects/names.ts'
import { type EdgeEnv, type EdgeSettings, settingsOf } from '../../../durable-objects/platform/env.ts'
import type { EdgeParts } from '../../../durable-objects/principal/powers.ts'
import { PrincipalObject as ProductPrincipalObject } from '../../../durable-objects/principal/principal.ts'
import { TunnelObject as ProductTunnelObject } from '../../../durable-objects/tunnel/tunnel.ts'
import type { HomeCall } from '../../../kernel/features/places/home-port.ts'
import { OWNER_PRINCIPAL, principalOf } from '../../../kernel/task/principal.ts'
import { createApp } from '../../../worker/app.ts'
import { fakeParts, fakeSource } from './parts.ts'

export { KernelObject } from '../../../durable-objects/registry/kernel.ts'

export interface FakeEnv extends EdgeEnv {
  /** Where answers to the scripted chat are posted. */
  readonly FAKE_DELIVER_URL: string
  /** Where the scripted model listens. */
  readonly FAKE_MODEL_URL: string
}

export class PrincipalObject extends ProductPrincipalObject {
  protected override parts(settings: EdgeSettings): EdgeParts {
    return fakeParts(super.parts(settings), this.env as FakeEnv)
  }

  /** As the platform evicts: whatever is in memory is gone. */
  async evict(): Promise<void> {
    this.ctx.abort('evicted')
  }
}

export class TunnelObject extends ProductTunnelObject {
  async evict(): Promise<void> {
    this.ctx.abort('evicted')
  }
}

function createFakeApp(): Hono<{ Bindings: EdgeEnv }> {
  const app = createApp()
  app.post('/:adapter{fake(?:-telegram)?}/:user', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return Response.json(settings, { status: 500 })
    const { id, text } = await req.json<{ id: string; text: string }>()
    const adapter = req.param('adapter') === 'fake' ? 'whatsapp' : 'telegram'
    const source = fakeSource(req.param('user'), adapter)
    const principal = principalOf(source, { owner: [], paired: [] }).id
    const event = { id, text, at: Date.now(), source, kind: 'message', place: 'edge' }
    const object = env.PRINCIPALS.getByName(objectName(settings.value.nameKey, principal))
    const received = await object.receive(principal, { ...event, quoted: [], attachments: [], replyTo: null })
    return Response.json(received, { status: received.ok ? 202 : 400 })
  })
  // One route: with a fixed path beside it, every request of this app would go through a slower router than the product's.
  app.post('/evict/:whom', ({ req, env }) => broken(evict(env, req.param('whom'))))
  // A taken-over edge writes whatever it likes into its own outbox.
  app.post('/ask-home', async ({ req, env }) =>
    Response.json(await tunnelOf(env).enqueue(await req.json<HomeCall>())),
  )
  return app
}

function evict(env: EdgeEnv, whom: string): Promise<void> {
  if (whom === 'tunnel') return tunnelOf(env).evict()
  return objectOf(env, whom === 'owner' ? OWNER_PRINCIPAL : peerOf(whom)).evict()
}

function peerOf(user: string): string {
  return principalOf(fakeSource(user), { owner: [], paired: [] }).id
}

function objectOf(env: EdgeEnv, principal: string): DurableObjectStub<PrincipalObject> {
  const settings = settingsOf(env)
  if (!settings.ok) throw new Error(settings.reason.code)
  const objects = env.PRINCIPALS as unknown as DurableObjectNamespace<PrincipalObject>
  return objects.getByName(objectName(settings.value.nameKey, principal))
}

function tunnelOf(env: EdgeEnv): DurableObjectStub<TunnelObject> {
  return (env.TUNNEL as unknown as DurableObjectNamespace<TunnelObject>).getByName(TUNNEL_NAME)
}

/** An abort breaks the very call that asked for it. */
async function broken(evicted: Promise<void>): Promise<Response> {
  const isBroken = await evicted.then(() => false).catch(() => true)
  return Response.json({ broken: isBroken })
}

export default createFakeApp()
