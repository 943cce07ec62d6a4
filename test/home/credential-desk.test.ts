/**
 * A credential is tested before it is stored (L-18): by one call, over a real socket. One that the service rejects or
 * that cannot be tested is not stored, and no stored one is replaced.
 */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { exchangeRefreshToken } from '../../integrations/tools/oauth-token.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { type CredentialService, createCredentialService } from '../../sidecar/secrets/credential-service.ts'
import { createSecretService } from '../../sidecar/secrets/secret-service.ts'
import { loopbackGoogle } from '../regression/home/loopback-google.ts'
import { type SecretsWorld, secretsWorld, valueInForce } from './fixtures/secrets.ts'

const TOKEN = 'ya29.cAnaRy-tokEn_7319.of-the-0wner'
const GRANT = { client_id: 'client-7319', client_secret: 'secret-7319', refresh_token: 'refresh-cAnaRy-7319' }

let world: SecretsWorld
let google: Awaited<ReturnType<typeof loopbackGoogle>>
let transport: ReturnType<typeof createPinnedTransport>

beforeEach(async () => {
  world = await secretsWorld()
  google = await loopbackGoogle()
  transport = createPinnedTransport()
})
afterEach(async () => {
  await transport.close()
  await google.close()
})

function deskFor({
  custody = 'passphrase' as 'passphrase' | 'development',
  tools = toolsAt(google.origin),
} = {}) {
  const { secrets } = world
  const { learn } = world.redactor
  const desk = createSecretService({
    ...{ secrets, custody, learn, audit: () => undefined, now: () => world.clock.now },
    ...{ manifests: tools.map(({ manifest }) => manifest), confirmKey: new Uint8Array(32) },
    namesOf: ({ credential }) => (credential === null ? [] : [credential]),
  })
  const made: CredentialService = createCredentialService({
    ...{ secretService: desk, secrets, custody, learn, exemptOrigins: [google.origin], tools: () => tools },
    ...{ transport: () => transport, nameOf: (service) => service },
    exchange: (_name, grant) =>
      exchangeRefreshToken({
        ...{ ...grant, url: `${google.origin}/oauth2/token`, transport, exemptOrigins: [google.origin] },
      }),
  })
  return made
}

function toolsAt(baseUrl: string): readonly Tool[] {
  return [createEmailTool({ baseUrl, htmlText: async () => '' as never }), createCalendarTool({ baseUrl })]
}

const codeOf = async (work: ReturnType<CredentialService['give']>): Promise<string> => {
  const done = await work
  return done.ok ? 'stored' : done.reason.code
}

test('a working credential is stored as proven after one harmless call', async () => {
  expect(await codeOf(deskFor().give('google', TOKEN))).toBe('stored')
  expect(google.tokens()).toEqual([`Bearer ${TOKEN}`])
  expect([await valueInForce(world.secrets), world.secrets.find('google')?.state]).toEqual([
    `v1 ${TOKEN}`,
    'proven',
  ])
  expect(world.secrets.find('google')?.scope.tools).toEqual(['email', 'calendar'])
})

test('an OAuth grant is tested with its access token', async () => {
  google.permit(GRANT.refresh_token, 'access-7319-token')
  expect(await codeOf(deskFor().give('google', JSON.stringify(GRANT, null, 2)))).toBe('stored')
  expect(google.tokens()).toEqual(['', 'Bearer access-7319-token'])
  expect(world.secrets.find('google')?.kind).toBe('oauth')
})

describe('a credential is not stored if it is', () => {
  test.each([
    ['what the service refuses, twice', () => google.refuse(), TOKEN, 'credential_rejected', {}],
    ['what could not be tried', () => google.close(), TOKEN, 'network_failed', {}],
    ['what is no token', () => undefined, 'two words', 'field_malformed', {}],
    [
      'anything, under the development key',
      () => undefined,
      TOKEN,
      'key_development',
      { custody: 'development' as const },
    ],
  ])('%s', async (_, before, value, code, options) => {
    const desk = deskFor(options)
    await before()
    expect([await codeOf(desk.give('google', value)), await codeOf(desk.give('google', value))]).toEqual([
      code,
      code,
    ])
    expect(await valueInForce(world.secrets)).toBe('credential_missing')
    for (const end of ['', '-wal'])
      expect(readFileSync(`${world.folder.file('secrets.sqlite')}${end}`).includes(value)).toBe(false)
  })

  test('for a service that no tool uses', async () => {
    expect(await codeOf(deskFor().give('evil', TOKEN))).toBe('tool_unknown')
    expect(google.tokens()).toEqual([])
  })
})

test('a credential is redacted once given, whether or not it is stored', async () => {
  google.refuse()
  await deskFor().give('google', TOKEN)
  expect(world.redactor.text('log', `x ${TOKEN}`)).toBe('x [redacted]')
})

test('a stored credential is not replaced', async () => {
  await deskFor().give('google', TOKEN)
  expect(await codeOf(deskFor().give('google', `${TOKEN}-2`))).toBe('credential_mismatch')
  expect(await valueInForce(world.secrets)).toBe(`v1 ${TOKEN}`)
})

describe('another value for a stored credential', () => {
  const NEXT = `${TOKEN}-2`
  const replaced = async (value: string): Promise<string> => {
    const done = await deskFor().replace('google', value)
    return done.ok ? done.value : done.reason.code
  }

  test('takes its place once the service took it, and the former one is gone', async () => {
    await deskFor().give('google', TOKEN)
    expect(await replaced(NEXT)).toBe('stored')
    expect([await valueInForce(world.secrets), world.secrets.find('google')]).toMatchObject([
      `v2 ${NEXT}`,
      { state: 'proven', former: false },
    ])
  })

  test.each([
    ['the service refuses', () => google.refuse(), NEXT, 'credential_rejected'],
    ['could not be tried', () => google.close(), NEXT, 'network_failed'],
    ['is no token', () => undefined, 'two words', 'field_malformed'],
    ['is of another kind', () => undefined, JSON.stringify(GRANT), 'field_malformed'],
  ])('that %s leaves the stored one in force', async (_, before, value, code) => {
    await deskFor().give('google', TOKEN)
    await before()
    expect(await replaced(value)).toBe(code)
    expect([await valueInForce(world.secrets), world.secrets.find('google')]).toMatchObject([
      `v1 ${TOKEN}`,
      { version: 1, former: false },
    ])
  })

  test('is none where none is stored', async () => {
    expect(await replaced(NEXT)).toBe('credential_missing')
    expect(await valueInForce(world.secrets)).toBe('credential_missing')
  })
})
