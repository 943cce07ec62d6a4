/**
 * Copies of home in a real D1: who may write and read them, that an incomplete one never counts, and what is deleted when (DESIGN
 * §6, T-12, E-16).
 */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { KernelObject } from '../../durable-objects/registry/kernel.ts'
import { MAX_CHUNKS, MAX_GENERATIONS, MAX_SEALED_BYTES, RECOVERY_ID } from '../../kernel/tunnel/copies.ts'
import { createCopyArchive, openCopyDatabase } from '../../worker/copies/copy-archive.ts'
import { MAX_FAILURES } from '../../worker/copies/recovery.ts'
import { LIST_LIFE } from '../../worker/enrolled.ts'
import { DEVICE, type TestDevice, testDevice, toBase64Url } from './device.ts'
import { HomePeer } from './home-peer.ts'
import { type SignOptions, signed } from './signed.ts'

const kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const RECOVERY = testDevice(RECOVERY_ID, 40)
const OTHER_WORDS = testDevice(RECOVERY_ID, 41)
const LAPTOP = testDevice('second', 42)
const NEW_HOME = testDevice('', 43)

let moved = 0
async function clear(): Promise<void> {
  await openCopyDatabase(env.COPIES)
  await env.COPIES.batch([
    env.COPIES.prepare('delete from copy_generations'),
    env.COPIES.prepare('delete from copy_chunks'),
  ])
  await runInDurableObject(kernel(), (_, { storage }) => storage.deleteAll())
  await runInDurableObject(kernel(), (_, { storage }) =>
    storage.kv.put(`device:${LAPTOP.id}`, LAPTOP.publicKey),
  )
  await abortAllDurableObjects()
  // The isolate's device list and failure count outlive a test.
  moved += 2 * LIST_LIFE + 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + moved })
}
beforeEach(async () => {
  vi.useRealTimers()
  await clear()
})
afterAll(async () => {
  vi.useRealTimers()
  await runInDurableObject(kernel(), (_, { storage }) => storage.deleteAll())
  await abortAllDurableObjects()
})

interface Answer {
  readonly status: number
  readonly body: { readonly error?: { readonly code: string }; readonly [key: string]: unknown }
}

async function ask(path: string, options: SignOptions = {}): Promise<Answer> {
  const response = await exports.default.fetch(await signed(path, options))
  return { status: response.status, body: await response.json() }
}

const nameOf = (n: number): string => n.toString(16).padStart(32, '0')
const pieceOf = (n: number) => new Uint8Array(64).fill(n)
const announce = (numbers: readonly number[], device = DEVICE) =>
  ask('/copies/announcements', { device, body: JSON.stringify({ chunks: numbers.map(nameOf) }) })
const put = (n: number, device = DEVICE) =>
  ask(`/copies/chunks/${nameOf(n)}`, { method: 'PUT', device, body: pieceOf(n) })
const commit = (number: number, numbers: readonly number[], { device = DEVICE, key = RECOVERY } = {}) =>
  ask('/copies/generations', {
    device,
    body: JSON.stringify({
      ...{ number, at: 1_000 + number, chunks: numbers.map(nameOf) },
      ...{ manifest: 'sealed', recoveryKey: toBase64Url(key.publicKey) },
    }),
  })

async function copy(
  number: number,
  numbers: readonly number[],
  device: TestDevice = DEVICE,
): Promise<Answer> {
  const { body } = await announce(numbers, device)
  for (const name of body['missing'] as string[]) await put(Number.parseInt(name, 16), device)
  return commit(number, numbers, { device })
}

const state = async () => (await ask('/copies')).body
const kept = async () => {
  const { results } = await env.COPIES.prepare('select name from copy_chunks order by name').all<{
    name: string
  }>()
  return results.map(({ name }) => Number.parseInt(name, 16))
}
const codeOf = async (asked: Promise<Answer>) => (await asked).body.error?.code ?? 'done'
const audited = () =>
  runInDurableObject(kernel(), (_, { storage }) =>
    [...storage.sql.exec<{ kind: string; facts: string }>('select kind, facts from audit order by seq')].map(
      ({ kind, facts }) => [kind, JSON.parse(facts)],
    ),
  )

describe('a generation of copies', () => {
  test('a generation counts when all its chunks are stored, and stored chunks are not requested again', async () => {
    expect(await copy(1, [1, 2, 1])).toMatchObject({ status: 200 })
    expect(await state()).toEqual({
      generations: [{ number: 1, at: 1_001, chunks: 3 }],
      recoveryKey: toBase64Url(RECOVERY.publicKey),
    })
    expect((await announce([1, 2, 3])).body).toEqual({ missing: [nameOf(3)] })
  })

  test('an incomplete generation does not count, and the complete one before it stays', async () => {
    await copy(1, [1, 2])
    await announce([2, 3, 4])
    await put(3)
    expect(await commit(2, [2, 3, 4])).toMatchObject({
      status: 409,
      body: { error: { code: 'copy_incomplete' } },
    })
    expect(await commit(2, [2, 3, 99])).toMatchObject({ body: { error: { code: 'copy_incomplete' } } })
    expect(await state()).toMatchObject({ generations: [{ number: 1 }] })
    expect(await kept()).toEqual([1, 2, 3, 4])
    await put(4)
    expect(await commit(2, [2, 3, 4])).toMatchObject({ status: 200 })
  })

  test.each([[1], [2]])(
    'a generation with a number not above the newest (%i) changes nothing',
    async (number) => {
      await copy(1, [1])
      await copy(2, [2])
      await announce([3])
      await put(3)
      expect(await codeOf(commit(number, [3]))).toBe('record_stale')
      expect(await state()).toMatchObject({ generations: [{ number: 2 }, { number: 1 }] })
    },
  )

  test(`generations beyond ${MAX_GENERATIONS} are deleted, with the chunks that only they named`, async () => {
    for (const number of [1, 2, 3, 4]) await copy(number, [100, number])
    expect(await state()).toMatchObject({ generations: [{ number: 4 }, { number: 3 }, { number: 2 }] })
    expect(await kept()).toEqual([2, 3, 4, 100])
  })

  test('a stored chunk cannot be replaced', async () => {
    await copy(1, [1])
    expect(await ask(`/copies/chunks/${nameOf(1)}`, { method: 'PUT', body: pieceOf(9) })).toMatchObject({
      status: 200,
    })
    const found = await createCopyArchive(env.COPIES).chunk(nameOf(1))
    expect(found).toEqual({ ok: true, value: pieceOf(1) })
  })

  test('room for a new generation is made by deleting older ones, never the newest', {
    timeout: 60_000,
  }, async () => {
    const archive = createCopyArchive(env.COPIES)
    const full = Array.from({ length: MAX_CHUNKS }, (_, n) => nameOf(n + 1))
    await copy(1, [90_001])
    await copy(2, [90_002])
    await archive.announce(full)
    // An abandoned upload: another full set, which fits only without it.
    const next = full.map((_, n) => nameOf(n + 1 + MAX_CHUNKS))
    expect(await archive.announce(next)).toEqual({ ok: true, value: next })
    expect(await state()).toMatchObject({ generations: [{ number: 2 }] })
    const more = full.map((_, n) => nameOf(n + 1 + 2 * MAX_CHUNKS)).slice(0, 10)
    expect(await archive.announce([...next, ...more])).toMatchObject({ ok: true })
    expect(
      await archive.announce(Array.from({ length: 2 * MAX_CHUNKS }, (_, n) => nameOf(50_000 + n))),
    ).toMatchObject({
      ok: false,
      reason: { code: 'storage_full' },
    })
    expect(await state()).toMatchObject({ generations: [{ number: 2 }] })
  })

  test.each<[string, () => Promise<Answer>, string]>([
    ['a chunk that was not announced', () => put(7), 'nothing_found'],
    [
      'a name that is none',
      () => ask('/copies/chunks/..%2f', { method: 'PUT', body: pieceOf(1) }),
      'event_malformed',
    ],
    [
      'a chunk that is too large',
      () => ask(`/copies/chunks/${nameOf(1)}`, { method: 'PUT', body: new Uint8Array(MAX_SEALED_BYTES + 1) }),
      'event_malformed',
    ],
    [
      'too many chunks',
      () => announce(Array.from({ length: MAX_CHUNKS + 1 }, (_, n) => n)),
      'event_malformed',
    ],
    ['a generation without a number', () => commit(0, []), 'event_malformed'],
  ])('an upload is refused: %s', async (_name, asking, code) => {
    expect(await codeOf(asking())).toBe(code)
  })
})

describe('who may write and read copies', () => {
  test('only the device that wrote first may write, until it is revoked', async () => {
    await copy(1, [1])
    for (const asking of [
      () => announce([2], LAPTOP),
      () => put(1, LAPTOP),
      () => commit(2, [1], { device: LAPTOP, key: OTHER_WORDS }),
    ])
      expect(await codeOf(asking())).toBe('principal_not_allowed')
    expect(await state()).toMatchObject({ recoveryKey: toBase64Url(RECOVERY.publicKey) })
    expect(await audited()).toContainEqual([
      'denial',
      { of: 'copies', code: 'principal_not_allowed', device: LAPTOP.id },
    ])
    await ask('/devices/revoke', { device: LAPTOP, body: JSON.stringify({ id: DEVICE.id }) })
    expect(await copy(2, [1, 2], LAPTOP)).toMatchObject({ status: 200 })
  })

  test.each<[string, string, TestDevice, string]>([
    ['an enrolled device', '/recovery', DEVICE, 'signature_invalid'],
    ['other words', '/recovery', OTHER_WORDS, 'signature_invalid'],
    ['other words, a chunk', `/recovery/chunks/${nameOf(1)}`, OTHER_WORDS, 'signature_invalid'],
    ['the words, as a device', '/devices', RECOVERY, 'signature_invalid'],
    ['the words, as the owner', '/line/deliveries?wait=0', RECOVERY, 'signature_invalid'],
    ['the words, to write', '/copies', RECOVERY, 'signature_invalid'],
    ['the words', '/recovery', RECOVERY, 'done'],
  ])('only the recovery key may read: %s at %s', async (_name, path, device, code) => {
    await copy(1, [1])
    expect(await codeOf(ask(path, { device }))).toBe(code)
  })

  test('nothing can be read before there is a copy, whatever the key', async () => {
    expect(await codeOf(ask('/recovery', { device: RECOVERY }))).toBe('signature_invalid')
  })

  test('a signature of the recovery key counts once', async () => {
    await copy(1, [1])
    const nonce = 'n'.repeat(24)
    expect(await codeOf(ask('/recovery', { device: RECOVERY, nonce }))).toBe('done')
    expect(await codeOf(ask('/recovery', { device: RECOVERY, nonce }))).toBe('event_stale')
  })

  test('a flood of bad signatures wakes the object at a limited rate, and does not lock out the recovery key', async () => {
    await copy(1, [1])
    const asked = vi.spyOn(KernelObject.prototype, 'recoveryKey')
    for (let n = 0; n < 3 * MAX_FAILURES; n += 1)
      expect(await codeOf(ask('/recovery', { device: OTHER_WORDS }))).toBe('signature_invalid')
    expect(asked.mock.calls.length).toBe(MAX_FAILURES)
    expect(await codeOf(ask('/recovery/generations/1', { device: RECOVERY }))).toBe('done')
    expect(asked.mock.calls.length).toBe(MAX_FAILURES)
    vi.setSystemTime(Date.now() + 60_000)
    expect(await codeOf(ask('/recovery/generations/1', { device: RECOVERY }))).toBe('done')
    expect(asked.mock.calls.length).toBe(MAX_FAILURES + 1)
    asked.mockRestore()
  })
})

describe('a new home from the recovery phrase', () => {
  const enrol = (device: TestDevice, publicKey = NEW_HOME.publicKey) =>
    ask('/recovery/homes', { device, body: JSON.stringify({ publicKey: toBase64Url(publicKey) }) })
  const fingerprint = async () => {
    const digest = await crypto.subtle.digest('SHA-256', NEW_HOME.publicKey)
    return [...new Uint8Array(digest).subarray(0, 16)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
  }

  test('a new home reads a whole generation and replaces the lost one, which is then refused', async () => {
    await copy(1, [1, 2])
    const { body } = await ask('/recovery/generations/1', { device: RECOVERY })
    expect(body).toEqual({ number: 1, at: 1_001, chunks: [1, 2].map(nameOf), manifest: 'sealed' })
    const chunk = await exports.default.fetch(
      await signed(`/recovery/chunks/${nameOf(2)}`, { device: RECOVERY }),
    )
    expect(new Uint8Array(await chunk.arrayBuffer())).toEqual(pieceOf(2))

    const id = await fingerprint()
    expect((await enrol(RECOVERY)).body).toEqual({ device: id, revoked: DEVICE.id, newest: 1 })
    const home = { ...NEW_HOME, id }
    expect(await codeOf(ask('/devices'))).toBe('device_revoked')
    expect(await codeOf(announce([1]))).toMatch(/device_revoked|signature_invalid/)
    vi.setSystemTime(Date.now() + 2 * LIST_LIFE)
    expect(await copy(2, [2, 3], home)).toMatchObject({ status: 200 })
    // The owner's second device is not affected.
    expect(await codeOf(ask('/devices', { device: LAPTOP }))).toBe('done')
    expect(await audited()).toEqual([
      ['credential_issued', { of: 'recovery', device: DEVICE.id }],
      ['egress', { of: 'copies', to: 'recovery' }],
      ['device_revoked', { device: DEVICE.id, by: 'recovery' }],
      ['device_enrolled', { device: id, by: 'recovery' }],
      expect.arrayContaining(['denial']),
    ])
  })

  test('replacing a home closes the tunnel of the former one', async () => {
    await copy(1, [1])
    const peer = await HomePeer.connect()
    await peer.next('hello')
    expect(await enrol(RECOVERY)).toMatchObject({ status: 200 })
    expect(await peer.next('refused')).toEqual({ kind: 'refused', code: 'device_revoked' })
    expect(await peer.closed).toEqual({ code: 4_002 })
  })

  test('a repeated replacement succeeds once, since its answer may have been lost', async () => {
    await copy(1, [1])
    await enrol(RECOVERY)
    expect((await enrol(RECOVERY)).body).toEqual({ device: await fingerprint(), revoked: null, newest: 1 })
  })

  test.each<[string, () => Promise<Answer>, string]>([
    ['with other words', () => enrol(OTHER_WORDS), 'signature_invalid'],
    ['by a device', () => enrol(DEVICE), 'signature_invalid'],
    ['with half a key', () => enrol(RECOVERY, NEW_HOME.publicKey.subarray(0, 16)), 'event_malformed'],
  ])('a replacement is refused: %s', async (_name, asking, code) => {
    await copy(1, [1])
    expect(await codeOf(asking())).toBe(code)
    expect(await codeOf(ask('/devices'))).toBe('done')
  })
})

test('a failing database is reported by a code only', async () => {
  const broken = {
    prepare: () => {
      throw new Error('secret row')
    },
    batch: () => {
      throw new Error('secret row')
    },
  }
  const archive = createCopyArchive(broken as unknown as D1Database)
  expect(await archive.list()).toEqual({
    ok: false,
    reason: { code: 'storage_failed', facts: { store: 'copies' } },
  })
})
