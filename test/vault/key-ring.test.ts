/**
 * The key ring: every changed bit is refused with its reason, stores and principals are apart, versions do
 * not go back, and a principal is forgotten by destroying keys (DESIGN §6, E-01, E-04).
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DataKeyRow, type KeyRing, wrapKey } from '../../kernel/vault/key-ring.ts'
import type { SealAddress } from '../../kernel/vault/sealer.ts'
import { memoryRing, memoryWrappedKeys, systemRandom } from './memory-ring.ts'

const master = Uint8Array.from({ length: 32 }, (_, at) => at)
const ADDRESS: SealAddress = {
  store: 'memory',
  principal: 'principal:owner',
  record: 'r1',
  label: 'sensitive',
  version: 1,
}
const text = (value: string): Uint8Array => new TextEncoder().encode(value)

async function opened(ring: KeyRing, address: SealAddress, sealed: Uint8Array): Promise<string> {
  const result = await ring.sealer.open(address, sealed)
  return result.ok ? new TextDecoder().decode(result.value) : result.reason.code
}

describe('does not open', () => {
  test('with any single bit of the record changed', async () => {
    const { ring } = memoryRing(master)
    const sealed = await ring.sealer.seal(ADDRESS, text('dinner'))
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = sealed.slice()
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(await opened(ring, ADDRESS, changed), `bit ${bit}`).toBe('record_unreadable')
    }
    expect(await opened(ring, ADDRESS, sealed)).toBe('dinner')
  })

  test.each(['principal', 'record', 'label'] as const)(
    'with any single bit of its %s changed',
    async (part) => {
      const { ring } = memoryRing(master)
      const sealed = await ring.sealer.seal(ADDRESS, text('dinner'))
      const whole = text(ADDRESS[part])
      for (let bit = 0; bit < whole.length * 8; bit += 1) {
        const changed = whole.slice()
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const address = { ...ADDRESS, [part]: String.fromCharCode(...changed) }
        expect(await opened(ring, address, sealed), `bit ${bit}`).toBe('record_unreadable')
      }
    },
  )

  test('with any single bit of its version changed', async () => {
    const { ring } = memoryRing(master)
    const sealed = await ring.sealer.seal({ ...ADDRESS, version: 5 }, text('dinner'))
    for (let bit = 0; bit < 31; bit += 1)
      expect(await opened(ring, { ...ADDRESS, version: 5 ^ (1 << bit) }, sealed)).toBe('record_unreadable')
  })

  test.each(['sessions', 'secrets'] as const)('in the store %s', async (store) => {
    const { ring } = memoryRing(master)
    const sealed = await ring.sealer.seal(ADDRESS, text('dinner'))
    // The other store has a key of its own, so that this is no missing key.
    await ring.sealer.seal({ ...ADDRESS, store }, text('x'))
    expect(await opened(ring, { ...ADDRESS, store }, sealed)).toBe('record_unreadable')
  })

  test('under another master key, with the same wrappedKeys', async () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const sealed = await ring.sealer.seal(ADDRESS, text('dinner'))
    const other = memoryRing(
      master.map((byte) => byte + 1),
      { wrappedKeys },
    )
    expect(await opened(other.ring, ADDRESS, sealed)).toBe('record_unreadable')
  })

  test('with a wrapped key of another principal, store or generation in its place', async () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const sealed = await ring.sealer.seal(ADDRESS, text('dinner'))
    const [row] = wrappedKeys.rows
    if (row === undefined) throw new Error('no key')
    for (const change of [{ principal: 'p2' }, { store: 'secrets' }, { generation: 2 }] as const) {
      const moved = memoryRing(master, { wrappedKeys: memoryWrappedKeys([{ ...row, ...change }]) })
      expect(await opened(moved.ring, { ...ADDRESS, ...change }, sealed)).toBe('record_unreadable')
    }
  })
})

test('whatever is sealed opens under exactly its address (law)', async () => {
  const part = fc.string({ maxLength: 20 })
  const address = fc.record({
    store: fc.constantFrom('sessions', 'memory', 'secrets'),
    ...{ principal: part, record: part, label: part, version: fc.integer({ min: 1, max: 2 ** 31 }) },
  })
  const { ring } = memoryRing(master)
  await fc.assert(
    fc.asyncProperty(address, address, fc.uint8Array({ maxLength: 200 }), async (one, two, plain) => {
      const sealed = await ring.sealer.seal(one as SealAddress, plain)
      const here = await ring.sealer.open(one as SealAddress, sealed)
      const there = await ring.sealer.open(two as SealAddress, sealed)
      // A version that was seen is remembered, so an older one may be refused for that.
      if (here.ok) expect(here.value).toEqual(plain)
      else expect(here.reason.code).toBe('record_stale')
      if (JSON.stringify(one) !== JSON.stringify(two)) expect(there.ok).toBe(false)
    }),
  )
})

describe('data keys', () => {
  test('each store and principal has one, unwrapped once, and every nonce is new', async () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const nonces = new Set<string>()
    for (let n = 0; n < 50; n += 1)
      nonces.add((await ring.sealer.seal(ADDRESS, text('x'))).slice(5, 29).join())
    expect([nonces.size, wrappedKeys.rows.length, wrappedKeys.reads]).toEqual([50, 1, 1])
    await ring.sealer.seal({ ...ADDRESS, store: 'sessions' }, text('x'))
    await ring.sealer.seal({ ...ADDRESS, principal: 'principal:cron:a' }, text('x'))
    expect(wrappedKeys.rows.map(({ store, principal }) => `${store} ${principal}`)).toEqual([
      'memory principal:owner',
      'sessions principal:owner',
      'memory principal:cron:a',
    ])
    expect(new Set(wrappedKeys.rows.map(({ wrapped }) => wrapped?.slice(24).join())).size).toBe(3)
  })

  test('what was sealed before a restart opens after it', async () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const sealed = await ring.sealer.seal(ADDRESS, text('dinner'))
    expect(await opened(memoryRing(master, { wrappedKeys }).ring, ADDRESS, sealed)).toBe('dinner')
  })

  test('a damaged one is never replaced', async () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const sealed = await ring.sealer.seal(ADDRESS, text('dinner'))
    wrappedKeys.rows = wrappedKeys.rows.map((row) => ({
      ...row,
      wrapped: row.wrapped?.map((byte) => byte ^ 1) ?? null,
    }))
    const after = memoryRing(master, { wrappedKeys }).ring
    expect(await opened(after, ADDRESS, sealed)).toBe('record_unreadable')
    await expect(after.sealer.seal(ADDRESS, text('x'))).rejects.toThrow('damaged')
    expect(wrappedKeys.rows).toHaveLength(1)
  })

  test('keys of home’s own are apart, and stay', () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const [token, outbox] = [ring.ownKey('capability'), ring.ownKey('tunnel-outbox')]
    expect(token).not.toEqual(outbox)
    expect(memoryRing(master, { wrappedKeys }).ring.ownKey('capability')).toEqual(token)
    token.fill(0)
    expect(ring.ownKey('capability')).not.toEqual(token)
  })

  test('more principals than are held at once lose nothing', async () => {
    const { ring } = memoryRing(master, {
      random: (length) => (length === 24 ? systemRandom(24) : new Uint8Array(length).fill(7)),
    })
    const first = await ring.sealer.seal(ADDRESS, text('dinner'))
    for (let n = 0; n < 4_100; n += 1) await ring.sealer.seal({ ...ADDRESS, principal: `p${n}` }, text('x'))
    expect(await opened(ring, ADDRESS, first)).toBe('dinner')
  }, 30_000)
})

describe('versions', () => {
  const second = { ...ADDRESS, version: 2 }

  test('an older one is refused once a newer was stored', async () => {
    const { ring } = memoryRing(master)
    const [old, now] = [await ring.sealer.seal(ADDRESS, text('a')), await ring.sealer.seal(second, text('b'))]
    expect(await opened(ring, ADDRESS, old)).toBe('a')
    ring.advance(ADDRESS, 2)
    expect([await opened(ring, ADDRESS, old), await opened(ring, second, now)]).toEqual(['record_stale', 'b'])
    expect(ring.versionOf(ADDRESS)).toBe(2)
  })

  test('stored, and stopped before it was remembered: opening it remembers', async () => {
    const { ring } = memoryRing(master)
    const [old, now] = [await ring.sealer.seal(ADDRESS, text('a')), await ring.sealer.seal(second, text('b'))]
    expect(await opened(ring, second, now)).toBe('b')
    expect(await opened(ring, ADDRESS, old)).toBe('record_stale')
  })

  test('a version that does not open is not remembered', async () => {
    const { ring } = memoryRing(master)
    const old = await ring.sealer.seal(ADDRESS, text('a'))
    expect(await opened(ring, { ...ADDRESS, version: 9 }, old)).toBe('record_unreadable')
    expect(await opened(ring, ADDRESS, old)).toBe('a')
  })

  test('never falls', async () => {
    const { ring } = memoryRing(master)
    ring.advance(ADDRESS, 3)
    ring.advance(ADDRESS, 2)
    expect(ring.versionOf(ADDRESS)).toBe(3)
  })

  test('a buried record does not come back, in any version', async () => {
    const { ring } = memoryRing(master)
    const old = await ring.sealer.seal(ADDRESS, text('a'))
    ring.bury(ADDRESS)
    ring.advance(ADDRESS, 7)
    const later = await ring.sealer.seal({ ...ADDRESS, version: 8 }, text('b'))
    expect(await opened(ring, ADDRESS, old)).toBe('record_stale')
    expect(await opened(ring, { ...ADDRESS, version: 8 }, later)).toBe('record_stale')
    expect(ring.versionOf(ADDRESS)).toBeNull()
  })

  test('rows of sessions cost no look-up and are not remembered', async () => {
    const { ring, versions } = memoryRing(master)
    const row = { ...ADDRESS, store: 'sessions', version: 4 } as const
    expect(await opened(ring, row, await ring.sealer.seal(row, text('a')))).toBe('a')
    expect(versions.kept.size).toBe(0)
  })
})

test('own keys come newest first, without those that were destroyed', () => {
  const { ring, wrappedKeys } = memoryRing(master)
  const first = ring.ownKey('sealing')
  expect(ring.ownKeys('sealing')).toEqual([first])
  const [row] = wrappedKeys.rows
  if (row?.wrapped == null) throw new Error('no row')
  const later = (generation: number): DataKeyRow => {
    const address = { ...row, generation }
    return {
      ...address,
      wrapped: wrapKey({ master, random: systemRandom }, address, text(`${generation}`.padEnd(32))),
    }
  }
  const rows = [{ ...row, wrapped: null }, later(2), later(3)]
  const after = memoryRing(master, { wrappedKeys: memoryWrappedKeys(rows) }).ring
  expect(after.ownKeys('sealing')).toEqual([text('3'.padEnd(32)), text('2'.padEnd(32))])
  expect(after.ownKey('sealing')).toEqual(text('3'.padEnd(32)))
})

describe('forgetting a principal', () => {
  const him = { ...ADDRESS, principal: 'principal:telegram:peer:7' }

  test('records of a forgotten principal say so, in every store and after a restart; others stay readable', async () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const mine = await ring.sealer.seal(ADDRESS, text('mine'))
    const own = ring.ownKey('capability')
    const his = await Promise.all(
      (['memory', 'sessions', 'secrets'] as const).map(async (store) => {
        const address = { ...him, store }
        return { address, sealed: await ring.sealer.seal(address, text('his')) }
      }),
    )
    expect(ring.forget(him.principal)).toBe(3)
    for (const after of [ring, memoryRing(master, { wrappedKeys }).ring]) {
      for (const { address, sealed } of his)
        expect(await opened(after, address, sealed)).toBe('principal_forgotten')
      expect(await opened(after, ADDRESS, mine)).toBe('mine')
      expect(after.ownKey('capability')).toEqual(own)
    }
    expect(ring.forget(him.principal)).toBe(0)
  })

  test('a forgotten principal who writes again has a new key, and the old records stay unreadable', async () => {
    const { ring, wrappedKeys } = memoryRing(master)
    const before = await ring.sealer.seal(him, text('before'))
    ring.forget(him.principal)
    const after = await ring.sealer.seal(him, text('after'))
    expect(wrappedKeys.rows.map(({ generation, wrapped }) => [generation, wrapped !== null])).toEqual([
      [1, false],
      [2, true],
    ])
    expect([await opened(ring, him, before), await opened(ring, him, after)]).toEqual([
      'principal_forgotten',
      'after',
    ])
  })
})
