/** The key of a model (D-20, invariant 4): for one call, one provider and the host in its scope, and no trace of the value. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { SecretKind } from '../../sidecar/secrets/secret.ts'
import { createModelKeys, type KeyRequest, type ModelKeys } from '../../sidecar/secrets/service-tokens.ts'
import { CANARY, NEXT, type SecretsWorld, secretsWorld } from './fixtures/secrets.ts'

const REQUEST: KeyRequest = { provider: 'claude', name: 'mine', host: 'api.example.com' }
const SCOPE = { tools: ['model.claude'], actions: [], hosts: ['api.example.com'] }

let world: SecretsWorld
let audited: Omit<AuditEvent, 'at' | 'place'>[]
let told: string[]
let keys: ModelKeys
beforeEach(async () => {
  world = await secretsWorld()
  audited = []
  told = []
  keys = createModelKeys({
    ...{ secrets: world.secrets, redactor: world.redactor },
    audit: (event) => audited.push(event),
    rejected: (name, version) => told.push(`${name} v${version}`),
  })
})
const store = (kind: SecretKind = 'token', scope = SCOPE) =>
  world.secrets.set({ name: 'mine', kind, scope, value: CANARY })

test('a key is unsealed for one call, and the audit has a reference and no value', async () => {
  await store()
  expect(await keys.issue(REQUEST, {})).toEqual({ ok: true, value: CANARY })
  expect(audited.map(({ kind, facts }) => ({ kind, ...facts }))).toEqual([
    { kind: 'credential_issued', credential: 'mine', version: 1, tool: 'model.claude', ok: true, code: null },
  ])
  // From now on it is redacted in all output.
  expect(world.redactor.text('log', `it is ${CANARY}`)).not.toContain(CANARY)
})

test('the unsealed buffer holds zeros afterwards', async () => {
  await store()
  const seen: Uint8Array[] = []
  const unseal = world.secrets.unseal
  world.secrets.unseal = async (name) => {
    const plain = await unseal(name)
    if (plain.ok) seen.push(plain.value.bytes)
    return plain
  }
  await keys.issue(REQUEST, {})
  expect(seen.map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true])
})

describe('a key is not issued', () => {
  test.each<[string, Partial<KeyRequest>, SecretKind, object]>([
    ['to another provider', { provider: 'gpt' }, 'token', { rule: 'tool' }],
    ['to another host', { host: 'evil.example' }, 'token', { rule: 'host' }],
    ['to the same host at another port', { host: 'api.example.com:8443' }, 'token', { rule: 'host' }],
    ['as what is no token', {}, 'password', { rule: 'kind' }],
  ])('%s', async (_, change, kind, facts) => {
    await store(kind)
    const issued = await keys.issue({ ...REQUEST, ...change }, {})
    expect(issued).toMatchObject({ ok: false, reason: { code: 'credential_mismatch', facts } })
    expect(JSON.stringify([issued, audited])).not.toContain(CANARY)
    expect(audited).toMatchObject([{ facts: { ok: false, code: 'credential_mismatch' } }])
  })

  test('to a model if its scope names a tool', async () => {
    await store('token', { ...SCOPE, tools: ['email'] })
    expect(await keys.issue(REQUEST, {})).toMatchObject({ ok: false, reason: { facts: { rule: 'tool' } } })
  })

  test('if there is none', async () => {
    expect(await keys.issue(REQUEST, {})).toMatchObject({ ok: false, reason: { code: 'credential_missing' } })
  })
})

describe('a rotated key', () => {
  const CALL = {}
  beforeEach(async () => {
    await store()
    await world.secrets.rotate('mine', NEXT)
    expect(await keys.issue(REQUEST, CALL)).toEqual({ ok: true, value: NEXT })
  })

  test('that is accepted is proven, and the former one is deleted', () => {
    keys.settle(CALL, 'accepted')
    expect(world.secrets.find('mine')).toMatchObject({ state: 'proven', former: false })
  })

  test('that is rejected falls back to the former one, and the owner is notified once', async () => {
    keys.settle(CALL, 'rejected')
    keys.settle(CALL, 'rejected')
    expect(await keys.issue(REQUEST, {})).toEqual({ ok: true, value: CANARY })
    expect(told).toEqual(['mine v2'])
  })

  test('is not settled by a call that got no key', () => {
    keys.settle({}, 'accepted')
    expect(world.secrets.find('mine')).toMatchObject({ state: 'trial', former: true })
  })
})

describe('a key that is rotated while a call is under way', () => {
  const [OLD, NEW] = [{}, {}]
  beforeEach(async () => {
    await store()
    await keys.issue(REQUEST, OLD)
    await world.secrets.rotate('mine', NEXT)
    expect(await keys.issue(REQUEST, NEW)).toEqual({ ok: true, value: NEXT })
  })

  test('is not rejected by the result of the old one', async () => {
    keys.settle(OLD, 'rejected')
    expect(world.secrets.find('mine')).toMatchObject({ state: 'trial', former: true })
    expect(await keys.issue(REQUEST, {})).toEqual({ ok: true, value: NEXT })
    expect(told).toEqual([])
  })

  test('is not proven by it either', () => {
    keys.settle(OLD, 'accepted')
    expect(world.secrets.find('mine')).toMatchObject({ state: 'trial', former: true })
  })

  test('is settled by its own call, whichever ends first', async () => {
    keys.settle(NEW, 'rejected')
    keys.settle(OLD, 'accepted')
    expect(told).toEqual(['mine v2'])
    expect(await keys.issue(REQUEST, {})).toEqual({ ok: true, value: CANARY })
  })
})
