/** The cipher of home's records against Wycheproof (XChaCha20-Poly1305): what is valid opens, what is not gives nothing. */
import { expect, test } from 'vitest'
import { openBox, sealBox } from '../../kernel/vault/cipher.ts'
import wycheproof from './wycheproof-xchacha20-poly1305.json'

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const hex = (of: Uint8Array): string => [...of].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const valid = wycheproof.tests.filter(({ result }) => result === 'valid')
const invalid = wycheproof.tests.filter(({ result }) => result === 'invalid')

test('there are rows of both kinds', () => {
  expect(valid.length).toBeGreaterThan(40)
  expect(new Set(invalid.map(({ flags }) => flags))).toEqual(new Set(['ModifiedTag', 'InvalidNonceSize']))
})

test.each(valid)(
  '$id $flags $comment: opens, and is sealed to the same',
  ({ key, iv, aad, msg, ct, tag }) => {
    const plain = openBox(bytes(key), bytes(aad), bytes(iv + ct + tag))
    expect(plain === null ? null : hex(plain)).toBe(msg)
    expect(hex(sealBox(bytes(key), { nonce: bytes(iv), bound: bytes(aad) }, bytes(msg)))).toBe(iv + ct + tag)
  },
)

test.each(invalid)('$id $flags $comment: does not open', ({ key, iv, aad, ct, tag }) => {
  expect(openBox(bytes(key), bytes(aad), bytes(iv + ct + tag))).toBeNull()
})

test.each(invalid.filter(({ flags }) => flags === 'InvalidNonceSize'))(
  '$id: nothing is sealed under a nonce of $iv.length hex digits',
  ({ key, iv, aad, msg }) => {
    expect(() => sealBox(bytes(key), { nonce: bytes(iv), bound: bytes(aad) }, bytes(msg))).toThrow(/nonce/)
  },
)
