/** Pairing by a one-time code, the device list, revocation, and their audit (T-02). */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { CODE_LIFE, MAX_TRIES } from '../../durable-objects/registry/devices.ts'
import { KernelObject } from '../../durable-objects/registry/kernel.ts'
import { codeFrom, codeKey, pairMac } from '../../kernel/tunnel/pairing.ts'
import { MAX_ATTEMPTS } from '../../worker/devices.ts'
import { LIST_LIFE } from '../../worker/enrolled.ts'
import { DEVICE, type TestDevice, testDevice, toBase64Url } from './device.ts'
import { HomePeer } from './home-peer.ts'
import { EDGE, type SignOptions, signed } from './signed.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const CODE = codeFrom(new Uint8Array(12).fill(9))
const WRONG = codeFrom(new Uint8Array(12).fill(8))
const NONCE = 'n'.repeat(24)
const HOST = new URL(EDGE).host

beforeEach(async () => {
  vi.useRealTimers()
  for (const object of [kernel(), env.TUNNEL.getByName(TUNNEL_NAME)])
    await runInDurableObject(object, (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})

// All files of this suite share one clock.
afterAll(() => void vi.useRealTimers())

/** A device whose id is its fingerprint, as at home. */
async function phone(fill: number): Promise<TestDevice> {
  const device = testDevice('', fill)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', device.publicKey)).subarray(0, 16)
  return { ...device, id: hex(digest) }
}

const hex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const keyOf = (code: string): Uint8Array => codeKey(code) ?? new Uint8Array()

interface Answer {
  readonly mac?: string
  readonly error?: { readonly code: string }
}

interface Attempt {
  readonly edgeKey?: string
  readonly host?: string
  readonly side?: 'home' | 'edge'
  readonly deviceKey?: string
  readonly nonce?: string
}

async function pair(device: TestDevice, code: string, over: Attempt = {}): Promise<Answer> {
  const deviceKey = toBase64Url(device.publicKey)
  const { publicKey } = await (await exports.default.fetch(`${EDGE}/pair`)).json<{ publicKey: string }>()
  const claims = { host: HOST, edgeKey: publicKey, deviceKey, nonce: NONCE, side: 'home', ...over } as const
  const mac = hex(pairMac(keyOf(code), claims))
  const body = JSON.stringify({ publicKey: deviceKey, nonce: NONCE, mac })
  const answer = await (await exports.default.fetch(`${EDGE}/pair`, { method: 'POST', body })).json<Answer>()
  if (answer.mac !== undefined) {
    expect(answer.mac).toBe(hex(pairMac(keyOf(code), { ...claims, side: 'edge' })))
  }
  return answer
}

async function ask(path: string, options: SignOptions = {}): Promise<{ status: number; body: unknown }> {
  const response = await exports.default.fetch(await signed(path, options))
  return { status: response.status, body: await response.json() }
}

const openCode = (code = CODE) =>
  ask('/devices/codes', { body: JSON.stringify({ key: toBase64Url(keyOf(code)) }) })
const revoke = (id: string, by = DEVICE) =>
  ask('/devices/revoke', { body: JSON.stringify({ id }), device: by })
const audited = () =>
  runInDurableObject(kernel(), (_, { storage }) =>
    [...storage.sql.exec<{ kind: string; facts: string }>('select kind, facts from audit order by seq')].map(
      ({ kind, facts }) => [kind, JSON.parse(facts).code ?? null],
    ),
  )
/** The isolate's copy of the list outlives a test: each test advances the clock from the last one's time. */
let looked = 0
function lookAgain(): void {
  looked += 2 * LIST_LIFE
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + looked })
}

test('a code opened by an enrolled device enrols one more device, whose signatures then count', async () => {
  const device = await phone(31)
  expect((await openCode()).status).toBe(200)
  expect(await pair(device, CODE.toLowerCase().replaceAll('-', ' '))).toHaveProperty('mac')
  lookAgain()
  expect(await ask('/devices', { device })).toEqual({
    status: 200,
    body: {
      devices: [
        { id: DEVICE.id, asking: false },
        { id: device.id, asking: true },
      ],
    },
  })
  const said = await ask('/line/messages', { device, body: JSON.stringify({ id: 'p1', text: 'hello' }) })
  expect(said.status).toBe(202)
  expect(await audited()).toEqual([
    ['credential_issued', null],
    ['device_enrolled', null],
  ])
})

const REFUSED: readonly (readonly [string, () => Promise<Answer>])[] = [
  ['no code was opened', async () => pair(await phone(31), CODE)],
  ['the code is another', async () => openCode().then(async () => pair(await phone(31), WRONG))],
  [
    'a stranger in between shows another key as the edge’s',
    async () =>
      openCode().then(async () => pair(await phone(31), CODE, { edgeKey: toBase64Url(keyOf(WRONG)) })),
  ],
  [
    'it was typed for another host',
    async () => openCode().then(async () => pair(await phone(31), CODE, { host: 'other.test' })),
  ],
  [
    'the mac is of another device’s key',
    async () =>
      openCode().then(async () => pair(await phone(31), CODE, { deviceKey: toBase64Url(keyOf(WRONG)) })),
  ],
  [
    'the mac is of another attempt',
    async () => openCode().then(async () => pair(await phone(31), CODE, { nonce: 'm'.repeat(24) })),
  ],
  [
    'the mac is the edge’s own, sent back',
    async () => openCode().then(async () => pair(await phone(31), CODE, { side: 'edge' })),
  ],
  [
    'the code is ten minutes old',
    async () => {
      await openCode()
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + CODE_LIFE + 1_000 })
      return pair(await phone(31), CODE)
    },
  ],
  [
    'another device has used it',
    async () => {
      await openCode()
      await pair(await phone(32), CODE)
      return pair(await phone(31), CODE)
    },
  ],
  [
    'it was tried five times',
    async () => {
      await openCode()
      for (let n = 0; n < MAX_TRIES; n += 1) await pair(await phone(31), WRONG)
      return pair(await phone(31), CODE)
    },
  ],
]

test.each(REFUSED)('pairing is refused and audited when %s', async (_name, attempt) => {
  expect((await attempt()).error?.code).toBe('pairing_refused')
  expect(await audited()).toContainEqual(['denial', 'pairing_refused'])
  const { id } = await phone(31)
  expect((await kernel().devices()).map((device) => device.id)).not.toContain(id)
})

test('a device whose answer was lost may retry with its code', async () => {
  await openCode()
  expect(await pair(await phone(31), CODE)).toHaveProperty('mac')
  expect(await pair(await phone(31), CODE)).toHaveProperty('mac')
})

test('a revoked device cannot enrol again with its former code', async () => {
  const device = await phone(31)
  await openCode()
  await pair(device, CODE)
  await revoke(device.id)
  expect((await pair(device, CODE)).error?.code).toBe('pairing_refused')
})

test('revoking a device closes its tunnel at once, and its signatures stop counting', async () => {
  const device = await phone(31)
  await openCode()
  await pair(device, CODE)
  lookAgain()
  const peer = await HomePeer.connect(undefined, { device })
  await peer.next('hello')
  expect(await revoke(device.id)).toEqual({ status: 200, body: { revoked: device.id } })
  expect(await peer.next('refused')).toEqual({ kind: 'refused', code: 'device_revoked' })
  expect(await peer.closed).toEqual({ code: 4_002 })
  expect((await ask('/line/waiting', { device })).body).toMatchObject({ error: { code: 'device_revoked' } })
  expect(await audited()).toContainEqual(['device_revoked', null])
  // A repeated revocation succeeds, in case the tunnel could not be reached; an unknown device is not found.
  expect(await revoke(device.id)).toMatchObject({ status: 200 })
  expect(await revoke('nobody')).toMatchObject({ status: 404 })
})

test('revoking a device closes no other device’s tunnel', async () => {
  const device = await phone(31)
  await openCode()
  await pair(device, CODE)
  const peer = await HomePeer.greet()
  expect((await revoke(device.id)).status).toBe(200)
  const seq = peer.put({ type: 'profile', timezone: 'Europe/Paris' })
  expect(await peer.next('ack')).toEqual({ kind: 'ack', seq })
})

test('a device revoked while its connection opens is refused at its hello', async () => {
  const device = await phone(31)
  await openCode()
  await pair(device, CODE)
  lookAgain()
  const peer = await HomePeer.connect(undefined, { device })
  const { epoch } = await peer.next('hello')
  await runInDurableObject(kernel(), (_, { storage }) => storage.kv.put(`revoked:${device.id}`, 1))
  peer.send(peer.channel.hello(epoch))
  expect(await peer.next('refused')).toEqual({ kind: 'refused', code: 'device_revoked' })
  expect(await peer.closed).toEqual({ code: 4_002 })
})

test('a configured device can be revoked, too', async () => {
  await openCode()
  const device = await phone(31)
  await pair(device, CODE)
  lookAgain()
  expect((await revoke(DEVICE.id, device)).status).toBe(200)
  expect((await kernel().devices()).map(({ id }) => id)).toEqual([device.id])
})

/** Revoked in storage only, so that no isolate's copy of the list knows. */
const strike = (id: string) =>
  runInDurableObject(kernel(), (_, { storage }) => storage.kv.put(`revoked:${id}`, 1))
const speak = async (device: TestDevice) =>
  (await ask('/line/messages', { device, body: JSON.stringify({ id: crypto.randomUUID(), text: 'hello' }) }))
    .status

test.each<[string, (device: TestDevice) => Promise<unknown>]>([
  ['half a minute later', async () => lookAgain()],
  ['when the clock was set back', async () => vi.setSystemTime(Date.now() - 3_600_000)],
  ['at once where another request of it was refused', (device) => ask('/devices', { device })],
])('a revoked device sends no message: %s', async (_name, later) => {
  const device = await phone(31)
  await openCode()
  await pair(device, CODE)
  lookAgain()
  expect(await speak(device)).toBe(202)
  await strike(device.id)
  expect(await speak(device)).toBe(202)
  await later(device)
  expect(await speak(device)).toBe(401)
})

test('unknown devices wake the object at a limited rate, not each time', async () => {
  lookAgain()
  const asked = vi.spyOn(KernelObject.prototype, 'devices')
  for (let n = 0; n < 10; n += 1)
    expect((await ask('/devices', { device: await phone(41) })).status).toBe(401)
  expect(asked.mock.calls.length).toBe(1)
  vi.setSystemTime(Date.now() + 5_000)
  await ask('/devices', { device: await phone(41) })
  expect(asked.mock.calls.length).toBe(2)
  asked.mockRestore()
})

test('a replayed request to the device routes is refused', async () => {
  const request = await signed('/devices/revoke', { body: JSON.stringify({ id: 'nobody' }) })
  const again = request.clone()
  expect((await exports.default.fetch(request)).status).toBe(404)
  const answer = await (await exports.default.fetch(again)).json()
  expect(answer).toMatchObject({ error: { code: 'event_stale' } })
})

test('guessing codes wakes the object at a limited rate', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const codes = new Set<string | undefined>()
  for (let n = 0; n <= MAX_ATTEMPTS; n += 1) codes.add((await pair(await phone(31), WRONG)).error?.code)
  expect([...codes]).toEqual(['pairing_refused', 'remote_rate_limited'])
})
