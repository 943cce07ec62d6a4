/**
 * The vault against vectors of an implementation of its own (vectors.json, DESIGN §6): derived keys, wrapped keys, records,
 * and records that must not open, in the manner of Wycheproof.
 */
import { describe, expect, test } from 'vitest'
import { openBox, sealBox } from '../../kernel/vault/cipher.ts'
import {
  type DataKeyRow,
  keyCheck,
  recoverySeed,
  storeKey,
  unwrapKey,
  wrapKey,
} from '../../kernel/vault/key-ring.ts'
import type { SealAddress } from '../../kernel/vault/sealer.ts'
import { memoryRing, memoryWrappedKeys } from './memory-ring.ts'
import vectors from './vectors.json'

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const hex = (of: Uint8Array): string => [...of].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const master = bytes(vectors.master)
const { draft, derived } = vectors

test('the cipher is the one of the draft', () => {
  const sealed = sealBox(
    bytes(draft.key),
    { nonce: bytes(draft.nonce), bound: bytes(draft.bound) },
    bytes(draft.plain),
  )
  expect(hex(sealed)).toBe(draft.nonce + draft.sealed)
  expect(hex(openBox(bytes(draft.key), bytes(draft.bound), sealed) ?? new Uint8Array())).toBe(draft.plain)
})

describe('derived keys', () => {
  test.each([
    ['store/backup', () => storeKey(master, 'backup')],
    ['store/replica', () => storeKey(master, 'replica')],
    ['check', () => keyCheck(master)],
    ['recovery', () => recoverySeed(master)],
  ] as const)('%s', (purpose, derive) => expect(hex(derive())).toBe(derived[purpose]))

  test('no two purposes share one', () => {
    expect(new Set(Object.values(derived)).size).toBe(Object.keys(derived).length)
  })
})

describe('wrapped keys', () => {
  test.each(vectors.wraps)('$store, $principal, $generation', ({ dataKey, nonce, wrapped, ...rest }) => {
    const address = rest as Pick<DataKeyRow, 'store' | 'principal' | 'generation'>
    const input = { master, random: () => bytes(nonce) }
    expect(hex(wrapKey(input, address, bytes(dataKey)))).toBe(wrapped)
    expect(hex(unwrapKey(master, address, bytes(wrapped)) ?? new Uint8Array())).toBe(dataKey)
    for (const other of vectors.wraps) {
      const elsewhere = other as typeof address
      if (other.wrapped !== wrapped) expect(unwrapKey(master, elsewhere, bytes(wrapped))).toBeNull()
    }
  })

  test('what is inside must be a key', () => {
    const address = { store: 'memory', principal: 'p', generation: 1 } as const
    const short = wrapKey({ master, random: (n) => new Uint8Array(n) }, address, new Uint8Array(31))
    expect(unwrapKey(master, address, short)).toBeNull()
  })
})

describe('records', () => {
  /** The one data key of the vectors, under every address that they name, in generations 1 and 2. */
  const wrappedKeys = memoryWrappedKeys()
  const named = vectors.records.map(({ address }) => address as SealAddress)
  const seen = new Set<string>()
  for (const { store, principal } of named) {
    if (seen.has(`${store} ${principal}`)) continue
    seen.add(`${store} ${principal}`)
    for (const generation of [1, 2]) {
      const address = { store, principal, generation }
      const wrapped = wrapKey({ master, random: (n) => new Uint8Array(n) }, address, bytes(vectors.dataKey))
      wrappedKeys.add({ ...address, wrapped })
    }
  }
  const opened = async (address: SealAddress, sealed: string) => {
    const result = await memoryRing(master, { wrappedKeys }).ring.sealer.open(address, bytes(sealed))
    return result.ok ? hex(result.value) : result.reason.code
  }

  test.each(vectors.records)('$result: $comment', async ({ address, sealed, result, plain, reason }) => {
    expect(await opened(address as SealAddress, sealed)).toBe(result === 'valid' ? plain : reason)
  })

  test('there are more that must not open than that must', () => {
    const invalid = vectors.records.filter(({ result }) => result === 'invalid')
    expect(invalid.length).toBeGreaterThan(vectors.records.length / 2)
  })

  const counting = (length: number): Uint8Array =>
    length === 24 ? Uint8Array.from({ length }, (_, at) => 0x40 + at) : new Uint8Array(length)
  test.each(vectors.records.filter(({ result }) => result === 'valid'))(
    'sealed to the same bytes: $comment',
    async ({ address, generation, plain, sealed }) => {
      const rows = wrappedKeys.rows.filter((row) => row.generation <= generation)
      const { ring } = memoryRing(master, { wrappedKeys: memoryWrappedKeys(rows), random: counting })
      expect(hex(await ring.sealer.seal(address as SealAddress, bytes(plain ?? '')))).toBe(sealed)
    },
  )
})
