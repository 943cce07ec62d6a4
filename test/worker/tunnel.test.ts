/** TunnelObject in real workerd: reliable delivery across disconnections and evictions, fencing, refusals (T-01 – T-06, T-11, T-13). */
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { ed25519 } from '@noble/curves/ed25519.js'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DEVICE_HEADER, KERNEL_NAME, NONCE_HEADER, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { MOST_OF_OTHERS } from '../../durable-objects/tunnel/calls.ts'
import { isOnline, OFFLINE_AFTER, STABLE_AFTER } from '../../durable-objects/tunnel/socket.ts'
import { MAX_ALL_GUESSES_AN_HOUR } from '../../kernel/features/people/invitations.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { parsePong, WINDOW } from '../../kernel/tunnel/channel.ts'
import { type Carried, encodeFrame, MAX_FRAME_BYTES, PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { proofBytes } from '../../kernel/tunnel/pairing.ts'
import { MAX_BODY_BYTES } from '../../kernel/tunnel/piece.ts'
import { callBody, homeAnswer, homeCall, MemoryChannelStore, openMemory } from '../tunnel/fixtures.ts'
import { SIGN_KEY } from './bindings.ts'
import { DEVICE, fromBase64Url } from './device.ts'
import { dumpStorage } from './dump.ts'
import { HomePeer } from './home-peer.ts'
import { signed } from './signed.ts'

const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)
const idOf = (body: Carried): string => (body.type === 'home_call' ? body.call.id : body.type)

/** Files share one isolate and its storage: each test begins with a new edge. */
beforeEach(async () => {
  await runInDurableObject(tunnel(), (_, { storage }) => storage.deleteAll())
  await runInDurableObject(env.KERNEL.getByName(KERNEL_NAME), (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})

test('the edge says hello first, and sends nothing before home’s hello', async () => {
  await tunnel().enqueue(homeCall('e1'))
  const peer = await HomePeer.connect()
  expect(await peer.next('hello')).toMatchObject({
    version: PROTOCOL_VERSION,
    epoch: 1,
    received: 0,
    last: 1,
  })
  expect(await peer.silent()).toBe(true)
  peer.send(peer.channel.hello(1))
  expect((await peer.next('data')).body).toEqual(callBody('e1'))
})

test('the first hello proves the edge’s key for this connection, and no later one does', async () => {
  const nonce = 'n'.repeat(24)
  // A client's own values in the Worker's headers are ignored.
  const headers = { upgrade: 'websocket', [DEVICE_HEADER]: 'phone', [NONCE_HEADER]: 'm'.repeat(24) }
  const peer = await HomePeer.connect(new MemoryChannelStore(), { nonce, headers })
  const hello = await peer.next('hello')
  const { proof } = hello
  if (proof === null) throw new Error('no proof')
  const claims = { homeNonce: nonce, edgeNonce: proof.nonce, device: DEVICE.id, hello }
  const key = ed25519.getPublicKey(SIGN_KEY)
  const holds = (over: Partial<typeof claims>) =>
    ed25519.verify(fromBase64Url(proof.signature), proofBytes({ ...claims, ...over }), key)
  expect(holds({})).toBe(true)
  for (const over of [
    { homeNonce: 'm'.repeat(24) },
    { device: 'phone' },
    { hello: { ...hello, epoch: hello.epoch + 1 } },
    { hello: { ...hello, version: hello.version + 1 } },
    { hello: { ...hello, base: 7 } },
  ])
    expect(holds(over)).toBe(false)
  peer.put({ type: 'profile', timezone: 'UTC' })
  expect((await peer.next('hello')).proof).toBe(null)
})

test('calls made while home was away arrive once, in order', async () => {
  for (const id of ['e1', 'e2', 'e3'])
    expect(await tunnel().enqueue(homeCall(id))).toEqual({ ok: true, value: true })
  const peer = await HomePeer.greet()
  const heard = [await peer.take(), await peer.take(), await peer.take()]
  expect(heard.map(({ body }) => idOf(body))).toEqual(['e1', 'e2', 'e3'])
  await peer.settled()
  const again = await HomePeer.greet(peer.store)
  expect(await again.silent()).toBe(true)
})

test('a body carries its time of sending, however long it has waited (T-14)', async () => {
  await tunnel().enqueue(homeCall('e1'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  const before = Date.now()
  const peer = await HomePeer.greet()
  const { at = 0 } = await peer.next('data')
  expect(at).toBeGreaterThanOrEqual(before)
})

test('enqueueing the same call twice queues it once', async () => {
  const peer = await HomePeer.greet()
  await peer.settled()
  await tunnel().enqueue(homeCall('e1'))
  await tunnel().enqueue(homeCall('e1'))
  await peer.take()
  expect(await peer.silent()).toBe(true)
})

test('an unacknowledged body is sent again after a disconnection and after an eviction', async () => {
  const store = new MemoryChannelStore()
  const first = await HomePeer.greet(store)
  await first.settled()
  await tunnel().enqueue(homeCall('e1'))
  await first.next('data')
  first.close()
  await evictDurableObject(tunnel(), { webSockets: 'close' })
  const second = await HomePeer.greet(store)
  expect(idOf((await second.take()).body)).toBe('e1')
})

test('a hibernated connection continues where it was', async () => {
  const peer = await HomePeer.greet()
  await peer.settled()
  await evictDurableObject(tunnel())
  await tunnel().enqueue(homeCall('e1'))
  expect(idOf((await peer.take()).body)).toBe('e1')
  await peer.settled()
  expect(await runInDurableObject(tunnel(), (_, { storage }) => countOf(storage, 'tunnel_out'))).toBe(0)
})

test('a newer connection fences the older one', async () => {
  const older = await HomePeer.greet()
  const newer = await HomePeer.greet(older.store)
  expect(await older.next('refused')).toEqual({ kind: 'refused', code: 'frame_fenced' })
  expect(await older.closed).toEqual({ code: 4_001 })
  await newer.settled()
  await tunnel().enqueue(homeCall('e1'))
  expect(idOf((await newer.take()).body)).toBe('e1')
})

test('a replayed handshake opens no second connection', async () => {
  const request = await signed('/tunnel', { headers: { upgrade: 'websocket' } })
  const first = await exports.default.fetch(request.clone())
  expect(first.status).toBe(101)
  first.webSocket?.accept()
  const second = await exports.default.fetch(request)
  expect([second.status, (await second.json<{ error: { code: string } }>()).error.code]).toEqual([
    401,
    'event_stale',
  ])
})

const REFUSED: readonly (readonly [string, string | ArrayBuffer, string])[] = [
  ['no JSON', '{', 'frame_malformed'],
  ['bytes', new Uint8Array([1, 2]).buffer, 'frame_malformed'],
  ['an unknown kind', '{"kind":"admin"}', 'frame_malformed'],
  ['more than a megabyte', ' '.repeat(MAX_FRAME_BYTES + 1), 'frame_too_large'],
  ['another version', `{"kind":"hello","version":${PROTOCOL_VERSION + 1},"epoch":1}`, 'version_incompatible'],
]

test.each(REFUSED)('%s is refused and ends the connection', async (_name, text, code) => {
  const peer = await HomePeer.connect()
  await peer.next('hello')
  peer.say(text)
  expect(await peer.next('refused')).toEqual({ kind: 'refused', code })
  expect(await peer.closed).toEqual({ code: 4_002 })
})

test.each([callBody('e1'), { type: 'memory', memory: openMemory('m1') } as const])(
  'home cannot reverse the tunnel: $type',
  async (body) => {
    const peer = await HomePeer.greet()
    peer.put(body)
    expect(await peer.next('refused')).toEqual({ kind: 'refused', code: 'frame_malformed' })
  },
)

test('a body before hello, or after a gap, is requested again', async () => {
  const peer = await HomePeer.connect()
  await peer.next('hello')
  peer.put({ type: 'profile', timezone: 'Europe/Paris' })
  expect(await peer.next('hello')).toMatchObject({ received: 0 })
  peer.send(peer.channel.hello(1))
  peer.say(encodeFrame({ kind: 'data', seq: 3, body: { type: 'profile', timezone: 'Europe/Paris' } }))
  expect(await peer.next('hello')).toMatchObject({ received: 0 })
})

test('an answer that nobody waits for is acknowledged and dropped', async () => {
  const peer = await HomePeer.greet()
  const seq = peer.put({ type: 'home_answer', answer: homeAnswer('nobody') })
  expect(await peer.next('ack')).toEqual({ kind: 'ack', seq })
})

test('a duplicate is acknowledged again and has no second effect', async () => {
  const peer = await HomePeer.greet()
  const [frame] = peer.channel.send({ type: 'profile', timezone: 'Europe/Paris' })
  if (frame === undefined) throw new Error('nothing to send')
  peer.send(frame)
  await peer.next('ack')
  await env.KERNEL.getByName(KERNEL_NAME).setProfile({ timezone: 'Asia/Tokyo' })
  peer.send(frame)
  expect(await peer.next('ack')).toEqual({ kind: 'ack', seq: 1 })
  expect(await env.KERNEL.getByName(KERNEL_NAME).profile()).toEqual({ timezone: 'Asia/Tokyo' })
})

test('home’s profile reaches KernelObject, and one with an unknown time zone does not', async () => {
  const peer = await HomePeer.greet()
  peer.put({ type: 'profile', timezone: 'Europe/Paris' })
  await peer.next('ack')
  peer.put({ type: 'profile', timezone: 'Mars/Olympus' })
  await peer.next('ack')
  expect(await env.KERNEL.getByName(KERNEL_NAME).profile()).toEqual({ timezone: 'Europe/Paris' })
})

test('beats are answered without waking the object, and show whether home is connected', async () => {
  expect(await tunnel().connected()).toEqual({ up: false, rtt: null })
  const peer = await HomePeer.greet()
  peer.say('ping')
  expect(parsePong(await peer.hear())).toEqual({ base: 0, sent: 0 })
  peer.send({ kind: 'ephemeral', body: { type: 'rtt', ms: 3 } })
  await peer.settled()
  expect(await upAfter(STABLE_AFTER)).toEqual({ up: true, rtt: 3 })
  await evictDurableObject(tunnel())
  expect((await upAfter(STABLE_AFTER)).rtt).toBe(3)
  peer.close()
  await peer.closed
  await expect.poll(async () => (await upAfter(STABLE_AFTER)).up).toBe(false)
})

test('home is online once it has everything queued and was connected for ten seconds, until three beats are missed', async () => {
  await tunnel().enqueue(homeCall('e1'))
  const peer = await HomePeer.greet()
  expect((await upAfter(STABLE_AFTER)).up).toBe(false)
  await peer.take()
  await peer.settled()
  await tunnel().enqueue(homeCall('e2'))
  expect((await upAfter(0)).up).toBe(false)
  expect((await upAfter(STABLE_AFTER)).up).toBe(true)
  expect((await upAfter(OFFLINE_AFTER + 1_000)).up).toBe(false)
})

/** The edge's status of home after this many milliseconds. */
async function upAfter(ms: number): Promise<{ up: boolean; rtt: number | null }> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
  const status = await tunnel().connected()
  vi.useRealTimers()
  return status
}

const ONLINE: readonly (readonly [string, number | null, number, number, boolean])[] = [
  ['nothing was drained', null, 0, STABLE_AFTER, false],
  ['drained a moment ago', 0, 0, STABLE_AFTER - 1, false],
  ['drained and stable', 0, 0, STABLE_AFTER, true],
  ['drained late, stable since', 5_000, 0, 5_000 + STABLE_AFTER, true],
  ['no beat, but hello lately', 0, 0, OFFLINE_AFTER - 1, true],
  ['three beats missed since hello', 0, 0, OFFLINE_AFTER, false],
  ['a beat after a long time', 0, 500_000, 500_000 + OFFLINE_AFTER - 1, true],
  ['three beats missed since the last', 0, 500_000, 500_000 + OFFLINE_AFTER, false],
]

test.each(ONLINE)('home is online or not: %s', (_name, drained, beat, now, online) => {
  expect(isOnline({ since: 0, drained }, beat, now)).toBe(online)
})

test('a home that never connects cannot cause the object to fill up', async () => {
  const full = await runInDurableObject(tunnel(), async (object) => {
    for (let n = 0; n < 1_000; n += 1) await object.enqueue(homeCall(`e${n}`))
    return object.enqueue(homeCall('one too many'))
  })
  expect(full).toMatchObject({ ok: false, reason: { code: 'home_offline' } })
})

test('no more than the window is in flight, and an acknowledgement releases more, also after hibernation', async () => {
  await runInDurableObject(tunnel(), async (object) => {
    for (let n = 1; n <= WINDOW.frames + 2; n += 1) await object.enqueue(homeCall(`e${n}`))
  })
  const peer = await HomePeer.greet()
  for (let n = 1; n < WINDOW.frames; n += 1) await peer.next('data')
  const { seq } = await peer.next('data')
  expect(seq).toBe(WINDOW.frames)
  await tunnel().enqueue(homeCall('one more'))
  expect(await peer.silent()).toBe(true)
  await evictDurableObject(tunnel())
  peer.send({ kind: 'ack', seq: 2 })
  expect([(await peer.next('data')).seq, (await peer.next('data')).seq]).toEqual([seq + 1, seq + 2])
  expect(await peer.silent()).toBe(true)
})

test('memories leave room for calls, though home never connects', async () => {
  const [told, asked] = await runInDurableObject(tunnel(), async (object) => {
    for (let n = 0; n < 500; n += 1) await object.tell(openMemory(`m${n}`))
    return [await object.tell(openMemory('one too many')), await object.enqueue(homeCall('e1'))]
  })
  expect(told).toMatchObject({ ok: false, reason: { code: 'home_offline' } })
  expect(asked).toEqual({ ok: true, value: true })
})

describe('bodies of people other than the owner', () => {
  const eve = (n: number) => `principal:telegram:peer:${n}`
  const theirs = (n: number) => ({ ...openMemory(`t${n}`), principal: eve(n) })
  const code = (n: number, principal = eve(n)) => ({
    ...{ event: `e${n}`, principal, sink: `sink:telegram:${n}`, code: 'CCCC-CCCC-CCCC' },
    as: 'person' as const,
  })
  const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.reason.code)

  test('others’ bodies that wait for home leave room for the owner’s turns, calls and codes', async () => {
    const known = await runInDurableObject(tunnel(), async (object) => {
      for (let n = 0; n < 600; n += 1) await object.tell(theirs(n))
      const [theirLast, theirCall] = [
        await object.tell(theirs(600)),
        await object.enqueue(homeCall('c1', { principal: eve(1) })),
      ]
      const own = [await object.tell(openMemory('m1')), await object.enqueue(homeCall('c2'))]
      const said = await object.tellCode(code(1, OWNER_PRINCIPAL))
      return [theirLast, theirCall, ...own, said].map(codeOf)
    })
    expect(known).toEqual(['home_offline', 'home_offline', 'ok', 'ok', 'ok'])
  })

  test('others’ bodies are counted across evictions, until home has them', async () => {
    await runInDurableObject(tunnel(), async (object) => {
      for (let n = 0; n < MOST_OF_OTHERS.count; n += 1) await object.tell(theirs(n))
    })
    await evictDurableObject(tunnel())
    expect(codeOf(await tunnel().tell(theirs(600)))).toBe('home_offline')
    const peer = await HomePeer.greet()
    const { seq } = await peer.next('data')
    peer.send({ kind: 'ack', seq })
    await expect.poll(async () => codeOf(await tunnel().tell(theirs(601)))).toBe('ok')
  })

  test('codes of others are counted together by the hour, and the owner’s are not', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const say = (n: number, principal?: string) =>
      runInDurableObject(tunnel(), async (object) => codeOf(await object.tellCode(code(n, principal))))
    const all = []
    for (let n = 0; n <= MAX_ALL_GUESSES_AN_HOUR; n += 1) all.push(await say(n))
    expect(all).toEqual([...Array(MAX_ALL_GUESSES_AN_HOUR).fill('ok'), 'remote_rate_limited'])
    expect(await say(1, OWNER_PRINCIPAL)).toBe('ok')
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(await say(500)).toBe('ok')
    vi.useRealTimers()
  })
})

test('memories made while home was away arrive, and are stored sealed until then', async () => {
  await tunnel().tell(openMemory('m1', 'canary-7319'))
  expect(await runInDurableObject(tunnel(), (_, { storage }) => dumpStorage(storage))).not.toContain(
    'canary-7319',
  )
  const peer = await HomePeer.greet()
  expect((await peer.take()).body).toEqual({ type: 'memory', memory: openMemory('m1', 'canary-7319') })
})

test('bodies that wait for home are stored sealed', async () => {
  await tunnel().enqueue(homeCall('e1', { args: { title: 'canary-7319' } }))
  const dump = await runInDurableObject(tunnel(), (_, { storage }) => dumpStorage(storage))
  expect(dump).toContain('tunnel_out')
  expect(dump).not.toContain('canary-7319')
})

test('an invalid call is refused before it is stored', async () => {
  const malformed = await tunnel().enqueue({ ...homeCall('e1'), step: -1 })
  const large = await tunnel().enqueue(homeCall('e2', { args: 'x'.repeat(MAX_BODY_BYTES) }))
  expect([malformed, large]).toMatchObject([
    { ok: false, reason: { code: 'frame_malformed' } },
    { ok: false, reason: { code: 'frame_too_large' } },
  ])
  expect(await runInDurableObject(tunnel(), (_, { storage }) => countOf(storage, 'tunnel_out'))).toBe(0)
})

function countOf(storage: DurableObjectStorage, table: string): number {
  return Number(storage.sql.exec(`select count(*) as n from ${table}`).one()['n'])
}
