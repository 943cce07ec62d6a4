/**
 * A second edge for tests: the product's own Worker and objects, plus a scripted chat whose peers are strangers and
 * a scripted model over HTTP. Built through public seams; nothing of it is in the product's bundle.
 */
import type { Hono } from 'hono'
import { objectName } from '../../../durable-objects/names.ts'
import type { EdgeParts } from '../../../durable-objects/powers.ts'
import { PrincipalObject as ProductPrincipalObject } from '../../../durable-objects/principal.ts'
import { principalOf } from '../../../kernel/task/principal.ts'
import { createApp } from '../../../worker/app.ts'
import { type EdgeEnv, type EdgeSettings, settingsOf } from '../../../worker/env.ts'
import { fakeParts, fakeSource } from './parts.ts'

export { KernelObject } from '../../../durable-objects/kernel.ts'
export { TunnelObject } from '../../../durable-objects/tunnel.ts'

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
}

function createFakeApp(): Hono<{ Bindings: EdgeEnv }> {
  const app = createApp()
  app.post('/fake/:user', async ({ req, env }) => {
    const settings = settingsOf(env)
    if (!settings.ok) return Response.json(settings, { status: 500 })
    const { id, text } = await req.json<{ id: string; text: string }>()
    const source = fakeSource(req.param('user'))
    const principal = principalOf(source, { owner: [], paired: [] }).id
    const event = { id, text, at: Date.now(), source, kind: 'message', place: 'edge' }
    const object = env.PRINCIPALS.getByName(objectName(settings.value.nameKey, principal))
    const received = await object.receive(principal, { ...event, quoted: [], attachments: [], replyTo: null })
    return Response.json(received, { status: received.ok ? 202 : 400 })
  })
  return app
}

export default createFakeApp()
