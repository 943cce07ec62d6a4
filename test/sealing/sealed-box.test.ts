/**
 * The sealed box for home (DESIGN §1, §6): against a second implementation in both directions, with every bit of the
 * box and its binding flipped, and with Wycheproof's X25519 vectors. Runs on Node and in workerd.
 */
import { describe, expect, test } from 'vitest'
import { type BoxAddress, closeBox, openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { agree, keyFrom } from '../../integrations/sealing/x25519.ts'
import vectors from './boxes.json'
import { openBySecond } from './second-implementation.ts'
import wycheproof from './wycheproof-x25519.json'

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const hex = (of: Uint8Array): string => [...of].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const text = (input: string): Uint8Array => new TextEncoder().encode(input)
const [first = { secret: '', public: '', purpose: '', bound: '', plain: '', box: '', name: '' }] =
  vectors.boxes
const ADDRESS: BoxAddress = { purpose: first.purpose, bound: text(first.bound) }

/** The plaintext, or the refusal. */
async function opened(box: Uint8Array, address = ADDRESS, secret = bytes(first.secret)): Promise<string> {
  const plain = await openClosedBox(secret, address, box)
  if (plain.ok) return new TextDecoder().decode(plain.value)
  return `${plain.reason.code} ${plain.reason.facts['why']}`
}

const flipped = (input: Uint8Array, bit: number): Uint8Array =>
  input.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))

describe('against other implementations', () => {
  test.each(vectors.boxes)(
    'opens the other implementation’s box: $name',
    async ({ secret, purpose, bound, plain, box }) => {
      expect(await opened(bytes(box), { purpose, bound: text(bound) }, bytes(secret))).toBe(plain)
    },
  )

  test.each(vectors.boxes)(
    'the other implementation opens its box: $name',
    async ({ secret, public: key, purpose, bound, plain }) => {
      const address = { purpose, bound: text(bound) }
      const box = await closeBox(bytes(key), address, text(plain))
      if (!box.ok) throw new Error(box.reason.code)
      expect(new TextDecoder().decode(openBySecond(bytes(secret), address, box.value))).toBe(plain)
      expect(await opened(box.value, address, bytes(secret))).toBe(plain)
    },
  )

  test('a private key yields the expected public key', async () => {
    for (const { secret, public: key } of vectors.boxes)
      expect(hex((await keyFrom(bytes(secret))).publicKey)).toBe(key)
  })
})

describe('a sealed box', () => {
  const box = bytes(first.box)

  test('is refused with any of its bits changed', async () => {
    const reasons = new Set<string>()
    // The highest bit of a key is ignored (RFC 7748 §5), but it is part of what the key was derived from.
    for (let bit = 0; bit < box.length * 8; bit++) reasons.add(await opened(flipped(box, bit)))
    expect([...reasons]).toEqual(['record_unreadable seal'])
  })

  test('is refused with any bit of its binding changed', async () => {
    const { bound } = ADDRESS
    for (let bit = 0; bit < bound.length * 8; bit++)
      expect(await opened(box, { ...ADDRESS, bound: flipped(bound, bit) })).toBe('record_unreadable seal')
  })

  test.each([
    ['another purpose', () => opened(box, { ...ADDRESS, purpose: 'pfar/secret/2' }), 'seal'],
    ['another key', () => opened(box, ADDRESS, bytes(vectors.boxes[1]?.secret ?? '')), 'seal'],
    ['nothing', () => opened(new Uint8Array(0)), 'layout'],
    ['a byte less than a key and a tag', () => opened(box.slice(0, 47)), 'layout'],
    ['a byte less', () => opened(box.slice(0, -1)), 'seal'],
    ['a byte more', () => opened(Uint8Array.from([...box, 0])), 'seal'],
    ['a key of zeros', () => opened(Uint8Array.from(box, (byte, at) => (at < 32 ? 0 : byte))), 'point'],
  ] as const)('is refused with %s', async (_, open, why) =>
    expect(await open()).toBe(`record_unreadable ${why}`),
  )

  test('has nothing in common with another one of the same text', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => closeBox(bytes(first.public), ADDRESS, text('same'))),
    )
    if (one?.ok !== true || other?.ok !== true) throw new Error('not closed')
    expect(hex(one.value).slice(0, 64)).not.toBe(hex(other.value).slice(0, 64))
    expect(hex(one.value).slice(64)).not.toBe(hex(other.value).slice(64))
  })
})

describe('Wycheproof, X25519', () => {
  const isZero = ({ flags }: { readonly flags: string }): boolean => flags.includes('ZeroSharedSecret')
  const nobodys = wycheproof.tests.filter(isZero)

  test('the vectors contain both low-order and ordinary points', () => {
    expect([nobodys.length > 20, wycheproof.tests.length - nobodys.length > 50]).toEqual([true, true])
  })

  test.each(wycheproof.tests)('vector $id $flags', async (row) => {
    const { privateKey } = await keyFrom(bytes(row.private))
    const shared = await agree(privateKey, bytes(row.public))
    expect(shared.ok ? hex(shared.value) : shared.reason).toEqual(
      isZero(row) ? { code: 'key_wrong', facts: { why: 'point' } } : row.shared,
    )
  })

  test.each(nobodys)('vector $id: sealing to it and opening with it are refused', async (row) => {
    const point = bytes(row.public)
    expect(await closeBox(point, ADDRESS, text('x'))).toMatchObject({
      ok: false,
      reason: { code: 'key_wrong' },
    })
    const box = Uint8Array.from([...point, ...bytes(first.box).slice(32)])
    expect(await opened(box, ADDRESS, bytes(row.private))).toBe('record_unreadable point')
  })
})
