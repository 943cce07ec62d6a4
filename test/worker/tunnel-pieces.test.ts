/** Bodies larger than one frame at the edge, within its row limit; and what beats report of the outbox (T-04, T-06, T-12). */
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { MOST_WAITING, type Owed, parsePong, WINDOW } from '../../kernel/tunnel/channel.ts'
import { MAX_BODY_BYTES } from '../../kernel/tunnel/piece.ts'
import { answerBody, homeCall, openMemory } from '../tunnel/fixtures.ts'
import { dumpStorage } from './dump.ts'
import { endOf, owner, say } from './edge.ts'
import { HomePeer } from './home-peer.ts'

const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)
const kernel = () => env.KERNEL.getByName(KERNEL_NAME)

/** Bytes of a five-megabyte mail, and of a body just large enough to be split. */
const LONG = 5_000_000
const CUT = 1_500_000
/** A Durable Object's limit for a row. */
const MAX_ROW = 2_000_000

beforeEach(async () => {
  // Turns of the owner's that another file left would come with home's hello.
  for (const object of [kernel(), tunnel(), owner()])
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})

/** The longest text of a row, and the number of rows. */
const rowsOf = (table: string, column: string): Promise<{ most: number; rows: number }> =>
  runInDurableObject(tunnel(), (_, { storage }) =>
    storage.sql
      .exec<{ most: number; rows: number }>(
        `select coalesce(max(length(${column})), 0) as most, count(*) as rows from ${table}`,
      )
      .one(),
  )

async function beatOf(peer: HomePeer): Promise<Owed> {
  peer.say('ping')
  const owed = parsePong(await peer.hear())
  if (owed === null) throw new Error('no answer to a beat')
  return owed
}

test.each([
  ['letters', 'x'],
  ['letters of three bytes', '漢'],
])('a large body waits sealed in rows within the limit, and arrives whole: %s', async (_name, letter) => {
  const told = openMemory('m1', `canary-7319${letter.repeat(CUT / new TextEncoder().encode(letter).length)}`)
  expect(await tunnel().tell(told)).toEqual({ ok: true, value: true })
  const { most, rows } = await rowsOf('tunnel_out', 'body')
  expect(rows).toBeGreaterThan(1)
  expect(most).toBeLessThan(MAX_ROW)
  expect(await runInDurableObject(tunnel(), (_, { storage }) => dumpStorage(storage))).not.toContain('canary')
  const peer = await HomePeer.greet()
  const body = await peer.takeWhole()
  expect(JSON.stringify(body) === JSON.stringify({ type: 'memory', memory: told })).toBe(true)
  await peer.settled()
  expect((await rowsOf('tunnel_out', 'body')).rows).toBe(0)
})

test('the window counts bytes: no more than it allows is in flight', async () => {
  await tunnel().tell(openMemory('m1', 'x'.repeat(LONG)))
  const { rows } = await rowsOf('tunnel_out', 'body')
  const peer = await HomePeer.greet()
  let bytes = 0
  let frames = 0
  await peer.settled()
  while (!(await peer.silent())) {
    bytes += (await peer.hear()).length
    frames += 1
  }
  expect([frames < rows, bytes < WINDOW.bytes, bytes > WINDOW.bytes / 2]).toEqual([true, true, true])
  expect((await beatOf(peer)).sent).toBe(frames)
})

test('an answer of five megabytes continues after a disconnection, a hibernation and an eviction, and reaches its task', async () => {
  let home = await HomePeer.greet()
  const { task } = await say('am I free tomorrow at 3pm?')
  let { body } = await home.take()
  while (body.type !== 'home_call' || body.call.task !== task) body = (await home.take()).body
  const { id, step, provenance } = body.call
  const span = { from: '2026-11-02T09:00:00Z', to: '2026-11-02T17:00:00Z', busy: false }
  const slots = Array.from({ length: LONG / JSON.stringify(span).length }, () => span)
  const given = { id, task, step, ok: true, label: 'internal', inputs: provenance, reported: null } as const
  const frames = home.channel.send({ type: 'home_answer', answer: { ...given, output: { slots } } })
  for (const frame of frames.slice(0, 3)) home.send(frame)
  await home.acked()
  await evictDurableObject(tunnel())
  await home.acked()
  await home.acked()
  expect(await runInDurableObject(tunnel(), (_, { storage }) => dumpStorage(storage))).not.toContain(
    '09:00:00',
  )
  expect((await rowsOf('tunnel_pieces', 'text')).rows).toBe(3)
  home.close()
  await evictDurableObject(tunnel(), { webSockets: 'close' })
  home = await HomePeer.connect(home.store)
  const hello = await home.next('hello')
  const missed = home.channel.onHello(hello)
  expect(missed[0]?.body).toMatchObject({ type: 'piece', n: 3 })
  home.send(home.channel.hello(hello.epoch))
  for (const frame of missed) home.send(frame)
  while (home.store.waiting().count > 0)
    for (const frame of home.channel.onAck((await home.acked()).seq)) home.send(frame)
  // It arrived whole at the step that makes a record of it: no tool declares as many spans.
  expect((await endOf(task)).task).toMatchObject({ trouble: 'field_too_large' })
  expect((await rowsOf('tunnel_pieces', 'text')).rows).toBe(0)
})

test('a body too large for the link, or for the queue’s bytes, is refused before it is stored', async () => {
  const tooLarge = await tunnel().enqueue(homeCall('e1', { args: 'x'.repeat(MAX_BODY_BYTES) }))
  expect(tooLarge).toMatchObject({ ok: false, reason: { code: 'frame_too_large' } })
  await runInDurableObject(tunnel(), async (object, { storage }) => {
    await object.enqueue(homeCall('e2'))
    storage.sql.exec('update tunnel_out set bytes = ?', MOST_WAITING.bytes)
  })
  // It counts once, and then what it adds and drops itself.
  await evictDurableObject(tunnel())
  const full = await tunnel().enqueue(homeCall('e3'))
  expect(full).toMatchObject({ ok: false, reason: { code: 'home_offline' } })
  expect((await rowsOf('tunnel_out', 'body')).rows).toBe(1)
})

test('a beat reports the outbox without waking the object, also after hibernation and eviction', async () => {
  const peer = await HomePeer.greet()
  await peer.settled()
  expect(await beatOf(peer)).toEqual({ base: 0, sent: 0 })
  for (const id of ['e1', 'e2']) await tunnel().enqueue(homeCall(id))
  for (const id of ['e1', 'e2']) expect((await peer.next('data')).body).toMatchObject({ call: { id } })
  expect(await beatOf(peer)).toEqual({ base: 0, sent: 2 })
  await evictDurableObject(tunnel())
  expect(await beatOf(peer)).toEqual({ base: 0, sent: 2 })
  peer.send({ kind: 'ack', seq: 1 })
  await expect.poll(() => beatOf(peer)).toEqual({ base: 1, sent: 2 })
  peer.close()
  await evictDurableObject(tunnel(), { webSockets: 'close' })
  const again = await HomePeer.connect()
  await again.next('hello')
  expect(await beatOf(again)).toEqual({ base: 1, sent: 2 })
})

test('a home that is behind asks, and gets what it missed', async () => {
  const peer = await HomePeer.greet()
  await tunnel().enqueue(homeCall('e1'))
  await peer.next('data') // Lost, from home's point of view.
  const { sent } = await beatOf(peer)
  expect(sent).toBeGreaterThan(peer.store.received())
  peer.send(peer.channel.hello(1))
  expect((await peer.take()).seq).toBe(1)
})

test('a locked edge reports nothing to ask for, and keeps no received pieces', async () => {
  const peer = await HomePeer.greet()
  await tunnel().enqueue(homeCall('e1'))
  await peer.next('data')
  const [first] = peer.channel.send(answerBody('nobody', 'x'.repeat(CUT)))
  if (first === undefined) throw new Error('nothing to send')
  peer.send(first)
  await peer.next('ack')
  await tunnel().setLocked(true)
  expect([await beatOf(peer), (await rowsOf('tunnel_pieces', 'text')).rows]).toEqual([
    { base: 0, sent: 0 },
    0,
  ])
  await tunnel().setLocked(false)
  expect(await beatOf(peer)).toEqual({ base: 0, sent: 1 })
})
