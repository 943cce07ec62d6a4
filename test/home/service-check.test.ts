/**
 * A connected service is tried with one harmless call (L-02), over a real socket: what came of it is said, the stored credential stays, and what it says
 * about the credential is kept as after any call.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { issuedToServers } from '../../sidecar/secrets/bound-credentials.ts'
import { createTrialIssuer } from '../../sidecar/secrets/credential-issuer.ts'
import { createServiceCheck } from '../../sidecar/secrets/service-check.ts'
import { loopbackGoogle } from '../regression/home/loopback-google.ts'
import { CANARY, type SecretsWorld, secretsWorld, valueInForce } from './fixtures/secrets.ts'

let world: SecretsWorld
let google: Awaited<ReturnType<typeof loopbackGoogle>>
let transport: ReturnType<typeof createPinnedTransport>
let audited: Omit<AuditEvent, 'at' | 'place'>[]
let told: string[]
let answered: string[]

beforeEach(async () => {
  world = await secretsWorld()
  google = await loopbackGoogle()
  transport = createPinnedTransport()
  audited = []
  told = []
  answered = []
})
afterEach(async () => {
  await transport.close()
  await google.close()
})

async function store(hosts = [new URL(google.origin).host], tools = ['email']): Promise<void> {
  const scope = { tools, actions: ['email.list'], hosts }
  await world.secrets.set({ name: 'google', kind: 'token', scope, value: CANARY })
}

function check(accounts: readonly (string | null)[] = [null], before: readonly Tool[] = []) {
  const tool = createEmailTool({ baseUrl: google.origin, htmlText: async () => '' as never })
  const issue = createTrialIssuer({
    ...{
      secrets: world.secrets,
      redactor: world.redactor,
      emulatorCredential: () => null,
      now: () => world.clock.now,
    },
    tokens: { get: () => Promise.reject(new Error('no grant is stored')), drop: () => undefined },
    nameOf: (credential, account) => (account === null ? credential : `google-${account}`),
    audit: (event) => audited.push(event),
    rejected: (name, version) => told.push(`${name} v${version}`),
  })
  return createServiceCheck({
    ...{ issue, tools: () => [...before, tool], transport: () => transport, exemptOrigins: [google.origin] },
    ...{
      answered: (name) => void answered.push(name),
      ownOrigins: {},
      accountsOf: () => accounts,
      titleOf: () => 'Google',
    },
  })
}

test('one that answers works, and its credential is proven by that', async () => {
  await store()
  const { works, says } = await check()('google')
  expect([works, says]).toEqual([true, expect.stringMatching(/^Google works: .*it answered\./)])
  expect(google.tokens()).toEqual([`Bearer ${CANARY}`])
  expect([world.secrets.find('google')?.state, answered]).toEqual(['proven', ['email']])
  expect(audited.map(({ kind, facts }) => [kind, facts['action'], facts['ok']])).toEqual([
    ['credential_issued', 'check', true],
  ])
  expect(says + JSON.stringify(audited)).not.toContain(CANARY)
})

test('one that lets it in no more is said so with what to do, once told, and the credential stays', async () => {
  await store()
  google.refuse()
  const { works, says } = await check()('google')
  expect([works, says]).toEqual([
    false,
    expect.stringMatching(/does not let me in any more\. .*give Google a new key/),
  ])
  expect([world.secrets.find('google')?.state, told]).toEqual(['rejected', ['google v1']])
  expect(await valueInForce(world.secrets)).toBe(`v1 ${CANARY}`)
})

test('one that cannot be reached says nothing of its credential', async () => {
  await store()
  await google.close()
  const { works, says } = await check()('google')
  expect([works, says]).toEqual([
    false,
    expect.stringMatching(/no answer that I could use\. .*could not reach.*is kept/),
  ])
  expect(world.secrets.find('google')?.state).toBe('trial')
})

test.each([
  ['that is for another server', ['elsewhere.example.com'], ['email']],
  ['that is for another tool', undefined, ['calendar']],
] as const)('a credential %s is sent nowhere', async (_, hosts, tools) => {
  await store(hosts === undefined ? undefined : [...hosts], [...tools])
  expect((await check()('google')).works).toBe(false)
  expect(google.tokens()).toEqual([])
})

test('a tool that may not have the credential is passed over, and another one tries it', async () => {
  await store()
  const other = createCalendarTool({ baseUrl: google.origin })
  expect((await check([null], [other])('google')).works).toBe(true)
  expect(google.tokens()).toEqual([`Bearer ${CANARY}`])
})

test('each account is tried, and the one that fails is named', async () => {
  await store()
  const { works, says } = await check([null, 'work'])('google')
  expect([works, says]).toEqual([
    false,
    'Nothing is stored to get in at Google with. That is the account work.',
  ])
})

test('a service without a harmless call is said to be untried', async () => {
  expect(await check()('other')).toMatchObject({
    works: null,
    says: expect.stringContaining('cannot try it'),
  })
})

test('a mail password is issued to the servers that it was given for alone', async () => {
  await world.secrets.set({
    ...{ name: 'mail', kind: 'token', value: CANARY },
    scope: { tools: ['email'], actions: [], hosts: ['old.example.com:993'] },
  })
  const mail = { address: 'a@example.com', imap: { host: 'new.example.com', port: 993 } }
  const issue = issuedToServers(
    async () => ({ ok: true, value: { hosts: ['old.example.com:993'] } }) as never,
    { mail: { ...mail, smtp: { host: 'new.example.com', port: 465 } } as never, otherMail: [] },
  )
  const issued = await issue({ credential: 'mail', account: null })
  expect(issued).toMatchObject({ ok: false, reason: { code: 'credential_mismatch' } })
})
