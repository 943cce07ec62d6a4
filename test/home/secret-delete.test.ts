/**
 * Deleting a secret takes two commands (F-17): the first asks and deletes nothing, the second passes the confirmation
 * word of the first.
 */
import { beforeEach, expect, test } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import { createSecretMethods } from '../../sidecar/secrets/secret-methods.ts'
import { createSecretService, type SecretService } from '../../sidecar/secrets/secret-service.ts'
import { type SecretsWorld, secretsWorld } from './fixtures/secrets.ts'

const MINUTE = 60_000
const SCOPE = { tools: ['probe'], actions: [], hosts: ['api.example'] }

let world: SecretsWorld
let desk: SecretService
let lines: AuditEvent['facts'][]

beforeEach(async () => {
  world = await secretsWorld()
  lines = []
  desk = createSecretService({
    ...{ secrets: world.secrets, manifests: [], custody: 'passphrase', namesOf: () => [] },
    ...{ learn: () => undefined, audit: ({ facts }) => void lines.push(facts) },
    ...{ confirmKey: world.keys.ring.ownKey('confirm'), now: () => world.clock.now },
  })
  for (const name of ['google', 'other'])
    await world.secrets.set({ name, kind: 'token', scope: SCOPE, value: 'a-value-to-delete' })
})

async function asked(name = 'google'): Promise<string> {
  const answer = await desk.delete({ name })
  return (answer.ok && answer.value.check) || 'none'
}

async function confirmed(check: string, name = 'google'): Promise<string> {
  const answer = await desk.delete({ name, check })
  return answer.ok ? `deleted ${answer.value.deleted}` : answer.reason.code
}

const names = (): readonly string[] => desk.list().map(({ name }) => name)

test('asking deletes nothing and is audited; its confirmation word deletes once', async () => {
  const check = await asked()
  expect(check).toMatch(/^[0-9a-f]{4}-[0-9a-f]{4}$/)
  expect(names()).toEqual(['google', 'other'])
  expect(await confirmed(` ${check.toUpperCase()} `)).toBe('deleted true')
  expect(names()).toEqual(['other'])
  expect(await confirmed(check)).toBe('credential_missing')
  expect(lines).toEqual([
    { credential: 'google', version: 1, change: 'delete_asked' },
    { credential: 'google', change: 'delete' },
  ])
})

test.each<[string, (check: string) => Promise<string>]>([
  ['that was made up', () => confirmed('0000-0000')],
  ['that is empty but for spaces', () => confirmed('  ')],
  ['of another secret', async () => confirmed(await asked('other'))],
  [
    'of a version that is no longer the present one',
    async (check) => {
      await world.secrets.rotate('google', 'another-value-by-now')
      return confirmed(check)
    },
  ],
  [
    'that is older than ten minutes',
    async (check) => {
      world.clock.now += 10 * MINUTE
      return confirmed(check)
    },
  ],
])('a confirmation word %s deletes nothing', async (_, act) => {
  expect(await act(await asked())).toBe('approval_step_up')
  expect(names()).toEqual(['google', 'other'])
})

test('a confirmation word is valid for at least five minutes', async () => {
  const check = await asked()
  world.clock.now += 5 * MINUTE
  expect(await confirmed(check)).toBe('deleted true')
})

test('a secret that does not exist is not asked about', async () => {
  expect(await desk.delete({ name: 'nobody' })).toMatchObject({ reason: { code: 'credential_missing' } })
})

test('no single request on the socket both asks and confirms', async () => {
  const run = createSecretMethods(desk, {} as never)['secret_delete']
  for (const params of [
    { name: 'google' },
    { name: 'google', check: 'yes' },
    { name: 'google', force: true },
  ])
    await run?.(params)
  expect(names()).toEqual(['google', 'other'])
})

test.each([
  ['ended at its service', { ok: true, value: true } as const, { revoked: true }],
  ['not ended, which is said', err('network_failed'), { revoked: false }],
  ['no permission', null, {}],
])('what is deleted is %s, and is gone here', async (_, ended, said) => {
  const revoking: string[] = []
  const input = {
    ...{ secrets: world.secrets, manifests: [], custody: 'passphrase' as const, namesOf: () => [] },
    ...{ learn: () => undefined, audit: () => undefined, now: () => world.clock.now },
    confirmKey: world.keys.ring.ownKey('confirm'),
  }
  desk = createSecretService({
    ...input,
    revoke: async (name) => {
      // Its value is still there to be given back.
      revoking.push(...names().filter((one) => one === name))
      return ended
    },
  })
  const check = await asked()
  expect(revoking).toEqual([])
  expect(await desk.delete({ name: 'google', check })).toEqual({
    ok: true,
    value: { name: 'google', deleted: true, ...said },
  })
  expect(revoking).toEqual(['google'])
  expect(names()).toEqual(['other'])
})
