/** Home's description of the assistant at the edge: its name and services, on the open line and in prompts (M-06, M-18, M-19, N-28). */
import { abortAllDurableObjects } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { createEdgeSelf } from '../../durable-objects/principal/self.ts'
import { LEAST_BETWEEN } from '../../kernel/self/keeper.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { deliveriesAfter, emptyEdge, endOf, say } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { signed } from './signed.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const ADA: SyncedSelf = {
  persona: { name: 'Ada', style: 'dry' },
  services: [{ name: 'google', tools: 5, categories: ['email', 'calendar'] }],
}

beforeEach(emptyEdge)
afterAll(emptyEdge)

const names = async () => {
  const response = await exports.default.fetch(await signed('/line/operations/models.names', { body: '{}' }))
  const models = await response.json<readonly { model: string; answer: string }[]>()
  return [response.status, models.map(({ model, answer }) => [model, answer])]
}

test('without a sync from home the assistant’s name is PFAR', async () => {
  expect((await kernel().syncedFor(null)).self).toBeNull()
  const [status, said] = await names()
  expect(status).toBe(200)
  expect(said).toContainEqual(['rules', 'PFAR'])
})

test('home’s description is used, also after an eviction', async () => {
  const peer = await HomePeer.greet()
  peer.put({ type: 'self', self: ADA })
  await peer.next('ack')
  await abortAllDurableObjects()
  expect((await kernel().syncedFor(null)).self).toEqual(ADA)
  expect((await names())[1]).toContainEqual(['rules', 'Ada'])
})

test('quiet hours, and when something is due, go to the owner’s object alone', async () => {
  const quiet = { from: '22:00', to: '07:00' }
  const others = { timezone: 'Europe/Berlin', language: 'de' }
  await kernel().setProfile({ ...others, quiet, due: [1_800_000_000_000] } as never)
  expect((await kernel().syncedFor(OWNER_PRINCIPAL)).profile).toMatchObject({
    quiet,
    due: [1_800_000_000_000],
  })
  for (const principal of [null, 'someone else'])
    expect((await kernel().syncedFor(principal)).profile).toEqual(others)
})

test('the first message that is plainly in a language is answered in it, and the next ones, until home names one', async () => {
  const answered = async (text: string) => {
    await endOf((await say(text)).task)
    return (await deliveriesAfter(0)).findLast(({ kind }) => kind === 'answer')?.text
  }
  expect(await answered('ok')).not.toMatch(/[äöü]/)
  expect((await kernel().syncedFor(null)).language).toBeNull()
  expect(await answered('was steht auf meiner Liste?')).toContain('Deine Liste ist leer')
  expect(await answered('what is on my list?')).toContain('Deine Liste ist leer')
  await abortAllDurableObjects()
  expect(await answered('what is on my list?')).toContain('Deine Liste ist leer')
  await kernel().setProfile({ timezone: 'Europe/Berlin', language: 'en' })
  await abortAllDurableObjects()
  expect(await answered('was steht auf meiner Liste?')).toContain('Nothing is on your list')
})

test.each([
  ['no name', { ...ADA, persona: { name: '', style: null } }],
  ['a name like a page', { ...ADA, persona: { name: 'x'.repeat(500), style: null } }],
  ['services without end', { ...ADA, services: Array.from({ length: 500 }, () => ADA.services[0]) }],
  ['more than it may say', { ...ADA, preferences: ['private'] }],
])('a description with %s is refused as a whole', async (_, self) => {
  const peer = await HomePeer.greet()
  peer.put({ type: 'self', self: self as SyncedSelf })
  expect(await peer.next('refused')).toEqual({ kind: 'refused', code: 'frame_malformed' })
  expect((await kernel().syncedFor(null)).self).toBeNull()
})

test('one of home’s chats is listed, and is no service that could be asked', () => {
  const self = createEdgeSelf()
  self.setDescription({ ...ADA, services: [{ name: 'telegram', tools: 0, categories: [] }, ...ADA.services] })
  expect([self.has('telegram'), self.has('slack')]).toEqual([true, false])
  const services = self.keeper.current().sections.find(({ kind }) => kind === 'integrations')
  expect(services).toMatchObject({ items: [{ name: 'google' }] })
})

test('an absent home makes its services unavailable, and only these (M-06)', async () => {
  const self = createEdgeSelf()
  self.setDescription(ADA)
  const states = (): unknown =>
    self.keeper
      .current()
      .sections.find((section) => section.kind === 'integrations')
      ?.items.map(({ state }) => state)
  expect(states()).toEqual(['active'])
  self.setHomeUp(false)
  await new Promise((resolve) => setTimeout(resolve, LEAST_BETWEEN + 50))
  expect(states()).toEqual(['unavailable'])
  // The edge's own categories are still listed.
  const categories = self.keeper.current().sections.find((section) => section.kind === 'categories')
  expect(categories?.names).toContain('web')
})
