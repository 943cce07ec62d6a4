/**
 * Several mailboxes with one pair of actions (I-12): the account that a call names determines which secret is unsealed;
 * an account that is not configured has none, and each secret has its own scope.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CALENDAR_MANIFEST } from '../../integrations/tools/calendar/manifest.ts'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { err, permit } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { type Config, parseConfig } from '../../sidecar/config/config.ts'
import { createLazyMail } from '../../sidecar/mail/lazy-mail.ts'
import { boundToServers, exceptSwitchedOff } from '../../sidecar/secrets/bound-credentials.ts'
import { createCredentialIssuer } from '../../sidecar/secrets/credential-issuer.ts'
import { emulatorCredential, vaultNameOf, vaultNames } from '../../sidecar/secrets/vault-names.ts'
import { type LoopbackGoogle, loopbackGoogle } from '../regression/home/loopback-google.ts'
import { NO_BREAKER, tokenFor } from '../tools/calls.ts'
import { startTransport } from '../tools/servers.ts'
import { type SecretsWorld, secretsWorld } from './fixtures/secrets.ts'

let google: LoopbackGoogle
let config: Config
let world: SecretsWorld
let audited: Omit<AuditEvent, 'at' | 'place'>[] = []

const ACCOUNTS = `account = "home"
[[tools.google.accounts]]
name = "work"
credential = "vault:google-work"
[[tools.google.accounts]]
name = "club"
credential = "vault:google-club"`

function configOf(accounts: string, origin = google.origin): ReturnType<typeof parseConfig> {
  return parseConfig(
    `[network]\nexempt_origins = ["${origin}"]\n[tools.google]\nbase_url = "${origin}"\n${accounts}`,
  )
}

beforeAll(async () => {
  google = await loopbackGoogle()
  const parsed = configOf(ACCOUNTS)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.reason))
  config = parsed.value
})
afterAll(() => google.close())
beforeEach(async () => {
  world = await secretsWorld()
  audited = []
  const scope = { tools: ['email'], actions: [], hosts: [new URL(google.origin).host] }
  await world.secrets.set({ name: 'google', kind: 'token', scope, value: 'token-of-home-1234' })
  await world.secrets.set({ name: 'google-work', kind: 'token', scope, value: 'token-of-work-5678' })
})

let calls = 0

function list(args: { readonly [key: string]: string }, off: readonly string[] = []) {
  const email = createEmailTool({
    ...{ baseUrl: google.origin, htmlText: (html) => ({ ok: true, value: html }) as never },
    accounts: ['home', 'work', 'club'],
  })
  return run(email, 'email.list', args, off)
}

function run(
  tool: Tool,
  action: string,
  args: { readonly [key: string]: string },
  off: readonly string[] = [],
) {
  const port = createToolPort({
    ...{ place: 'home', tools: [tool], transport: startTransport(), exemptOrigins: [google.origin] },
    checkToken: () => permit('test'),
    redact: (value) => value,
    breaker: NO_BREAKER,
    credentials: exceptSwitchedOff(
      createCredentialIssuer({
        secrets: world.secrets,
        redactor: world.redactor,
        tokens: { get: async () => err('tool_failed'), drop: () => undefined },
        nameOf: (credential, account) => vaultNameOf(config, credential, account),
        emulatorCredential: (credential, account) => emulatorCredential(config, credential, account),
        audit: (event) => audited.push(event),
        rejected: () => undefined,
        now: () => world.clock.now,
      }),
      { config, off: () => off },
    ),
  })
  const { claims, mac } = tokenFor(action, `cap${++calls}`)
  const capability = { claims: { ...claims, expiresAt: world.clock.now + 1_000 }, mac }
  return port.run({ action, args, capability })
}

describe('a call', () => {
  test.each([
    ['names none', {}, 'token-of-home-1234', 'google'],
    ['names the usual one', { account: 'home' }, 'token-of-home-1234', 'google'],
    ['names another', { account: 'work' }, 'token-of-work-5678', 'google-work'],
  ])('that %s', async (_, args, token, credential) => {
    const before = google.tokens().length
    expect((await list(args)).ok).toBe(true)
    expect(new Set(google.tokens().slice(before))).toEqual(new Set([`Bearer ${token}`]))
    expect(audited.map(({ facts }) => facts['credential'])).toEqual([credential])
  })

  test.each([
    ['of nobody', 'other', 'credential_mismatch', { rule: 'account' }],
    ['of Object', 'constructor', 'credential_mismatch', { rule: 'account' }],
    ['whose secret is not stored', 'club', 'credential_missing', { credential: 'google-club' }],
  ])('that names an account %s is refused without a request', async (_, account, code, facts) => {
    const before = google.tokens().length
    expect(await list({ account })).toMatchObject({ ok: false, reason: { code, facts } })
    expect(google.tokens()).toHaveLength(before)
    expect(audited.map(({ facts: told }) => [told['ok'], told['code']])).toEqual([[false, code]])
  })

  test.each([[{}], [{ account: 'work' }]])(
    'with its service switched off opens no account: %j',
    async (args) => {
      const before = google.tokens().length
      expect(await list(args, ['google'])).toMatchObject({ ok: false, reason: { code: 'service_off' } })
      expect(google.tokens()).toHaveLength(before)
      expect((await list(args, ['notion'])).ok).toBe(true)
    },
  )

  test('of the mail tool opens no mailbox of a service that is switched off', async () => {
    const issued: string[] = []
    const source = {
      has: () => true,
      issue: async ({ account }: { readonly account: string | null }) => {
        issued.push(account ?? '')
        return err('tool_failed')
      },
    }
    const off = exceptSwitchedOff(source, { config, off: () => ['google'] })
    const { claims, mac } = tokenFor('email.list', 'capMail')
    const request = { credential: 'mail', tool: 'email', action: 'email.list', token: { claims, mac } }
    expect(await off.issue({ ...request, account: 'work' })).toMatchObject({
      reason: { code: 'service_off' },
    })
    await off.issue({ ...request, account: 'me@example.com' })
    expect(issued).toEqual(['me@example.com'])
  })

  test.each([
    ['the first one', null, 'mail', true],
    ['another', 'work', 'mail-work', true],
    ['another, which is at other servers by now', 'moved', 'mail-moved', false],
  ])(
    'of %s gets the password of that mailbox for its own servers alone',
    async (_, account, secret, isGiven) => {
      const at = (name: string) =>
        `address = "ada@${name}.example"\nimap = "${name}:993"\nsmtp = "${name}:465"`
      const more = ['work', 'moved'].map(
        (name) => `[[tools.mail.accounts]]\naccount = "${name}"\n${at(name)}`,
      )
      const parsed = parseConfig(`[tools.mail]\n${at('home')}\n${more.join('\n')}`)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.reason))
      const name = account === null ? 'home' : account === 'moved' ? 'elsewhere' : account
      const hosts = [`${name}:993`, `${name}:465`]
      await world.secrets.set({
        ...{ name: secret, kind: 'token', value: `password-of-${name}` },
        scope: { tools: ['email'], actions: [], hosts },
      })
      const source = boundToServers(
        createCredentialIssuer({
          ...{ secrets: world.secrets, redactor: world.redactor, emulatorCredential: () => null },
          tokens: { get: async () => err('tool_failed'), drop: () => undefined },
          nameOf: (credential, one) => vaultNameOf(parsed.value, credential, one),
          ...{ audit: (event) => audited.push(event), rejected: () => undefined, now: () => world.clock.now },
        }),
        parsed.value,
      )
      const { claims, mac } = tokenFor('email.list', `capMail${secret}`)
      const token = { claims: { ...claims, expiresAt: world.clock.now + 1_000 }, mac }
      const issued = await source.issue({
        credential: 'mail',
        tool: 'email',
        action: 'email.list',
        account,
        token,
      })
      expect(issued).toMatchObject(
        isGiven
          ? { ok: true, value: { credential: { value: `password-of-${name}` } } }
          : { ok: false, reason: { code: 'credential_mismatch', facts: { rule: 'host' } } },
      )
      expect(audited.map(({ facts }) => facts['credential'])).toEqual([secret])
    },
  )

  test('gets no emulator credential for another mailbox', async () => {
    await world.secrets.delete('google')
    expect((await list({})).ok).toBe(true)
    expect(await list({ account: 'club' })).toMatchObject({ reason: { code: 'credential_missing' } })
  })
})

describe('several mailboxes of one service', () => {
  const servers = 'imap = "imap.example.com:993"\nsmtp = "smtp.example.com:465"'
  const severalOf = (text: string) => {
    const parsed = parseConfig(text)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.reason))
    const { several } = createLazyMail(parsed.value)
    return several?.all.map(({ name, credential, account }) => [name, credential, account])
  }

  test('without a name are looked into together, each with its own token', async () => {
    const before = google.tokens().length
    const { several, ...mail } = createLazyMail(config)
    const email = createEmailTool({
      ...{ baseUrl: google.origin, htmlText: (html) => ({ ok: true, value: html }) as never },
      mail: { ...mail, ...(several !== undefined && { several }) },
    })
    expect(several?.all.map(({ name }) => name)).toEqual(['home', 'work', 'club'])
    expect(await run(email, 'email.list', {})).toMatchObject({ ok: true })
    expect(new Set(google.tokens().slice(before))).toEqual(
      new Set(['Bearer token-of-home-1234', 'Bearer token-of-work-5678']),
    )
    const all = google.tokens().length
    expect(await run(email, 'email.list', { account: 'work' })).toMatchObject({ ok: true })
    expect(new Set(google.tokens().slice(all))).toEqual(new Set(['Bearer token-of-work-5678']))
  })

  test.each([
    ['one by IMAP alone', `[tools.mail]\naddress = "ada@acme.example"\n${servers}`, undefined],
    ['one at Google alone', '[tools.google]\naccount = "ada@gmx.example"', undefined],
    [
      'one of each',
      `[tools.google]\naccount = "ada@gmx.example"\n[tools.mail]\naddress = "ada@acme.example"\n${servers}`,
      [
        ['acme', 'mail', null],
        ['gmx', 'google', null],
      ],
    ],
    [
      'the same by both ways, which is one',
      `[tools.google]\naccount = "ada@acme.example"\n[tools.mail]\naddress = "ada@acme.example"\n${servers}`,
      undefined,
    ],
    [
      'the demo beside a real one',
      `[tools.google]\ndemo = true\naccount = "demo"\n[tools.mail]\naddress = "ada@acme.example"\n${servers}`,
      undefined,
    ],
  ])('%s', (_, text, expected) => {
    expect(severalOf(text)).toEqual(expected)
  })
})

test('the vault names of a tool include one for each account', () => {
  expect(vaultNames(config, EMAIL_MANIFEST)).toEqual(['google', 'google-work', 'google-club'])
  expect(vaultNames(config, CALENDAR_MANIFEST)).toEqual(['google'])
})

test.each([
  ['one name twice', 'account = "a"\n[[tools.google.accounts]]\nname = "a"\ncredential = "vault:b"'],
  ['one secret twice', '[[tools.google.accounts]]\nname = "a"\ncredential = "vault:google"'],
])('a configuration with %s is refused', (_, accounts) => {
  expect(configOf(accounts)).toMatchObject({
    ok: false,
    reason: { code: 'config_malformed', facts: { key: 'tools.google.accounts' } },
  })
})
