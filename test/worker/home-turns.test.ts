/**
 * The owner's turns wait in the owner's object until home is there, and come before what is forwarded to it; and what is known of home's
 * presence ends with the connection (DESIGN §1, T-04, T-06, T-13).
 */
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { STABLE_AFTER } from '../../durable-objects/tunnel/socket.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Body } from '../../kernel/tunnel/frame.ts'
import { DEVICE } from './device.ts'
import { deliveriesAfter, emptyEdge, endOf, inside, owner, say, until } from './edge.ts'
import { HomePeer } from './home-peer.ts'

const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)
const kernel = () => env.KERNEL.getByName(KERNEL_NAME)

beforeEach(emptyEdge)
afterEach(() => vi.useRealTimers())

const queued = (): Promise<number> =>
  runInDurableObject(tunnel(), (_, { storage }) =>
    Number(storage.sql.exec('select count(*) as n from tunnel_out').one()['n']),
  )

async function said(...texts: readonly string[]): Promise<void> {
  for (const text of texts) await endOf((await say(text)).task)
}

/** Words of a turn, or the type of another body. */
function wordsOf(body: Body): string {
  const content = body.type === 'memory' && body.memory.what === 'turn' ? body.memory.content : null
  return String((content as { words?: string } | null)?.words ?? body.type)
}

/** Words of the next bodies, in the order in which home takes them. */
async function taken(peer: HomePeer, count: number): Promise<readonly string[]> {
  const words: string[] = []
  while (words.length < count) words.push(wordsOf(await peer.takeWhole()))
  return words
}

test('while home is away nothing is written for it, and it has every turn once when it comes', async () => {
  await said('hello one', 'hello two', 'hello three')
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(await queued()).toBe(0)
  const peer = await HomePeer.greet()
  expect(await taken(peer, 3)).toEqual(['hello one', 'hello two', 'hello three'])
  await peer.settled()
  const again = await HomePeer.greet(peer.store)
  expect(await again.silent()).toBe(true)
})

test('while home is there it has them within seconds, several as one write', async () => {
  const peer = await HomePeer.greet()
  await said('hello one', 'hello two')
  expect(await taken(peer, 2)).toEqual(['hello one', 'hello two'])
})

test('what goes home comes after the turns before it, also while home is away', async () => {
  await said('hello one')
  await say('am I free tomorrow at 3pm?')
  await expect.poll(queued).toBe(2)
  const peer = await HomePeer.greet()
  expect(await taken(peer, 2)).toEqual(['hello one', 'home_call'])
})

test('an eviction right after the answer loses no turn: the alarm hands it over', async () => {
  const peer = await HomePeer.greet()
  await said('hello one')
  await evictDurableObject(owner())
  expect(await runDurableObjectAlarm(owner())).toBe(true)
  expect(await taken(peer, 1)).toEqual(['hello one'])
})

test('a crash of everything right after the answer loses no turn: home’s next connection brings it', async () => {
  const peer = await HomePeer.greet()
  await said('hello one')
  await abortAllDurableObjects()
  const again = await HomePeer.greet(peer.store)
  expect(await taken(again, 1)).toEqual(['hello one'])
})

test('a locked edge hands nothing over, and does after the unlocking', async () => {
  await said('hello one')
  await kernel().setLocked(true)
  await until(
    () => owner().locked(),
    (is) => is,
  )
  const peer = await HomePeer.greet()
  expect(await peer.silent()).toBe(true)
  await kernel().setLocked(false)
  const again = await HomePeer.greet(peer.store)
  expect(await taken(again, 1)).toEqual(['hello one'])
})

test('turns of an earlier version are not handed over again', async () => {
  await said('hello one')
  const peer = await HomePeer.greet()
  await taken(peer, 1)
  // As it was: no row says what was handed over.
  await inside(OWNER_PRINCIPAL, ({ storage }) => {
    storage.sql.exec("delete from owner_settings where name = 'turns-handed'")
  })
  await abortAllDurableObjects()
  const again = await HomePeer.greet(peer.store)
  await again.settled()
  expect(await again.silent()).toBe(true)
})

test('home’s connection leaves an empty edge empty: a backup still goes into it', async () => {
  const peer = await HomePeer.greet()
  await peer.settled()
  expect(await owner().homeMoved(OWNER_PRINCIPAL, true)).toEqual({ ok: true, value: true })
  const rows = await inside(OWNER_PRINCIPAL, ({ storage }) =>
    storage.sql.exec('select * from owner_settings').toArray(),
  )
  expect(rows).toEqual([])
})

/** What `/status` says of home. */
async function homeIsHere(): Promise<boolean> {
  const { task } = await say('/status')
  await endOf(task)
  const text = (await deliveriesAfter(0)).findLast((one) => one.task === task)?.text ?? ''
  if (!/home box is (not )?connected/.test(text)) throw new Error(text)
  return text.includes('home box is connected')
}

async function connectedHome(): Promise<HomePeer> {
  const peer = await HomePeer.greet()
  await peer.settled()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + STABLE_AFTER })
  expect(await homeIsHere()).toBe(true)
  return peer
}

test('what was heard of home’s presence is believed no longer once its connection has ended', async () => {
  const peer = await connectedHome()
  peer.close()
  await peer.closed
  await expect.poll(homeIsHere, { timeout: 2_000 }).toBe(false)
})

test('nor once its device is revoked', async () => {
  await connectedHome()
  await kernel().revoke(DEVICE.id, DEVICE.id)
  await expect.poll(homeIsHere, { timeout: 2_000 }).toBe(false)
})
