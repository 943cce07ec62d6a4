/** A new deployment is reported once; an eviction, however often, is not reported (M-27). */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { createHomeNews } from '../../durable-objects/registry/home-watch.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { deliveriesAfter, emptyEdge } from './edge.ts'
import { HomePeer } from './home-peer.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const HOUR = 3_600_000

beforeEach(emptyEdge)
afterAll(emptyEdge)

const told = async () =>
  (await deliveriesAfter(0)).filter(({ kind }) => kind === 'notice').map(({ text }) => text)
const greet = () => kernel().homeGreeted()
const ran = (id: string, toldAt: number) =>
  runInDurableObject(kernel(), (_, { storage: { kv } }) => kv.put('deployed', { id, toldAt }))

test('ten evictions of every object, with home reconnecting after each, report nothing', async () => {
  expect(env.DEPLOYED?.id).toMatch(/./)
  for (let times = 0; times < 10; times++) {
    const peer = await HomePeer.greet()
    peer.close()
    await greet()
    await abortAllDurableObjects()
  }
  expect(await told()).toEqual([])
})

test('another deployment is reported once, with the connected services', async () => {
  const services = [
    { name: 'telegram', tools: 0, categories: [] },
    { name: 'google', tools: 5, categories: ['email'] },
  ]
  await kernel().setSelf({ persona: { name: 'Ada', style: null }, services })
  await ran('the one before', 0)
  await greet()
  await greet()
  await abortAllDurableObjects()
  await greet()
  expect(await told()).toEqual([`google (5 tools) connected at home: ${wordsFor('edge_updated')}`])
})

test.each([
  ['a moment ago', Date.now() - HOUR / 2, 0],
  ['an hour ago', Date.now() - HOUR - 1, 1],
])('whether a deployment is reported when the last notice was %s', async (_, toldAt, times) => {
  await ran('the one before', toldAt)
  await greet()
  expect(await told()).toHaveLength(times)
  if (times === 1) expect((await told())[0]).toContain('no service connected at home: ')
})

test('a day of deployments causes at most one notice an hour', async () => {
  await runInDurableObject(kernel(), async (_, { storage: { kv } }) => {
    const told: string[] = []
    let hours = 0
    const deploy = (deployed: string, later: number) => {
      hours += later
      const now = () => 1_000_000_000 + hours * HOUR
      const tell = async ({ id }: { readonly id: string }) => told.push(id) > 0
      return createHomeNews({ kv, now, deployed, tell, self: () => undefined }).greeted()
    }
    for (const [deployed, later] of [
      ...([
        ['a', 0],
        ['b', 2],
        ['c', 0.5],
      ] as const),
      ...([
        ['d', 0.25],
        ['e', 0.25],
      ] as const),
    ])
      await deploy(deployed, later)
    expect(told).toEqual(['edge_updated:b', 'edge_updated:e'])
  })
})
