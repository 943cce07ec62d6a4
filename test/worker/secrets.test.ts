/**
 * A credential typed at the edge (E-02, E-18, L-12, L-13): sealed for home before anything is stored, waiting in its box while home
 * is away, refused in plain words where that fails. No object, row or answer ever holds the value.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { MAX_SECRETS } from '../../durable-objects/registry/profile.ts'
import { MAX_OFFERS } from '../../durable-objects/tunnel/offers.ts'
import { openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import {
  MAX_SECRET,
  OFFER_LIFETIME,
  OFFER_PURPOSE,
  offerBound,
  type SecretOffer,
} from '../../kernel/vault/secret-offer.ts'
import { encodeText } from '../../kernel/vault/text.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { MemoryChannelStore } from '../tunnel/fixtures.ts'
import { toBase64Url } from './device.ts'
import { dumpStorage } from './dump.ts'
import { deliveriesAfter, inside } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { type SignOptions, signed } from './signed.ts'

const VALUE = 'cAnaRy-tOken.7319-wrk'
const SECRET = new Uint8Array(32).fill(77)
const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)

beforeEach(async () => {
  for (const stub of [kernel(), tunnel()])
    await runInDurableObject(stub as DurableObjectStub, (_, { storage }) => storage.deleteAll())
  await inside(OWNER_PRINCIPAL, ({ storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})
afterEach(async () => {
  await kernel().setLocked(false)
})

const publicKey = async (secret = SECRET): Promise<string> => toBase64Url((await keyFrom(secret)).publicKey)

/** Syncs home's key, as home does once it is connected. */
async function push(secret = SECRET, store = new MemoryChannelStore()): Promise<void> {
  const home = await HomePeer.greet(store)
  home.put({ type: 'seal_key', key: await publicKey(secret) })
  await home.acked()
  home.close()
  await home.closed
}

async function type(name = 'google', body: string = JSON.stringify({ value: VALUE }), by: SignOptions = {}) {
  const path = `/line/secrets/${encodeURIComponent(name)}`
  const response = await exports.default.fetch(await signed(path, { method: 'PUT', body, ...by }))
  const text = await response.text()
  expect(text).not.toContain(VALUE)
  return [response.status, JSON.parse(text).error?.code ?? 'taken'] as const
}

const open = async (offer: SecretOffer, secret = SECRET): Promise<string> => {
  const address = { purpose: OFFER_PURPOSE, bound: offerBound(offer) }
  const binary = atob((offer.box ?? '').replaceAll('-', '+').replaceAll('_', '/'))
  const box = Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
  const plain = await openClosedBox(secret, address, box)
  return plain.ok ? new TextDecoder().decode(plain.value) : plain.reason.code
}

/** Takes every body that waits for home. */
async function taken(count: number, store = new MemoryChannelStore()): Promise<readonly SecretOffer[]> {
  const home = await HomePeer.greet(store)
  const found: SecretOffer[] = []
  while (found.length < count) {
    const { body } = await home.take()
    if (body.type === 'secret') found.push(body.offer)
  }
  return found
}

async function everything(): Promise<string> {
  const dumps = await Promise.all([
    runInDurableObject(kernel() as DurableObjectStub, (_, { storage }) => dumpStorage(storage)),
    runInDurableObject(tunnel() as DurableObjectStub, (_, { storage }) => dumpStorage(storage)),
    inside(OWNER_PRINCIPAL, ({ storage }) => dumpStorage(storage)),
  ])
  return dumps.join('\n')
}

const spellings = (value: string): readonly string[] => [
  value,
  btoa(value).replaceAll('=', ''),
  [...encodeText(value)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
]

test('a secret waits in its box while home is away, and only home opens it, under its name', async () => {
  await push()
  expect(await type('google')).toEqual([202, 'taken'])
  expect(await type('team/git_hub')).toEqual([202, 'taken'])
  const stored = await everything()
  for (const spelling of spellings(VALUE)) expect(stored).not.toContain(spelling)
  expect(stored).toContain('"type":"secret"')
  const offers = await taken(2)
  expect(offers.map(({ name, principal }) => [name, principal])).toEqual([
    ['google', OWNER_PRINCIPAL],
    ['team/git_hub', OWNER_PRINCIPAL],
  ])
  for (const offer of offers) {
    expect(await open(offer)).toBe(VALUE)
    expect(await open({ ...offer, name: 'other' })).toBe('record_unreadable')
    expect(await open(offer, new Uint8Array(32).fill(78))).toBe('record_unreadable')
  }
})

test('a stored secret is audited by name and device', async () => {
  await push()
  await type('google')
  const stored = await runInDurableObject(kernel() as DurableObjectStub, (_, { storage }) =>
    dumpStorage(storage),
  )
  expect(stored).toMatch(
    /"change":"typed","credential":"google","device":|"credential":"google","change":"typed"/,
  )
})

test('before home has synced a key nothing is taken, with an explanation', async () => {
  expect(await type()).toEqual([409, 'seal_key_missing'])
  expect(wordsFor('seal_key_missing')).toMatch(/Nothing was taken/)
  expect(await everything()).not.toContain('"type":"secret"')
})

test('a key of low order is refused', async () => {
  const home = await HomePeer.greet()
  home.put({ type: 'seal_key', key: toBase64Url(new Uint8Array(32)) })
  await home.acked()
  expect(await type()).toEqual([409, 'seal_key_missing'])
})

test('a new key is used from its sync on', async () => {
  const next = new Uint8Array(32).fill(79)
  const store = new MemoryChannelStore()
  await push(SECRET, store)
  await type('former')
  const home = await HomePeer.greet(store)
  const { body: first } = await home.take()
  home.put({ type: 'seal_key', key: await publicKey(next) })
  await home.acked()
  await type('newer')
  const { body: second } = await home.take()
  if (first.type !== 'secret' || second.type !== 'secret') throw new Error('no secrets')
  expect([await open(first.offer), await open(second.offer, next)]).toEqual([VALUE, VALUE])
  expect(first.offer.key).not.toBe(second.offer.key)
})

test('a locked edge takes no secret, and sends none that waits', async () => {
  await push()
  await type('before')
  await kernel().setLocked(true)
  expect(await type('meanwhile')).toEqual([423, 'edge_locked'])
  const home = await HomePeer.greet()
  expect(await home.silent()).toBe(true)
  const direct = {
    id: 'o',
    principal: OWNER_PRINCIPAL,
    name: 'x',
    key: '0'.repeat(32),
    at: 1,
    box: 'b'.repeat(80),
  }
  expect(await tunnel().offer(direct)).toMatchObject({ ok: false, reason: { code: 'edge_locked' } })
})

const bodyOf = (value: string): string => JSON.stringify({ value })

test.each([
  ['the longest value', bodyOf('x'.repeat(MAX_SECRET)), [202, 'taken']],
  ['the longest in three bytes each', bodyOf('€'.repeat(MAX_SECRET)), [202, 'taken']],
  ['one character more', bodyOf('x'.repeat(MAX_SECRET + 1)), [413, 'event_too_large']],
  ['a body that nobody reads', bodyOf('x'.repeat(70_000)), [413, 'event_too_large']],
  ['nothing', bodyOf(''), [400, 'event_malformed']],
  ['no JSON', VALUE, [400, 'event_malformed']],
  ['more than a value', JSON.stringify({ value: VALUE, kind: 'token' }), [400, 'event_malformed']],
  ['no text', JSON.stringify({ value: 7 }), [400, 'event_malformed']],
] as const)('a request is taken or refused: %s', async (_, body, result) => {
  await push()
  expect(await type('google', body)).toEqual(result)
})

test.each(['Google', '..%2fx', 'a b', 'x'.repeat(101)])('the name %s is refused', async (name) => {
  await push()
  expect(await type(name)).toEqual([400, 'event_malformed'])
})

test('a secret is refused that is unsigned, replayed, too old, or has another body', async () => {
  await push()
  const path = '/line/secrets/google'
  const body = bodyOf(VALUE)
  const plain = await exports.default.fetch(`https://edge.test${path}`, { method: 'PUT', body })
  expect(plain.status).toBe(401)
  const once = await signed(path, { method: 'PUT', body })
  const again = once.clone()
  expect((await exports.default.fetch(once)).status).toBe(202)
  const replayed = await exports.default.fetch(again)
  expect([replayed.status, await replayed.text()]).toEqual([401, expect.stringContaining('event_stale')])
  expect(await type('google', body, { shift: -301_000 })).toEqual([401, 'signature_invalid'])
  const honest = await signed(path, { method: 'PUT', body })
  const swapped = new Request(honest.url, { method: 'PUT', headers: honest.headers, body: bodyOf('another') })
  expect((await exports.default.fetch(swapped)).status).toBe(401)
  expect(await taken(1)).toHaveLength(1)
})

test('the number of secrets a minute is limited', async () => {
  await push()
  for (let at = 0; at < MAX_SECRETS; at++) expect(await type(`n${at}`)).toEqual([202, 'taken'])
  expect(await type('more')).toEqual([429, 'remote_rate_limited'])
})

const offerOf = (id: string, at = Date.now()): SecretOffer => ({
  ...{ id, principal: OWNER_PRINCIPAL, name: 'google', key: '0'.repeat(32), at, box: 'b'.repeat(80) },
})

test('the number of waiting secrets is limited, and a repeated one counts once', async () => {
  for (let at = 0; at < MAX_OFFERS; at++) expect((await tunnel().offer(offerOf(`o${at}`))).ok).toBe(true)
  expect((await tunnel().offer(offerOf('o0'))).ok).toBe(true)
  expect(await tunnel().offer(offerOf('more'))).toMatchObject({ ok: false, reason: { code: 'home_offline' } })
  const found = await taken(MAX_OFFERS)
  expect(new Set(found.map(({ id }) => id)).size).toBe(MAX_OFFERS)
  // Secrets that home has taken make room.
  expect((await tunnel().offer(offerOf('later'))).ok).toBe(true)
})

test('a box that home did not fetch in time is dropped: the owner is told on the open line, and home learns that there was one', async () => {
  const late = offerOf('late', Date.now() - OFFER_LIFETIME)
  await tunnel().offer(late)
  await tunnel().offer(offerOf('fresh'))
  expect(await everything()).toContain(late.box)
  await runDurableObjectAlarm(tunnel() as DurableObjectStub)
  const told = await deliveriesAfter(0)
  expect(told.map(({ id, kind, text }) => [id, kind, text])).toEqual([
    ['secret-expired:late', 'notice', wordsFor('secret_expired')],
  ])
  const found = await taken(2)
  expect(found.map(({ id, box }) => [id, box === null])).toEqual([
    ['late', true],
    ['fresh', false],
  ])
  await runDurableObjectAlarm(tunnel() as DurableObjectStub)
  expect(await deliveriesAfter(0)).toHaveLength(1)
})

test('with a locked edge the box is dropped in time, and the owner is told later', async () => {
  await tunnel().offer(offerOf('late', Date.now() - OFFER_LIFETIME))
  await kernel().setLocked(true)
  // The owner's object registers for the lock at its first call.
  await runDurableObjectAlarm(tunnel() as DurableObjectStub)
  expect(await everything()).not.toContain('b'.repeat(80))
  await kernel().setLocked(false)
  const due = await runInDurableObject(tunnel() as DurableObjectStub, (_, { storage }) => storage.getAlarm())
  expect(due).toBeGreaterThan(Date.now() + 3_000_000)
})

test('the deadline for hello is kept beside that of a box', async () => {
  await tunnel().offer(offerOf('o1'))
  const alarm = () =>
    runInDurableObject(tunnel() as DurableObjectStub, (_, { storage }) => storage.getAlarm())
  const boxes = (await alarm()) ?? 0
  expect(boxes).toBeGreaterThan(Date.now() + OFFER_LIFETIME - 60_000)
  const home = await HomePeer.connect()
  expect(await alarm()).toBeLessThan(Date.now() + 11_000)
  const hello = await home.next('hello')
  home.send(home.channel.hello(hello.epoch))
  await home.next('data')
  await home.settled()
  expect(await alarm()).toBe(boxes)
})

test('the edge accepts no secret from home', async () => {
  const home = await HomePeer.greet()
  home.put({ type: 'secret', offer: offerOf('o1') })
  expect(await home.next('refused')).toMatchObject({ code: 'frame_malformed' })
})
