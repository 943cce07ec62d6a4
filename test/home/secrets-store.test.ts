/** The secret store: sealed, versioned, bound to its scope, and gone when deleted (E-01, E-02, E-11). */
import { readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkValue, type SecretKind } from '../../sidecar/secrets/secret.ts'
import { FORMER_LIFETIME } from '../../sidecar/secrets/secret-store.ts'
import { CANARY, NEXT, SCOPE, type SecretsWorld, secretsWorld, valueInForce } from './fixtures/secrets.ts'

let world: SecretsWorld
beforeEach(async () => {
  world = await secretsWorld()
  await world.secrets.set({ name: 'google', kind: 'token', scope: SCOPE, value: CANARY })
})

const path = (): string => world.folder.file('secrets.sqlite')
const edit = (statement: string): void => {
  const database = new DatabaseSync(path())
  database.exec(statement)
  database.close()
}

test('the files contain no plaintext value, and others cannot read them', () => {
  for (const end of ['', '-wal']) {
    const bytes = readFileSync(`${path()}${end}`)
    expect(bytes.includes('google')).toBe(end === '-wal')
    expect(bytes.includes(CANARY)).toBe(false)
    expect(statSync(`${path()}${end}`).mode & 0o777).toBe(0o600)
  }
})

test('the keys of other stores do not open a secret, nor does its key open another store’s records (E-01)', async () => {
  const [row] = world.file.rows()
  if (row === undefined) throw new Error('no row')
  const { sealer } = world.keys.ring
  const address = { principal: 'principal:owner', record: row.record, label: 'x', version: 1 }
  const stores = ['sessions', 'memory', 'secrets'] as const
  const sealed = await Promise.all(
    stores.map((store) => sealer.seal({ ...address, store }, new Uint8Array([7]))),
  )
  for (const [i, bytes] of sealed.entries())
    for (const [j, store] of stores.entries())
      expect((await sealer.open({ ...address, store }, bytes)).ok).toBe(i === j)
})

test.each([
  ['a scope that was widened', `update secrets set scope = replace(scope, 'probe', 'other')`],
  ['another host', `update secrets set scope = replace(scope, 'api', 'evil')`],
  ['another kind', `update secrets set kind = 'password'`],
  ['another name', `update secrets set name = 'github'`],
  ['a changed version', `update secrets set version = 9`],
  ['a changed byte', `update secrets set sealed = substr(sealed, 1, length(sealed) - 1) || x'00'`],
])('%s in the file makes the value unreadable', async (_, statement) => {
  edit(statement)
  expect(await valueInForce(world.secrets, world.file.rows()[0]?.name)).toBe('record_unreadable')
})

test('a secret that another process deletes is gone at once, though its name was just looked up', async () => {
  expect(world.secrets.find('google')?.version).toBe(1)
  edit(`delete from secrets where name = 'google'`)
  expect(world.secrets.find('google')).toBeNull()
  expect(await valueInForce(world.secrets, 'google')).toBe('credential_missing')
})

test('a secret that is deleted here is gone at once, and one that is set is there', async () => {
  expect(world.secrets.find('google')?.version).toBe(1)
  await world.secrets.delete('google')
  expect(world.secrets.find('google')).toBeNull()
  await world.secrets.set({ name: 'google', kind: 'token', scope: SCOPE, value: CANARY })
  expect(world.secrets.find('google')?.version).toBe(1)
})

test('an earlier copy of the file does not bring back a deleted value', async () => {
  const [row] = world.file.rows()
  if (row === undefined) throw new Error('no row')
  expect(await world.secrets.delete('google')).toEqual({ ok: true, value: null })
  expect(await valueInForce(world.secrets)).toBe('credential_missing')
  world.file.replace(row, { gone: [] })
  expect(await valueInForce(world.secrets)).toBe('record_stale')
})

test('set replaces the former value, which is made unreadable', async () => {
  const [row] = world.file.rows()
  await world.secrets.set({ name: 'google', kind: 'token', scope: SCOPE, value: NEXT })
  expect(await valueInForce(world.secrets)).toBe(`v2 ${NEXT}`)
  expect(world.file.rows()).toHaveLength(1)
  expect(world.keys.ring.versionOf({ store: 'secrets', record: row?.record ?? '' })).toBeNull()
})

describe('a rotation', () => {
  beforeEach(async () => {
    world.secrets.accepted('google', 1)
    await world.secrets.rotate('google', NEXT)
  })

  test('puts the new value in force and keeps the old one while it is on trial', async () => {
    expect(await valueInForce(world.secrets)).toBe(`v2 ${NEXT}`)
    expect(world.secrets.find('google')).toMatchObject({
      version: 2,
      state: 'trial',
      former: true,
      scope: SCOPE,
    })
  })

  test('deletes the old value after a service has accepted the new one', () => {
    world.secrets.accepted('google', 2)
    expect(world.secrets.find('google')).toMatchObject({ version: 2, state: 'proven', former: false })
  })

  test('is not confirmed by the acceptance of the old version', () => {
    world.secrets.accepted('google', 1)
    expect(world.secrets.find('google')).toMatchObject({ state: 'trial', former: true })
  })

  test('falls back to the old value when a service rejects the new one, and reports it once', async () => {
    expect([world.secrets.rejected('google', 2), world.secrets.rejected('google', 2)]).toEqual([true, false])
    expect(world.secrets.find('google')?.state).toBe('rejected')
    expect(await valueInForce(world.secrets)).toBe(`v1 ${CANARY}`)
  })

  test('repeated, keeps the value that was accepted, not the one that never was', async () => {
    await world.secrets.rotate('google', 'third-token-7')
    world.secrets.rejected('google', 3)
    expect(await valueInForce(world.secrets)).toBe(`v1 ${CANARY}`)
    expect(world.file.rows().map(({ version }) => version)).toEqual([1, 3])
  })

  test('keeps the old value for a week and no longer', async () => {
    world.secrets.rejected('google', 2)
    world.clock.now += FORMER_LIFETIME
    expect(await valueInForce(world.secrets)).toBe(`v1 ${CANARY}`)
    world.clock.now += 1
    expect(await valueInForce(world.secrets)).toBe(`v2 ${NEXT}`)
    world.secrets.expire()
    expect(world.file.rows().map(({ version }) => version)).toEqual([2])
  })
})

test('two concurrent changes create two versions', async () => {
  await Promise.all([world.secrets.rotate('google', NEXT), world.secrets.rotate('google', 'third-token-7')])
  expect(await valueInForce(world.secrets)).toBe('v3 third-token-7')
})

test.each<[string, SecretKind, string, string]>([
  ['a token', 'token', 'abcdefgh', 'abcdefgh'],
  ['the line end of a pipe', 'token', 'abcdefgh\n', 'abcdefgh'],
  ['a key with lines', 'key', 'line one\nline two\n', 'line one\nline two'],
  ['a password with spaces', 'password', 'four words nobody says', 'four words nobody says'],
  ['too short a value', 'token', 'abcdefg', 'length'],
  ['nothing', 'password', '\n', 'length'],
  ['too long a value', 'key', 'x'.repeat(8_193), 'length'],
  ['a token of two words', 'token', 'abcd efgh', 'one_word'],
  ['a token with a header in it', 'oauth', 'abcdefgh\r\nx: y', 'one_word'],
])('%s', (_, kind, value, expected) => {
  const checked = checkValue(kind, value)
  expect(checked.ok ? checked.value : checked.reason.facts['rule']).toBe(expected)
  expect(checked.ok || JSON.stringify(checked).includes('abcd')).toBe(checked.ok)
})
