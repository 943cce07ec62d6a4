/** The edge's part of `pfar usage`: counted in the principal's object, durable, and shown over the open line only. */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { type EdgeEnv, settingsOf } from '../../durable-objects/platform/env.ts'
import { entryOf } from '../../integrations/models/budget-settings.ts'
import type { UsageReport } from '../../kernel/features/usage/port.ts'
import { NO_BUDGET } from '../../kernel/inference/budget.ts'
import { EDGE_CAP, workerBindings } from './bindings.ts'
import { emptyTunnel, endOf, inside, owner, peer, say, sayAs } from './edge.ts'
import { signed } from './signed.ts'

async function clear(): Promise<void> {
  await emptyTunnel()
  await runInDurableObject(env.KERNEL.getByName(KERNEL_NAME), (_, { storage: { kv } }) => {
    for (const prefix of ['spend:', 'share:']) for (const [key] of [...kv.list({ prefix })]) kv.delete(key)
  })
  await runInDurableObject(owner(), async (_, { storage }) => {
    await storage.deleteAlarm()
    await storage.deleteAll()
  })
  await abortAllDurableObjects()
}
beforeEach(clear)
afterAll(clear)

async function ask<T>(operation: string, args = {}): Promise<{ readonly status: number; readonly body: T }> {
  const body = JSON.stringify(args)
  const response = await exports.default.fetch(await signed(`/line/operations/${operation}`, { body }))
  return { status: response.status, body: await response.json<T>() }
}

test('a model call of the edge is counted by purpose and model, also after an eviction', async () => {
  await ask('models.names')
  await abortAllDurableObjects()
  const { body } = await ask<UsageReport>('usage.show', { days: 2 })
  expect(body.place).toBe('edge')
  expect(body.by.purpose).toMatchObject([{ name: 'whoami', calls: 1 }])
  expect(body.by.model.map(({ name }) => name)).not.toContain('rules')
  expect(body.by.task).toMatchObject([{ name: null, calls: 1 }])
})

test('what the free plan carries is computed from rows, requests and running time that the objects counted', async () => {
  const before = await ask<UsageReport>('usage.show')
  expect(before.body.plan).toMatchObject({ carries: null, binds: null, today: 0 })
  for (const text of ['hello', 'hello again', 'and hello']) {
    const { task } = await say(text)
    await endOf(task)
  }
  // Another person's object counts as well.
  const other = await sayAs('usage-cid', 'hello')
  await endOf(other.task, peer('usage-cid'))
  await abortAllDurableObjects()
  const { body } = await ask<UsageReport>('usage.show')
  const { plan } = body
  if (plan === null) throw new Error('the edge has a plan')
  const rows = plan.limits.find(({ of }) => of === 'rows')
  expect([plan.today, plan.counted]).toEqual([4, 4])
  expect(rows?.perDay).toBe(100_000)
  // The first message of an object makes its tables.
  expect(rows?.each).toBeGreaterThan(20)
  expect(plan.carries).toBe(Math.floor(100_000 / ((rows?.today ?? 0) / 4)))
  expect(plan.binds).toBe('rows')
  expect(plan.limits.find(({ of }) => of === 'requests')?.today).toBeGreaterThanOrEqual(4)
})

test.each([0, -1, 1.5, 'x'])('%s days are refused', async (days) => {
  const { status, body } = await ask<{ error: { code: string } }>('usage.show', { days })
  expect([status, body.error.code]).toEqual([400, 'tool_arguments_invalid'])
})

test('one daily cap applies to everybody at the edge, and a refused call is audited (B-37)', async () => {
  const ask = async (user: string): Promise<string | null> => {
    const { task } = await sayAs(user, 'my plant is called basil-4417')
    return (await endOf(task, peer(user))).task.model
  }
  expect(await ask('usage-ann')).toBe('fake')
  // As if others had spent the rest of today's and tomorrow's cap.
  await runInDurableObject(env.KERNEL.getByName(KERNEL_NAME), (_, { storage: { kv } }) => {
    const given = [...kv.list<{ tokens: number }>({ prefix: 'spend:' })]
    expect(given.map(([, { tokens }]) => tokens > 0 && tokens < EDGE_CAP)).toEqual([true])
    const [day = '', next = ''] = [0, 86_400_000].map((later) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now() + later),
    )
    for (const each of [day, next]) kv.put(`spend:${each}`, { tokens: EDGE_CAP, cost: 0 })
  })
  expect(await ask('usage-bob')).toBe('rules')
  const lines = await inside(peer('usage-bob'), ({ storage }) =>
    storage.sql.exec("select facts from audit where kind = 'denial'").toArray(),
  )
  expect(JSON.stringify(lines)).toContain('tokens_per_day')
})

test('the edge’s budget is a setting, in home’s format', () => {
  const budget = {
    ...{ ...NO_BUDGET, tokensPerDay: 500, costPerDay: 2_500_000, currency: '€' },
    prices: { a: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 3 } },
  }
  const { BUDGET: _, ...bindings } = workerBindings('http://127.0.0.1:1')
  const read = (BUDGET?: string) =>
    settingsOf({ ...bindings, ...(BUDGET !== undefined && { BUDGET }) } as unknown as EdgeEnv)
  expect(read(JSON.stringify(entryOf(budget)))).toMatchObject({ ok: true, value: { budget } })
  expect(read()).toMatchObject({ ok: true, value: { budget: NO_BUDGET } })
})

const CLAUDE = { name: 'claude', kind: 'anthropic', model: 'm' }
test.each([
  ['BUDGET', '{"tokens_per_day": -1}', 'BUDGET.tokens_per_day'],
  ['BUDGET', '{"tokens_per_dya": 1}', 'BUDGET'],
  ['BUDGET', '{canary', 'BUDGET'],
  ['MODEL_ORIGINS', '["ftp://canary"]', 'MODEL_ORIGINS.0'],
  ['MODEL_ORIGINS', 'canary', 'MODEL_ORIGINS'],
])('a wrong %s (%s) disables only the edge’s models, and is named', (binding, value, trouble) => {
  const bindings = workerBindings('http://127.0.0.1:1')
  const MODELS = JSON.stringify({ providers: [CLAUDE] })
  const settings = settingsOf({ ...bindings, MODELS, [binding]: value } as unknown as EdgeEnv)
  expect(settings).toMatchObject({ ok: true, value: { models: { trouble, providers: [] } } })
  expect(JSON.stringify(settings)).not.toContain('canary')
})
