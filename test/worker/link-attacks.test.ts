/**
 * Attacks on the link, each refused with its reason code and a line of the audit at the edge (T-02, T-04, T-05, T-11). An
 * edge that cannot prove the pinned key, or speaks less than it did, is refused by home: test/home/tunnel-client.test.ts.
 */
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MAX_DENIALS } from '../../durable-objects/denials.ts'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { MINUTE } from '../../durable-objects/rate-window.ts'
import { HELLO_WITHIN, MAX_EPHEMERAL } from '../../durable-objects/tunnel.ts'
import { encodeFrame, MAX_FRAME_BYTES, PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { MAX_KNOCKS } from '../../worker/knocks.ts'
import { callBody } from '../tunnel/fixtures.ts'
import { DEVICE, STRANGER, testDevice } from './device.ts'
import { HomePeer } from './home-peer.ts'
import { EDGE, type SignOptions, signed } from './signed.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)
const UPGRADE = { upgrade: 'websocket' }

/** What one isolate counts outlives a test: each begins an hour after the last. */
let clock = 0
function later(ms: number): void {
  clock = Math.max(clock, Date.now()) + ms
  vi.useFakeTimers({ toFake: ['Date'], now: clock })
}

beforeEach(async () => {
  later(3_600_000)
  for (const object of [kernel(), tunnel()])
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})
afterEach(() => void vi.useRealTimers())

/** The audit's facts, oldest first. */
function audited(): Promise<readonly Record<string, unknown>[]> {
  return runInDurableObject(kernel(), (_, { storage }) => {
    const known = storage.sql.exec("select 1 from sqlite_master where name = 'audit'").toArray().length > 0
    const rows = known ? storage.sql.exec<{ facts: string }>('select facts from audit order by seq') : []
    return [...rows].map(({ facts }) => JSON.parse(facts))
  })
}

async function knock(request: Request): Promise<string> {
  const response = await exports.default.fetch(request)
  response.webSocket?.accept()
  return response.status === 101 ? 'open' : (await response.json<{ error: { code: string } }>()).error.code
}

const knockAs = async (over: SignOptions): Promise<string> =>
  knock(await signed('/tunnel', { headers: UPGRADE, ...over }))

async function afterHello(text: string): Promise<string> {
  const peer = await HomePeer.greet()
  peer.say(text)
  return codeOf(peer)
}

/** The code with which the edge hung up. */
async function codeOf(peer: HomePeer): Promise<string> {
  const { code } = await peer.next('refused')
  await peer.closed
  return code
}

const hello = (version: number): string => JSON.stringify({ kind: 'hello', version, epoch: 1 })
const BY_DEVICE = { of: 'link', device: DEVICE.id }

type Row = readonly [string, () => Promise<string>, string, Record<string, unknown>]

const ATTACKS: readonly Row[] = [
  [
    'an unsigned knock',
    () => knock(new Request(`${EDGE}/tunnel`, { headers: UPGRADE })),
    'signature_invalid',
    { of: 'knock' },
  ],
  [
    'another key under a known name',
    () => knockAs({ device: STRANGER }),
    'signature_invalid',
    { of: 'knock' },
  ],
  ['another device', () => knockAs({ device: testDevice('phone', 9) }), 'signature_invalid', { of: 'knock' }],
  [
    'a handshake recorded an hour ago',
    () => knockAs({ shift: -3_600_000 }),
    'signature_invalid',
    { of: 'knock' },
  ],
  ['a replayed handshake', replay, 'event_stale', BY_DEVICE],
  ['a connection of an old epoch', oldEpoch, 'frame_fenced', BY_DEVICE],
  ['a forged frame', () => afterHello('{"kind":"admin"}'), 'frame_malformed', BY_DEVICE],
  ['a forged acknowledgement', () => afterHello('{"kind":"ack","seq":-1}'), 'frame_malformed', BY_DEVICE],
  [
    'a frame that turns the tunnel around',
    () => afterHello(encodeFrame({ kind: 'data', seq: 1, body: callBody('e1') })),
    'frame_malformed',
    BY_DEVICE,
  ],
  ['an oversized frame', () => afterHello(' '.repeat(MAX_FRAME_BYTES + 1)), 'frame_too_large', BY_DEVICE],
  ['a socket that never says hello', slowLoris, 'hello_overdue', BY_DEVICE],
  ['a flood of what may be lost', ephemeralFlood, 'remote_rate_limited', BY_DEVICE],
  ['a lower version', () => afterHello(hello(PROTOCOL_VERSION - 1)), 'version_incompatible', BY_DEVICE],
  ['a higher version', () => afterHello(hello(PROTOCOL_VERSION + 1)), 'version_incompatible', BY_DEVICE],
]

test.each(ATTACKS)('%s is refused, and the audit says so', async (_name, attack, code, facts) => {
  expect(await attack()).toBe(code)
  await expect.poll(audited).toEqual([{ code, ...facts }])
})

async function replay(): Promise<string> {
  const request = await signed('/tunnel', { headers: UPGRADE })
  expect(await knock(request.clone())).toBe('open')
  return knock(request)
}

async function slowLoris(): Promise<string> {
  const peer = await HomePeer.connect()
  await peer.next('hello')
  peer.put({ type: 'profile', timezone: 'Europe/Paris' })
  await peer.next('hello')
  await evictDurableObject(tunnel())
  later(HELLO_WITHIN)
  expect(await runDurableObjectAlarm(tunnel())).toBe(true)
  return codeOf(peer)
}

async function ephemeralFlood(): Promise<string> {
  const peer = await HomePeer.greet()
  const beat = { kind: 'ephemeral', body: { type: 'rtt', ms: 1 } } as const
  for (let n = 0; n < MAX_EPHEMERAL; n += 1) peer.send(beat)
  await peer.settled()
  expect(await peer.silent()).toBe(true)
  peer.send(beat)
  return codeOf(peer)
}

async function oldEpoch(): Promise<string> {
  const older = await HomePeer.greet()
  await HomePeer.greet(older.store)
  return codeOf(older)
}

test('the deadline for hello waits until it is due, and a greeted connection has none', async () => {
  const slow = await HomePeer.connect()
  const hello = await slow.next('hello')
  later(HELLO_WITHIN - 1)
  expect(await runDurableObjectAlarm(tunnel())).toBe(true)
  expect(await runInDurableObject(tunnel(), (_, { storage }) => storage.getAlarm())).not.toBe(null)
  slow.send(slow.channel.hello(hello.epoch))
  await slow.settled()
  expect(await runDurableObjectAlarm(tunnel())).toBe(false)
  expect(await slow.silent()).toBe(true)
})

test('that home refused the edge is known at the edge, too', async () => {
  const peer = await HomePeer.connect()
  await peer.next('hello')
  peer.send({ kind: 'refused', code: 'edge_not_pinned' })
  await peer.closed
  await expect.poll(audited).toEqual([{ ...BY_DEVICE, code: 'edge_not_pinned', by: 'home' }])
})

test('a flood of knocks from one isolate leaves a bounded number of lines, and the next says how many more', async () => {
  const unsigned = () => knock(new Request(`${EDGE}/tunnel`, { headers: UPGRADE }))
  for (let n = 0; n < MAX_KNOCKS + 7; n += 1) expect(await unsigned()).toBe('signature_invalid')
  expect(await audited()).toHaveLength(MAX_KNOCKS)
  later(MINUTE)
  await unsigned()
  expect((await audited()).slice(MAX_KNOCKS)).toEqual([
    { of: 'knock', code: 'signature_invalid', left_out: 7 },
  ])
})

test('a flood of refusals is counted in one line when the minute is over, and hides no other source', async () => {
  for (let n = 0; n < MAX_DENIALS + 5; n += 1) await kernel().denied('knock', { code: 'signature_invalid' })
  await kernel().denied('link', { code: 'frame_malformed' })
  expect(await audited()).toHaveLength(MAX_DENIALS + 1)
  later(MINUTE)
  expect(await runDurableObjectAlarm(kernel())).toBe(true)
  expect((await audited()).slice(MAX_DENIALS)).toEqual([
    { of: 'link', code: 'frame_malformed' },
    { of: 'knock', left_out: 5 },
  ])
  await kernel().denied('knock', { code: 'signature_invalid' })
  expect((await audited()).at(-1)).toEqual({ of: 'knock', code: 'signature_invalid' })
})
