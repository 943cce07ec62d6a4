/** The edge's ciphers: a row opens only at its place, with its label and version (B-13, DESIGN §6). */
import { expect, test } from 'vitest'
import { createEdgeSealer, type WrappedKeyStore } from '../../durable-objects/principal/edge-sealer.ts'
import { sealOutbox } from '../../durable-objects/sealed-outbox.ts'
import type { SealAddress } from '../../kernel/vault/sealer.ts'
import { callBody, MemoryChannelStore, outRow } from '../tunnel/fixtures.ts'

const KEY = new Uint8Array(32).fill(1)
const OTHER_KEY = new Uint8Array(32).fill(2)
const PLAIN = new TextEncoder().encode('gooseberries')
const ADDRESS: SealAddress = {
  store: 'sessions',
  principal: 'p1',
  record: 'r1',
  label: 'internal',
  version: 1,
}

function wrappedKeys(): WrappedKeyStore & { wrapped: Uint8Array | null } {
  return {
    wrapped: null,
    load() {
      return this.wrapped
    },
    save(wrapped) {
      this.wrapped = wrapped
    },
  }
}

const sealerOf = (keys: WrappedKeyStore, object = 'o1', wrappingKey = KEY) =>
  createEdgeSealer({ wrappingKey, object, wrappedKeys: keys, locked: () => false })

test('a row opens again, also in a later instance', async () => {
  const keys = wrappedKeys()
  const sealed = await sealerOf(keys).seal(ADDRESS, PLAIN)
  expect(new TextDecoder('latin1').decode(sealed)).not.toContain('gooseberries')
  expect(await sealerOf(keys).open(ADDRESS, sealed)).toEqual({ ok: true, value: PLAIN })
})

const MOVED: readonly (readonly [string, Partial<SealAddress>])[] = [
  ['store', { store: 'memory' }],
  ['principal', { principal: 'p2' }],
  ['record', { record: 'r2' }],
  ['label', { label: 'public' }],
  ['version', { version: 2 }],
]

test.each(MOVED)('a row under another %s does not open', async (_name, over) => {
  const sealer = sealerOf(wrappedKeys())
  const opened = await sealer.open({ ...ADDRESS, ...over }, await sealer.seal(ADDRESS, PLAIN))
  expect(opened).toMatchObject({ ok: false, reason: { code: 'record_unreadable' } })
})

test('an altered, a cut and an empty row do not open', async () => {
  const sealer = sealerOf(wrappedKeys())
  const sealed = await sealer.seal(ADDRESS, PLAIN)
  const altered = sealed.map((byte, at) => (at === sealed.length - 1 ? byte ^ 1 : byte))
  for (const bytes of [altered, sealed.subarray(0, 20), new Uint8Array()])
    expect(await sealer.open(ADDRESS, bytes)).toMatchObject({ reason: { code: 'record_unreadable' } })
})

test('two objects have two keys, and a wrapped key opens only in its own object and under its own secret', async () => {
  const [first, second] = [wrappedKeys(), wrappedKeys()]
  const sealed = await sealerOf(first).seal(ADDRESS, PLAIN)
  await sealerOf(second, 'o2').seal(ADDRESS, PLAIN)
  for (const thief of [sealerOf(second, 'o2'), sealerOf(first, 'o2'), sealerOf(first, 'o1', OTHER_KEY)])
    expect(await thief.open(ADDRESS, sealed)).toMatchObject({ reason: { code: 'record_unreadable' } })
})

test('a key that does not unwrap is never replaced by a new one', async () => {
  const keys = wrappedKeys()
  await sealerOf(keys).seal(ADDRESS, PLAIN)
  const before = keys.wrapped
  await expect((async () => sealerOf(keys, 'o1', OTHER_KEY).seal(ADDRESS, PLAIN))()).rejects.toThrow()
  expect(keys.wrapped).toBe(before)
})

test('two concurrent first rows share one key', async () => {
  const sealer = sealerOf(wrappedKeys())
  const [a, b] = await Promise.all([sealer.seal(ADDRESS, PLAIN), sealer.seal(ADDRESS, PLAIN)])
  for (const sealed of [a, b]) expect((await sealer.open(ADDRESS, sealed)).ok).toBe(true)
})

test('the outbox returns what was put in, and nothing that was moved to another number', () => {
  const store = new MemoryChannelStore()
  const sealed = sealOutbox(store, KEY)
  sealed.putOut([outRow(1, callBody('e1'))])
  expect(sealed.out(0)).toEqual([{ seq: 1, body: callBody('e1') }])
  expect(JSON.stringify(store.out(0))).not.toContain('2026-11-02')
  const [row] = store.out(0)
  store.putOut([outRow(2, row?.body ?? callBody('e1'))])
  expect(() => sealed.out(1)).toThrow()
})

test('the index of words says the same in a later instance, and nothing under another key, label or principal', async () => {
  const keys = wrappedKeys()
  const scope = { principal: 'p1', guard: '[]' }
  const words = await sealerOf(keys).blind(scope, ['tea', 'cup'])
  expect(await sealerOf(keys).blind(scope, ['tea', 'cup'])).toEqual(words)
  const others = await Promise.all([
    sealerOf(wrappedKeys()).blind(scope, ['tea']),
    sealerOf(keys).blind({ ...scope, guard: '[1]' }, ['tea']),
    sealerOf(keys).blind({ ...scope, principal: 'p2' }, ['tea']),
  ])
  expect(new Set([...words, ...others.flat()]).size).toBe(5)
  expect(words.every((hash) => Number.isSafeInteger(hash) && hash < 2 ** 48)).toBe(true)
})
