/**
 * Breakers of the edge's models (D-14): shared by all principals, kept through evictions, reported once; and the models in the
 * edge's own settings (S-05, D-20).
 */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createModelBreakers, edgePatience } from '../../durable-objects/models.ts'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { NO_EDGE_MODELS } from '../../durable-objects/platform/models-setting.ts'
import type { BreakerState } from '../../kernel/powers/breaker.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { deliveriesAfter, emptyEdge, until } from './edge.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
/** Breakers as one principal's object uses them. */
const principal = (now: () => number = Date.now) => edgePatience(kernel, now).breakers

beforeEach(emptyEdge)
afterAll(emptyEdge)

const told = async () =>
  (await deliveriesAfter(0)).filter(({ kind }) => kind === 'notice').map(({ text }) => text)
const state = () =>
  runInDurableObject(kernel(), (_, { storage: { kv } }) => kv.get<BreakerState>('model:cloud'))

test('three failures of three principals open the breaker once, and a fourth does not call, also after an eviction', async () => {
  for (let n = 0; n < 3; n += 1) {
    const mine = principal()
    expect((await mine.enter('cloud')).ok).toBe(true)
    await mine.leave('cloud', 'fails')
  }
  for (let n = 0; n < 2; n += 1) {
    expect(await principal().enter('cloud')).toMatchObject({ ok: false, reason: { code: 'model_resting' } })
    expect((await principal().enter('other')).ok).toBe(true)
    await abortAllDurableObjects()
  }
  const news = await until(told, (all) => all.length > 0)
  expect(news).toEqual([`cloud: ${wordsFor('model_degraded')}`])
  const lines = await runInDurableObject(kernel(), (_, { storage }) =>
    storage.sql.exec<{ facts: string }>("select facts from audit where kind = 'fault'").toArray(),
  )
  expect(lines.map(({ facts }) => JSON.parse(facts))).toEqual([{ code: 'model_degraded', model: 'cloud' }])
})

test('after the pause one principal’s trial call closes the breaker for all', async () => {
  const rested: BreakerState = { failed: [], since: Date.now() - 300_000, probe: null, refused: false }
  await runInDurableObject(kernel(), (_, { storage: { kv } }) => kv.put('model:cloud', rested))
  const [one, other] = [principal(), principal()]
  expect([(await one.enter('cloud')).ok, (await other.enter('cloud')).ok]).toEqual([true, false])
  await one.leave('cloud', 'works')
  expect((await other.enter('cloud')).ok).toBe(true)
})

test('a working model’s answer costs no call to KernelObject, and failures elsewhere are known within seconds', async () => {
  const clock = { now: 0 }
  const mine = principal(() => clock.now)
  expect((await mine.enter('cloud')).ok).toBe(true)
  await mine.leave('cloud', 'works')
  expect(await state()).toBeUndefined()
  for (let n = 0; n < 3; n += 1) await principal().leave('cloud', 'fails')
  clock.now = 9_999
  expect((await mine.enter('cloud')).ok).toBe(true)
  clock.now = 10_000
  expect((await mine.enter('cloud')).ok).toBe(false)
})

test('an unreachable KernelObject does not prevent an answer', async () => {
  const { breakers } = edgePatience(() => {
    throw new Error('gone')
  }, Date.now)
  expect(await breakers.enter('cloud')).toEqual({ ok: true, value: true })
  await expect(breakers.leave('cloud', 'fails')).resolves.toBeUndefined()
})

test('an invalid setting is reported once by its name, and the edge answers all the same', async () => {
  const heard: string[] = []
  const look = (trouble: string | null) =>
    runInDurableObject(kernel(), (_, { storage: { kv } }) =>
      createModelBreakers({
        ...{ kv, models: { ...NO_EDGE_MODELS, trouble }, now: Date.now },
        news: async () => undefined,
        trouble: async (setting) => heard.push(setting),
      }).tellTrouble(),
    )
  for (const trouble of ['MODELS.chain', 'MODELS.chain', null, 'MODELS.chain']) await look(trouble)
  expect(heard).toEqual(['MODELS.chain', 'MODELS.chain'])
})
