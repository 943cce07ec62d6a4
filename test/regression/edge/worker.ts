/// <reference path="../../../worker/platform.d.ts" />
/**
 * The product's own Worker and objects, with the world outside scripted over HTTP: chats of strangers on adapters that
 * the shipped templates name, and a model that also plans. Adds windows into an object for the tests (audit rows, an
 * eviction, calls in another's name). Must not replace any check. Bundled by house.ts.
 */
import type { Hono } from 'hono'
import { objectName } from '../../../durable-objects/names.ts'
import { type EdgeEnv, type EdgeSettings, settingsOf } from '../../../durable-objects/platform/env.ts'
import type { EdgeParts } from '../../../durable-objects/principal/powers.ts'
import { PrincipalObject as ProductPrincipalObject } from '../../../durable-objects/principal/principal.ts'
import type { HomeAnswer } from '../../../kernel/features/places/home-port.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../../kernel/inference/provider.ts'
import type { SenderPort } from '../../../kernel/powers/ports.ts'
import type { EventSource } from '../../../kernel/task/event.ts'
import { principalOf } from '../../../kernel/task/principal.ts'
import { createApp } from '../../../worker/app.ts'
import type { AuditLine } from './house.ts'

export { KernelObject } from '../../../durable-objects/registry/kernel.ts'
export { TunnelObject } from '../../../durable-objects/tunnel/tunnel.ts'

interface OutsideEnv extends EdgeEnv {
  /** Origin of outside.ts. */
  readonly OUTSIDE: string
}

export class PrincipalObject extends ProductPrincipalObject {
  protected override parts(settings: EdgeSettings): EdgeParts {
    const product = super.parts(settings)
    const { OUTSIDE } = this.env as OutsideEnv
    return {
      ...product,
      models: [scriptedModel(OUTSIDE), ...product.models],
      senderOf: (sink) =>
        /^sink:(?:telegram|whatsapp):/.test(sink) ? scriptedSender(OUTSIDE) : product.senderOf(sink),
    }
  }

  async audit(task: string): Promise<readonly AuditLine[]> {
    const rows = this.ctx.storage.sql.exec<{ kind: string; facts: string }>(
      'select kind, facts from audit where task = ? order by seq',
      task,
    )
    return rows.toArray().map(({ kind, facts }) => ({ kind, facts: JSON.parse(facts) as AuditLine['facts'] }))
  }

  /** As the platform evicts: whatever is in memory is gone. */
  async evict(): Promise<void> {
    this.ctx.abort('evicted')
  }
}

type Objects = DurableObjectNamespace<PrincipalObject>

interface Attack {
  /** Whose object is called, and in whose name. */
  readonly object: string
  readonly as: string
  readonly method: keyof typeof ATTACKS
  readonly source: EventSource
}

const answer: HomeAnswer = { id: 'e1', task: 't1', step: 0, ok: false, reason: 'home_offline' }

const SINK = 'sink:openline:owner'
const PART = 'a'.repeat(32)

type Victim = DurableObjectStub<PrincipalObject>

const ATTACKS = {
  receive: (victim: Victim, { as, source }: Attack): Promise<Result<unknown>> =>
    victim.receive(as, eventOf({ id: crypto.randomUUID(), text: 'hello' }, source)),
  deliveries: (victim: Victim, { as, source }: Attack): Promise<Result<unknown>> =>
    victim.deliveries(as, { sink: `sink:${source.adapter}:${source.chat}`, after: 0, waitMs: 0 }),
  draft: (victim: Victim, { as, source }: Attack): Promise<Result<unknown>> =>
    victim.draft(as, `sink:${source.adapter}:${source.chat}`),
  report: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.report(as, 't1'),
  stop: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.stop(as, 't1'),
  operate: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.operate(as, { operation: 'memory.list', args: {}, sink: SINK }),
  waiting: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.waiting(as),
  homeAnswered: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.homeAnswered(as, answer),
  homeMoved: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.homeMoved(as, true),
  notify: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.notify(as, { id: 'n1', code: 'secret_expired' }),
  beginPart: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.beginPart({ id: PART, principal: as, schema: [] }),
  addToPart: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.addToPart({ id: PART, principal: as }, { table: 'tasks', columns: [], rows: [] }),
  endPart: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.endPart({ id: PART, principal: as, rows: 0, box: null }),
  setLinks: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.setLinks(as, []),
  setAgreements: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.setAgreements(as, []),
  linkedLines: (victim: Victim, { as, object }: Attack): Promise<Result<unknown>> =>
    victim.linkedLines(as, { principal: object, sink: SINK, template: 'x', turns: 3 }),
  connected: (victim: Victim, { as }: Attack): Promise<Result<unknown>> => victim.connected(as),
  tapped: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.tapped(as, { button: '0'.repeat(16), chat: 1, message: 1 }),
  word: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.word(as, { given: { id: 'a1', asker: as, decision: 'approve' } }),
  bothLines: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.bothLines(as, { do: 'spoke' }),
  page: (victim: Victim, { as }: Attack): Promise<Result<unknown>> =>
    victim.page(as, { hash: new Uint8Array(32), box: null }),
}

function createOutsideApp(): Hono<{ Bindings: EdgeEnv }> {
  const app = createApp()
  app.post('/stranger/:adapter/:user', async ({ req, env }) => {
    const source = sourceOf(req.param('adapter'), req.param('user'))
    const principal = principalOf(source, { owner: [], paired: [] }).id
    const event = eventOf(await req.json<{ id: string; text: string }>(), source)
    const received = await objectOf(env, principal).receive(principal, event)
    return Response.json(received, { status: received.ok ? 202 : 400 })
  })
  app.post('/attack', async ({ req, env }) => {
    const attack = await req.json<Attack>()
    return Response.json(await ATTACKS[attack.method](objectOf(env, attack.object), attack))
  })
  app.get('/object/:principal/report/:task', async ({ req, env }) => {
    const principal = req.param('principal')
    return Response.json(await objectOf(env, principal).report(principal, req.param('task')))
  })
  app.get('/object/:principal/audit/:task', async ({ req, env }) =>
    Response.json(await objectOf(env, req.param('principal')).audit(req.param('task'))),
  )
  app.post('/object/:principal/evict', async ({ req, env }) => {
    // An abort breaks the very call that asked for it.
    const broken = await objectOf(env, req.param('principal'))
      .evict()
      .then(() => false)
      .catch(() => true)
    return Response.json({ broken })
  })
  return app
}

function objectOf(env: EdgeEnv, principal: string): Victim {
  const settings = settingsOf(env)
  if (!settings.ok) throw new Error(settings.reason.code)
  const objects = env.PRINCIPALS as unknown as Objects
  return objects.getByName(objectName(settings.value.nameKey, principal))
}

function sourceOf(adapter: string, user: string): EventSource {
  return { adapter, user, chat: user, group: false }
}

function eventOf(said: { readonly id: string; readonly text: string }, source: EventSource): unknown {
  const whole = { kind: 'message', quoted: [], attachments: [], replyTo: null, place: 'edge' }
  return { ...whole, ...said, source, at: Date.now() }
}

function scriptedSender(outside: string): SenderPort {
  return {
    async send({ id, sink, text }) {
      const response = await fetch(`${outside}/deliver`, {
        method: 'POST',
        body: JSON.stringify({ id, sink, text }),
      })
      return response.ok ? ok(true) : err('network_failed')
    },
  }
}

function scriptedModel(outside: string): ModelProvider {
  return {
    reader: { id: 'scripted', level: 'internal', compartments: [], locality: 'edge' },
    async complete({ system, user, parts }) {
      try {
        const body = JSON.stringify({ purpose: parts.purpose, system, user, parts })
        const response = await fetch(`${outside}/model`, { method: 'POST', body })
        const { text } = (await response.json()) as { text: string }
        return ok({ text, cut: false, tokens: { input: 1, output: 1 } })
      } catch {
        return err('model_failed')
      }
    },
  }
}

// biome-ignore lint/style/noDefaultExport: a Worker is its default export
export default createOutsideApp()
