/** The edge locked and unlocked (T-08, T-10): while locked nothing is opened, taken or sent, and nothing is lost. */
import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OPEN_LINE } from '../../durable-objects/directory.ts'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { createEdgeSealer } from '../../durable-objects/principal/edge-sealer.ts'
import { sealOutbox } from '../../durable-objects/sealed-outbox.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { callBody, MemoryChannelStore, outRow } from '../tunnel/fixtures.ts'
import {
  answersTo,
  deliveriesAfter,
  emptyTunnel,
  endOf,
  inside,
  objectOf,
  owner,
  peer,
  say,
  sayAs,
  sentTo,
  slowModel,
  until,
} from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { signed } from './signed.ts'

const FREE = 'am I free tomorrow at 3pm?'
const kernel = () => env.KERNEL.getByName(KERNEL_NAME)

beforeEach(async () => {
  await inside(OWNER_PRINCIPAL, ({ storage }) => storage.deleteAll())
  await emptyTunnel()
  await abortAllDurableObjects()
})

afterEach(async () => {
  await slowModel(0)
  await kernel().setLocked(false)
})

/** By the open line, as `pfar lock --line open` does. */
async function lock(): Promise<void> {
  const response = await exports.default.fetch(await signed('/line/operations/edge.lock', { body: '{}' }))
  expect([response.status, await response.json()]).toEqual([200, { done: true }])
}

const post = async (path: string, body: string): Promise<[number, string | undefined]> => {
  const response = await exports.default.fetch(await signed(path, { body }))
  const { error } = await response.json<{ error?: { code: string } }>()
  return [response.status, error?.code]
}
const get = async (path: string): Promise<[number, string | undefined]> => {
  const response = await exports.default.fetch(await signed(path))
  const { error } = await response.json<{ error?: { code: string } }>()
  return [response.status, error?.code]
}

test('a locked edge opens nothing for its owner, whatever is requested, and stays locked after a restart', async () => {
  const { task } = await say('hello')
  await endOf(task)
  await lock()
  await abortAllDurableObjects()
  const message = JSON.stringify({ id: 'm', text: 'hello' })
  expect([
    await post('/line/messages', message),
    await get('/line/deliveries?after=0&wait=0'),
    await get(`/line/tasks/${task}`),
    await post('/line/operations/approvals.list', '{}'),
    await post('/line/operations/approvals.approve', '{"which":"a1"}'),
    await post(`/line/tasks/${task}/stop`, '{}'),
    await post('/line/operations/memory.list', '{}'),
    await post('/line/operations/memory.forget', '{"which":"f1"}'),
  ]).toEqual(new Array(8).fill([423, 'edge_locked']))
})

test('a stranger is refused without mention of the lock, also one without an object', async () => {
  await sayAs('known', 'hello')
  await answersTo('known', 1)
  await lock()
  for (const user of ['known', 'unknown']) {
    await expect(sayAs(user, 'hello again')).rejects.toThrow('edge_locked')
  }
  expect(await sentTo('known')).toHaveLength(1)
  expect(wordsFor('edge_locked')).not.toMatch(/lock|owner|key/i)
})

test('work under way when the edge was locked continues once after the unlocking', async () => {
  await slowModel(1_500)
  const { task } = await sayAs('midway', 'hello from midway')
  await lock()
  await slowModel(0)
  await runDurableObjectAlarm(objectOf(peer('midway')))
  expect(await sentTo('midway')).toEqual([])
  await kernel().setLocked(false)
  await endOf(task, peer('midway'))
  expect((await sentTo('midway')).map(({ text }) => text)).toEqual([
    expect.stringContaining('hello from midway'),
  ])
})

test('home locks and unlocks over the tunnel, and a refused message may be sent again under its id', async () => {
  const home = await HomePeer.greet()
  home.put({ type: 'lock', locked: true })
  await home.acked()
  const message = JSON.stringify({ id: 'again', text: 'hello' })
  expect(await post('/line/messages', message)).toEqual([423, 'edge_locked'])
  home.put({ type: 'lock', locked: false })
  await home.acked()
  const { task } = await say('hello', 'again')
  expect((await endOf(task)).task.state).toBe('completed')
})

test('a locked edge returns no key, for a typed secret or for a backup', async () => {
  await lock()
  const locked = { ok: false, reason: { code: 'edge_locked' } }
  expect(await kernel().sealKeyFor({ name: 'google', device: 'laptop' })).toMatchObject(locked)
  expect(await kernel().stores(null)).toMatchObject(locked)
})

test('the open line cannot unlock', async () => {
  await lock()
  expect((await post('/line/unlock', '{}'))[0]).toBe(404)
  expect(await owner().locked()).toBe(true)
})

test('an answer of home that arrives while locked is not stored, and the person is told afterwards', async () => {
  const home = await HomePeer.greet()
  const { task } = await say(FREE)
  let { body } = await home.take()
  while (body.type !== 'home_call' || body.call.task !== task) body = (await home.take()).body
  await lock()
  const { id, step, provenance } = body.call
  const slots = [{ from: '2026-11-02T09:00:00Z', to: '2026-11-02T17:00:00Z', busy: false }]
  const given = { id, task, step, ok: true, label: 'internal', inputs: provenance, reported: null } as const
  home.put({ type: 'home_answer', answer: { ...given, output: { slots } } })
  await home.acked()
  await kernel().setLocked(false)
  expect((await endOf(task)).task).toMatchObject({ trouble: 'edge_locked' })
})

test('calls for home stay in the outbox while locked, and are sent afterwards', async () => {
  const { task } = await say(FREE)
  await until(
    async () => owner().report(OWNER_PRINCIPAL, task),
    (report) => report.ok && report.value.task.state === 'awaiting_home',
  )
  await lock()
  const home = await HomePeer.greet()
  expect(await home.silent()).toBe(true)
  home.put({ type: 'lock', locked: false })
  await home.acked()
  expect(await home.closed).toEqual({ code: 1_011 })
  const again = await HomePeer.greet(home.store)
  let { body } = await again.take()
  while (body.type !== 'home_call' || body.call.task !== task) body = (await again.take()).body
  expect(body.call.tool).toBe('calendar.freebusy')
})

test('the sealer itself refuses while locked: no key is unwrapped, no row opened or sealed', async () => {
  let locked = false
  let unwrapped = 0
  let wrapped: Uint8Array | null = null
  const wrappedKeys = {
    load: () => {
      unwrapped += 1
      return wrapped
    },
    save: (bytes: Uint8Array) => {
      wrapped = bytes
    },
  }
  const of = () =>
    createEdgeSealer({
      wrappingKey: new Uint8Array(32).fill(1),
      object: 'o1',
      wrappedKeys,
      locked: () => locked,
    })
  const address = { store: 'sessions', principal: 'p', record: 'r', label: 'internal', version: 1 } as const
  const row = await of().seal(address, new Uint8Array([1]))
  locked = true
  unwrapped = 0
  expect(await of().open(address, row)).toMatchObject({ reason: { code: 'edge_locked' } })
  await expect(of().seal(address, row)).rejects.toThrow('locked')
  expect(unwrapped).toBe(0)
})

test('the tunnel’s outbox returns its bodies sealed while locked', () => {
  let locked = false
  const store = new MemoryChannelStore()
  const sealed = sealOutbox(store, new Uint8Array(32).fill(1), () => locked)
  sealed.putOut([outRow(1, callBody('c1'))])
  expect(sealed.out(0)[0]?.body).toEqual(callBody('c1'))
  locked = true
  expect(sealed.out(0)).toEqual(store.out(0))
})

test('nothing is lost by a lock: earlier conversation is readable after it', async () => {
  const { task } = await say('hello')
  await endOf(task)
  const before = await deliveriesAfter(0)
  await lock()
  expect(
    await owner().deliveries(OWNER_PRINCIPAL, { sink: OPEN_LINE.sink, after: 0, waitMs: 0 }),
  ).toMatchObject({
    reason: { code: 'edge_locked' },
  })
  await kernel().setLocked(false)
  expect(await deliveriesAfter(0)).toEqual(before)
})
