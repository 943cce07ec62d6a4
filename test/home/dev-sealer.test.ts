/** The sealer of home: fixed vectors, and that no changed bit and no other address opens a record (DESIGN §6). */
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, test } from 'vitest'
import type { SealAddress } from '../../kernel/vault/sealer.ts'
import { createDevSealer } from '../../sidecar/dev-sealer.ts'

const master = Uint8Array.from({ length: 32 }, (_, index) => index)
const counting = (length: number) => Uint8Array.from({ length }, (_, index) => 0x40 + index)
const sealer = createDevSealer({ master, random: counting })
const address: SealAddress = {
  store: 'sessions',
  principal: 'principal:owner',
  record: 'r1',
  label: 'sensitive',
  version: 1,
}
const text = (value: string) => new TextEncoder().encode(value)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function opened(where: SealAddress, bytes: Uint8Array, by = sealer): Promise<string> {
  const result = await by.open(where, bytes)
  return result.ok ? Buffer.from(result.value).toString() : result.reason.code
}

describe('vectors', () => {
  /** Built from the primitives alone, so that a change of layout, key derivation or additional data shows. */
  const expected = (where: SealAddress, plain: Uint8Array): string => {
    const purpose = `pfar/1/seal/["${where.store}","${where.principal}"]`
    const key = hkdf(sha256, master, undefined, text(purpose), 32)
    const { store, principal, record, label, version } = where
    const additional = text(JSON.stringify([1, store, principal, record, label, version]))
    const nonce = counting(24)
    return `01${hex(nonce)}${hex(xchacha20poly1305(key, nonce, additional).encrypt(plain))}`
  }

  test.each([
    ['empty', address, ''],
    ['words', address, 'dinner with Sarah'],
    ['another store', { ...address, store: 'memory' } as const, 'x'],
    ['another principal', { ...address, principal: 'principal:telegram:peer:7' }, 'x'],
    ['a megabyte', address, 'é'.repeat(524_288)],
  ])('%s', async (_name, where, plain) => {
    const sealed = await sealer.seal(where, text(plain))
    expect(hex(sealed)).toBe(expected(where, text(plain)))
    expect(await opened(where, sealed)).toBe(plain)
  })

  test('a known answer, fixed for ever', async () => {
    const known = '01404142434445464748494a4b4c4d4e4f50515253545556577ab4d7e277ef381889f79c47a8e9d7f6c0e1'
    expect(hex(await sealer.seal(address, text('ok')))).toBe(known)
  })
})

describe('does not open', () => {
  test('with any single bit changed', async () => {
    const sealed = await sealer.seal(address, text('dinner'))
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = sealed.slice()
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(await opened(address, changed), `bit ${bit}`).toBe('record_unreadable')
    }
  })

  test('cut at any length', async () => {
    const sealed = await sealer.seal(address, text('dinner'))
    for (let length = 0; length < sealed.length; length += 1)
      expect(await opened(address, sealed.slice(0, length)), `${length}`).toBe('record_unreadable')
  })

  test.each([
    ['in another store', { store: 'memory' }],
    ['for another principal', { principal: 'principal:owner2' }],
    ['under another id', { record: 'r2' }],
    ['with a lower label', { label: 'internal' }],
    ['as another version', { version: 2 }],
    ['with parts moved between fields', { record: 'r1","sensitive', label: '' }],
  ] as const)('%s', async (_name, change) => {
    const sealed = await sealer.seal(address, text('dinner'))
    expect(await opened({ ...address, ...change }, sealed)).toBe('record_unreadable')
  })

  test('under another master key', async () => {
    const sealed = await sealer.seal(address, text('dinner'))
    const other = createDevSealer({ master: counting(32), random: counting })
    expect(await opened(address, sealed, other)).toBe('record_unreadable')
  })
})

test('a real nonce never repeats', async () => {
  const real = createDevSealer({ master, random: (n) => crypto.getRandomValues(new Uint8Array(n)) })
  const nonces = await Promise.all(Array.from({ length: 200 }, () => real.seal(address, text('x'))))
  expect(new Set(nonces.map((sealed) => hex(sealed.slice(1, 25)))).size).toBe(200)
})
