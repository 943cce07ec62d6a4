/**
 * Attacks on the link, each refused with its reason code and an audit line at the edge (T-02, T-04, T-05, T-11). Home's refusal of
 * an edge without the pinned key, or with an older version: test/home/tunnel-client.test.ts.
 */
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DEVICE_HEADER, KERNEL_NAME, NONCE_HEADER, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { MINUTE } from '../../durable-objects/rate-window.ts'
import { HOUR, MAX_DENIALS } from '../../durable-objects/registry/audit.ts'
import { HELLO_WITHIN } from '../../durable-objects/tunnel/deadlines.ts'
import { MAX_EPHEMERAL } from '../../durable-objects/tunnel/ephemeral.ts'
import { MAX_STORED_PIECES } from '../../kernel/tunnel/channel.ts'
import { encodeFrame, MAX_FRAME_BYTES, PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { MAX_PIECES, PIECE_WITHIN } from '../../kernel/tunnel/piece.ts'
import { MAX_AUTH_FAILURES } from '../../worker/auth-failures.ts'
import { answerBody, callBody, homeCall } from '../tunnel/fixtures.ts'
import { DEVICE, STRANGER, testDevice } from './device.ts'
import { HomePeer } from './home-peer.ts'
import { EDGE, type SignOptions, signed } from './signed.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)
const UPGRADE = { upgrade: 'websocket' }

/** An isolate's counts outlive a test: each test begins an hour after the last. */
let clock = 0
function later(ms: number): void {
  clock = Math.max(clock, Date.now()) + ms
  vi.useFakeTimers({ toFake: ['Date'], now: clock })
}

// Unreported requests of an earlier file are reported here, before the tests.
beforeAll(async () => {
  later(3_600_000)
  await knock(new Request(`${EDGE}/tunnel`, { headers: UPGRADE }))
})
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
  return knocked(await exports.default.fetch(request))
}

async function knocked(response: Response): Promise<string> {
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

/** The reason code with which the edge closed the connection. */
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
  ['a connection that calls itself another device', underAnotherName, 'frame_malformed', BY_DEVICE],
  ['an acknowledgement before hello', earlyAck, 'frame_malformed', BY_DEVICE],
  ['a connection of an old epoch', oldEpoch, 'frame_fenced', BY_DEVICE],
  ['a frame of an old epoch, on a socket that is still there', lateFrame, 'frame_fenced', BY_DEVICE],
  ['a forged frame', () => afterHello('{"kind":"admin"}'), 'frame_malformed', BY_DEVICE],
  ['a forged acknowledgement', () => afterHello('{"kind":"ack","seq":-1}'), 'frame_malformed', BY_DEVICE],
  [
    'a frame that turns the tunnel around',
    () => afterHello(encodeFrame({ kind: 'data', seq: 1, body: callBody('e1') })),
    'frame_malformed',
    BY_DEVICE,
  ],
  ['an oversized frame', () => afterHello(' '.repeat(MAX_FRAME_BYTES + 1)), 'frame_too_large', BY_DEVICE],
  [
    'a piece above a frame',
    () => afterHello(piece({ text: 'x'.repeat(MAX_FRAME_BYTES) })),
    'frame_too_large',
    BY_DEVICE,
  ],
  [
    'a piece of a body above its bound',
    () => afterHello(piece({ of: MAX_PIECES + 1 })),
    'frame_too_large',
    BY_DEVICE,
  ],
  ['a piece of a total that cannot be', () => afterHello(piece({ of: 1 })), 'frame_malformed', BY_DEVICE],
  ['a piece behind the last', () => afterHello(piece({ n: 2 })), 'frame_malformed', BY_DEVICE],
  ['pieces that are not what was announced', forgedPieces, 'frame_malformed', BY_DEVICE],
  ['bodies that begin and never end', endlessPieces, 'frame_too_large', BY_DEVICE],
  ['a body that begins and stalls', stalledPiece, 'piece_overdue', BY_DEVICE],
  ['a body that stalls after the line broke', stalledAfterBreak, 'piece_overdue', BY_DEVICE],
  ['a body that goes on and stalls again', stalledAgain, 'piece_overdue', BY_DEVICE],
  ['a call to the edge in pieces', piecesTurnedAround, 'frame_malformed', BY_DEVICE],
  ['a socket that never says hello', slowLoris, 'hello_overdue', BY_DEVICE],
  ['a flood that lets the object sleep in between', sleepyFlood, 'remote_rate_limited', BY_DEVICE],
  ['a flood of what may be lost', ephemeralFlood, 'remote_rate_limited', BY_DEVICE],
  ['a lower version', () => afterHello(hello(PROTOCOL_VERSION - 1)), 'version_incompatible', BY_DEVICE],
  ['a higher version', () => afterHello(hello(PROTOCOL_VERSION + 1)), 'version_incompatible', BY_DEVICE],
]

test.each(ATTACKS)('%s is refused and audited', async (_name, attack, code, facts) => {
  expect(await attack()).toBe(code)
  await expect.poll(audited).toEqual([{ code, ...facts }])
})

async function replay(): Promise<string> {
  const request = await signed('/tunnel', { headers: UPGRADE })
  expect(await knock(request.clone())).toBe('open')
  return knock(request)
}

/** The Worker passes the signer in a header, which a client may send, too. */
async function underAnotherName(): Promise<string> {
  const headers = { ...UPGRADE, [DEVICE_HEADER]: 'phone', [NONCE_HEADER]: 'n'.repeat(24) }
  const peer = await HomePeer.connect(undefined, { headers })
  await peer.next('hello')
  peer.say('{"kind":"admin"}')
  return codeOf(peer)
}

/** An early acknowledgement would delete what home does not have, and enrolment is checked only at the hello. */
async function earlyAck(): Promise<string> {
  await tunnel().enqueue(homeCall('e1'))
  const peer = await HomePeer.connect()
  await peer.next('hello')
  peer.send({ kind: 'ack', seq: 1 })
  const code = await codeOf(peer)
  const next = await HomePeer.greet()
  expect((await next.next('data')).body).toEqual(callBody('e1'))
  return code
}

function piece(over: object, seq = 1): string {
  const body = { type: 'piece', n: 0, of: 2, sum: 'a'.repeat(64), text: 'x', ...over }
  return JSON.stringify({ kind: 'data', seq, body })
}

async function forgedPieces(): Promise<string> {
  const peer = await HomePeer.greet()
  peer.say(piece({}))
  await peer.next('ack')
  peer.say(piece({ n: 1 }, 2))
  return codeOf(peer)
}

async function endlessPieces(): Promise<string> {
  const peer = await HomePeer.greet()
  for (let seq = 1; seq <= MAX_STORED_PIECES; seq += 1) {
    peer.say(piece({}, seq))
    await peer.next('ack')
  }
  peer.say(piece({}, MAX_STORED_PIECES + 1))
  const code = await codeOf(peer)
  const kept = await runInDurableObject(tunnel(), (_, { storage }) =>
    storage.sql.exec<{ n: number }>('select count(*) as n from tunnel_pieces').one(),
  )
  expect(kept.n).toBe(0)
  return code
}

const keptPieces = () =>
  runInDurableObject(
    tunnel(),
    (_, { storage }) => storage.sql.exec<{ n: number }>('select count(*) as n from tunnel_pieces').one().n,
  )

/** Beats, greetings and hibernation in between do not matter: only the next piece does. */
async function stall(peer: HomePeer): Promise<string> {
  later(PIECE_WITHIN - 1)
  await runDurableObjectAlarm(tunnel())
  peer.send({ kind: 'ephemeral', body: { type: 'rtt', ms: 1 } })
  await evictDurableObject(tunnel())
  expect([(await keptPieces()) > 0, await peer.silent()]).toEqual([true, true])
  later(1)
  expect(await runDurableObjectAlarm(tunnel())).toBe(true)
  const code = await codeOf(peer)
  expect(await keptPieces()).toBe(0)
  return code
}

async function stalledPiece(): Promise<string> {
  const peer = await HomePeer.greet()
  peer.say(piece({}))
  await peer.next('ack')
  return stall(peer)
}

async function stalledAfterBreak(): Promise<string> {
  const peer = await HomePeer.greet()
  const [first] = peer.channel.send(answerBody('e1', 'x'.repeat(MAX_FRAME_BYTES)))
  if (first === undefined) throw new Error('nothing to send')
  peer.send(first)
  await peer.next('ack')
  peer.close()
  await peer.closed
  const again = await HomePeer.connect(peer.store)
  const { epoch } = await again.next('hello')
  again.send(again.channel.hello(epoch))
  await again.settled()
  return stall(again)
}

async function stalledAgain(): Promise<string> {
  const peer = await HomePeer.greet()
  for (const n of [0, 1]) {
    peer.say(piece({ n, of: 3 }, n + 1))
    await peer.next('ack')
    if (n === 0) later(PIECE_WITHIN - 1)
  }
  return stall(peer)
}

test('after a broken connection a body’s pieces get the full time again, and the body arrives whole', async () => {
  const peer = await HomePeer.greet()
  const frames = peer.channel.send(answerBody('e1', 'x'.repeat(MAX_FRAME_BYTES)))
  const [first, ...rest] = frames
  if (first === undefined) throw new Error('nothing to send')
  peer.send(first)
  await peer.next('ack')
  peer.close()
  await peer.closed
  later(10 * PIECE_WITHIN)
  await runDurableObjectAlarm(tunnel())
  peer.channel.onAck(first.seq)
  const again = await HomePeer.connect(peer.store)
  const hello = await again.next('hello')
  const missed = again.channel.onHello(hello)
  expect(missed.map(({ seq }) => seq)).toEqual(rest.map(({ seq }) => seq))
  again.send(again.channel.hello(hello.epoch))
  await again.settled()
  later(PIECE_WITHIN - 1)
  await runDurableObjectAlarm(tunnel())
  for (const frame of missed) again.send(frame)
  for (const _frame of missed) await again.next('ack')
  expect([await keptPieces(), await audited()]).toEqual([0, []])
  expect(await runDurableObjectAlarm(tunnel())).toBe(false)
})

async function piecesTurnedAround(): Promise<string> {
  const peer = await HomePeer.greet()
  const call = homeCall('e1', { args: 'x'.repeat(MAX_FRAME_BYTES) })
  const frames = peer.channel.send({ type: 'home_call', call })
  for (const frame of frames) peer.send(frame)
  for (let n = 1; n < frames.length; n += 1) await peer.next('ack')
  return codeOf(peer)
}

/** Pieces without the rest are dropped with an audit line, and the link continues. */
const LOST: readonly (readonly [string, readonly string[]])[] = [
  ['the first is missing', [piece({ n: 1 })]],
  ['one in between is missing', [piece({ of: 3 }), piece({ of: 3, n: 2 }, 2)]],
  ['they disagree about the total', [piece({}), piece({ n: 1, of: 3 }, 2)]],
  ['they disagree about the body', [piece({}), piece({ n: 1, sum: 'b'.repeat(64) }, 2)]],
]

test.each(LOST)(
  'a body’s pieces are dropped and audited when %s, and later bodies are taken',
  async (_name, texts) => {
    const peer = await HomePeer.greet()
    for (const text of texts) {
      peer.say(text)
      await peer.next('ack')
    }
    const next = texts.length + 1
    peer.say(encodeFrame({ kind: 'data', seq: next, body: { type: 'profile', timezone: 'Europe/Paris' } }))
    expect(await peer.next('ack')).toEqual({ kind: 'ack', seq: next })
    await expect.poll(audited).toEqual([{ code: 'frame_gap', ...BY_DEVICE }])
  },
)

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

function ephemeralFlood(): Promise<string> {
  return flood(async () => undefined)
}

function sleepyFlood(): Promise<string> {
  // On a busy machine it is asleep already, and the eviction fails.
  return flood(() => evictDurableObject(tunnel()).catch(() => undefined))
}

async function flood(between: () => Promise<void>): Promise<string> {
  const peer = await HomePeer.greet()
  const beat = { kind: 'ephemeral', body: { type: 'rtt', ms: 1 } } as const
  for (let n = 0; n < MAX_EPHEMERAL; n += 1) peer.send(beat)
  await peer.settled()
  expect(await peer.silent()).toBe(true)
  await between()
  peer.send(beat)
  return codeOf(peer)
}

/** Nobody closed the older connection: the object was asleep, and the newer one was recorded. */
async function lateFrame(): Promise<string> {
  const older = await HomePeer.greet()
  await older.settled()
  await evictDurableObject(tunnel()).catch(() => undefined)
  await runInDurableObject(tunnel(), (_, { storage }) =>
    storage.kv.put('epoch', (storage.kv.get<number>('epoch') ?? 0) + 1),
  )
  older.put({ type: 'profile', timezone: 'Europe/Paris' })
  const code = await codeOf(older)
  expect(await kernel().profile()).toBeNull()
  return code
}

test('of two connections that open at once one stays', async () => {
  const open = async (nonce: string) => {
    const headers = { ...UPGRADE, [DEVICE_HEADER]: DEVICE.id, [NONCE_HEADER]: nonce }
    return knocked(await tunnel().fetch(`${EDGE}/tunnel`, { headers }))
  }
  // The platform signs at once; here the first proof takes until the second connection is open.
  const sign = crypto.subtle.sign.bind(crypto.subtle)
  let isOpen = false
  const proving = vi.spyOn(crypto.subtle, 'sign').mockImplementationOnce(async (...args) => {
    while (!isOpen) await scheduler.wait(1)
    return sign(...args)
  })
  const first = open('a')
  await expect.poll(() => proving.mock.calls.length).toBe(1)
  const second = await open('b')
  isOpen = true
  expect([await first, second]).toEqual(['frame_fenced', 'open'])
  proving.mockRestore()
})

async function oldEpoch(): Promise<string> {
  const older = await HomePeer.greet()
  await HomePeer.greet(older.store)
  return codeOf(older)
}

test('the deadline for hello waits until it is due, and a connection after hello has none', async () => {
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

test('home’s refusal of the edge is audited at the edge, too', async () => {
  const peer = await HomePeer.connect()
  await peer.next('hello')
  peer.send({ kind: 'refused', code: 'edge_not_pinned' })
  await peer.closed
  await expect.poll(audited).toEqual([{ ...BY_DEVICE, code: 'edge_not_pinned', by: 'home' }])
})

const KNOCKED = { of: 'knock', code: 'signature_invalid' }

test('a flood of unsigned requests leaves one line, and one with their number after the hour, across evictions', async () => {
  const unsigned = () => knock(new Request(`${EDGE}/tunnel`, { headers: UPGRADE }))
  for (let n = 0; n < MAX_AUTH_FAILURES + 7; n += 1) expect(await unsigned()).toBe('signature_invalid')
  await abortAllDurableObjects()
  later(MINUTE)
  // It also counts those that the isolate did not report.
  await unsigned()
  expect(await audited()).toEqual([KNOCKED])
  await abortAllDurableObjects()
  later(HOUR)
  expect(await runDurableObjectAlarm(kernel())).toBe(true)
  expect(await audited()).toEqual([KNOCKED, { ...KNOCKED, left_out: MAX_AUTH_FAILURES + 7 }])
  later(HOUR)
  await unsigned()
  expect(await audited()).toHaveLength(3)
})

test('refusals without a key leave two lines an hour and kind, and hide no other kind', async () => {
  const kinds = [
    ['knock', 'signature_invalid'],
    ['channel', 'event_malformed'],
    ['channel', 'event_too_large'],
    ['pairing', 'pairing_refused'],
  ] as const
  for (let n = 0; n < 30; n += 1) for (const [of, code] of kinds) await kernel().denied(of, { code })
  const first = kinds.map(([of, code]) => ({ of, code }))
  expect(await audited()).toEqual(first)
  later(HOUR)
  expect(await runDurableObjectAlarm(kernel())).toBe(true)
  const counted = first.map((facts) => ({ ...facts, left_out: 29 }))
  const lines = await audited()
  expect(lines.slice(0, kinds.length)).toEqual(first)
  expect(lines.slice(kinds.length)).toEqual(expect.arrayContaining(counted))
  expect(lines).toHaveLength(2 * kinds.length)
})

test('an open hourly window does not delay the count of a finished minute', async () => {
  for (let n = 0; n < 2; n += 1) await kernel().denied('knock', { code: 'signature_invalid' })
  for (let n = 0; n < MAX_DENIALS + 5; n += 1) await kernel().denied('link', { code: 'frame_malformed' })
  expect(await audited()).toHaveLength(1 + MAX_DENIALS)
  later(MINUTE)
  expect(await runDurableObjectAlarm(kernel())).toBe(true)
  expect((await audited()).slice(1 + MAX_DENIALS)).toEqual([{ of: 'link', left_out: 5 }])
  later(HOUR)
  expect(await runDurableObjectAlarm(kernel())).toBe(true)
  expect((await audited()).at(-1)).toEqual({ ...KNOCKED, left_out: 1 })
})

test('a minute that an earlier version counted is reported, too', async () => {
  await runInDurableObject(kernel(), (_, { storage }) =>
    storage.kv.put('denials:knock', { since: Date.now() - HOUR, count: MAX_DENIALS + 5 }),
  )
  for (let n = 0; n < 2; n += 1) await kernel().denied('knock', { code: 'signature_invalid' })
  later(HOUR)
  expect(await runDurableObjectAlarm(kernel())).toBe(true)
  expect(await audited()).toContainEqual({ of: 'knock', left_out: 5 })
})
