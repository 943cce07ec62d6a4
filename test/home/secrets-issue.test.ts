/** Issuing credentials (E-06, E-07, invariant 4) and the redactor (E-18): for one call and one tool, and no trace of a value. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createToolPort } from '../../integrations/tools/port.ts'
import { err, permit } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type {
  ActionManifest,
  Credential,
  Tool,
  ToolManifest,
  ToolOutcome,
} from '../../kernel/tool/manifest.ts'
import type { AccessTokens } from '../../sidecar/secrets/access-tokens.ts'
import { createCredentialIssuer } from '../../sidecar/secrets/credential-issuer.ts'
import { NO_BREAKER, tokenFor } from '../tools/calls.ts'
import { CANARY, NEXT, SCOPE, type SecretsWorld, secretsWorld } from './fixtures/secrets.ts'

type Told = Omit<AuditEvent, 'at' | 'place'>

let world: SecretsWorld
let audited: Told[]
let told: string[]
beforeEach(async () => {
  world = await secretsWorld()
  audited = []
  told = []
  await world.secrets.set({ name: 'vault-name', kind: 'token', scope: SCOPE, value: CANARY })
})

/** None of these secrets is an OAuth grant. */
const NO_GRANTS: AccessTokens = {
  get: async () => err('tool_failed'),
  drop: () => undefined,
}

const issuer = () =>
  createCredentialIssuer({
    secrets: world.secrets,
    redactor: world.redactor,
    tokens: NO_GRANTS,
    nameOf: (credential) => (credential === 'google' ? 'vault-name' : credential),
    emulatorCredential: () => null,
    audit: (event) => audited.push(event),
    rejected: (name, version) => told.push(`${name} v${version}`),
    now: () => world.clock.now,
  })

function token(action = 'probe.run', id = 'cap1') {
  const { claims, mac } = tokenFor(action, id)
  return { claims: { ...claims, expiresAt: world.clock.now + 1_000 }, mac }
}
const request = (change: object = {}) => ({
  ...{ credential: 'google', tool: 'probe', action: 'probe.run', account: null, token: token() },
  ...change,
})

test('the call that its token names gets a credential, and the audit has a reference and no value', async () => {
  const issued = await issuer().issue(request())
  expect(issued.ok && issued.value.credential).toEqual({ scheme: 'bearer', value: CANARY })
  expect(audited).toEqual([
    {
      ...{ kind: 'credential_issued', trace: null, task: 't1', principal: 'principal:owner' },
      facts: {
        ...{ credential: 'vault-name', version: 1, tool: 'probe', action: 'probe.run' },
        ...{ capability: 'cap1', ok: true, code: null },
      },
    },
  ])
})

test('the unsealed buffer holds zeros afterwards', async () => {
  const seen: Uint8Array[] = []
  const unseal = world.secrets.unseal
  world.secrets.unseal = async (name) => {
    const plain = await unseal(name)
    if (plain.ok) seen.push(plain.value.bytes)
    return plain
  }
  await issuer().issue(request())
  expect(seen.map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true])
})

describe('a credential is refused', () => {
  const rows: readonly [string, () => object, string, string | null][] = [
    ['another tool', () => ({ tool: 'other' }), 'credential_mismatch', 'tool'],
    ['an action outside the scope', () => act('probe.write'), 'credential_mismatch', 'action'],
    ['a token of another action', () => ({ token: token('probe.other') }), 'token_wrong_tool', null],
    ['an expired token', () => ({ token: tokenFor('probe.run') }), 'token_expired', null],
    ['a name that is not there', () => ({ credential: 'github' }), 'credential_missing', null],
  ]
  test.each(rows)('in this case: %s', async (_, change, code, rule) => {
    const scope = { ...SCOPE, actions: ['probe.run'] }
    await world.secrets.set({ name: 'vault-name', kind: 'token', scope, value: CANARY })
    const issued = await issuer().issue(request(change()))
    expect(issued).toMatchObject({ ok: false, reason: { code, facts: rule === null ? {} : { rule } } })
    expect(audited.at(-1)?.facts).toMatchObject({ ok: false, code })
    expect(world.secrets.find('vault-name')?.lastUsedAt).toBeNull()
  })
  const act = (action: string) => ({ action, token: token(action) })

  test('for a capability token that was used', async () => {
    const source = issuer()
    expect((await source.issue(request())).ok).toBe(true)
    expect(await source.issue(request())).toMatchObject({ reason: { code: 'token_used_up' } })
    expect((await source.issue(request({ token: token('probe.run', 'cap2') }))).ok).toBe(true)
  })

  test('for another account by the same token it issues one, and for none two', async () => {
    const source = issuer()
    const other = request({ account: 'other' })
    expect((await source.issue(request())).ok).toBe(true)
    expect(await source.issue(other)).not.toMatchObject({ reason: { code: 'token_used_up' } })
    expect(await source.issue(other)).toMatchObject({ reason: { code: 'token_used_up' } })
  })

  test('if it is a password and the tool would send it as a bearer token', async () => {
    await world.secrets.set({ name: 'vault-name', kind: 'password', scope: SCOPE, value: CANARY })
    const issued = await issuer().issue(request())
    expect(issued).toMatchObject({ reason: { code: 'credential_mismatch', facts: { rule: 'kind' } } })
  })
})

const ACTION: ActionManifest = {
  ...{ id: 'probe.run', description: 'x', semantics: 'read', ceiling: 'public', compartment: null },
  ...{ reaches: 'public', sink: null, args: { kind: 'record', fields: {} } },
  output: { kind: 'record', fields: {} },
}
const MANIFEST: ToolManifest = {
  ...{ name: 'probe', version: '1', ownerOnly: true, places: ['home'], credential: 'google' },
  ...{ network: ['api.example.com', 'other.example.com'], actions: [ACTION] },
}

function portFor(execute: Tool['execute'], send = vi.fn()) {
  return createToolPort({
    ...{ place: 'home', tools: [{ manifest: MANIFEST, execute }], exemptOrigins: [] },
    transport: { send: send.mockResolvedValue({ ok: false, reason: { code: 'network_failed', facts: {} } }) },
    checkToken: () => permit('test'),
    credentials: issuer(),
    redact: (value) => world.redactor.data('tool', value),
    breaker: NO_BREAKER,
  })
}
const run = (execute: Tool['execute'], id = 'cap1') =>
  portFor(execute).run({ action: 'probe.run', args: {}, capability: token('probe.run', id) })

test('with a credential a tool can reach only the hosts in its scope', async () => {
  const send = vi.fn()
  const port = portFor(async ({ http }) => {
    const asked = ['https://api.example.com/', 'https://other.example.com/'].map((url) =>
      http.request({ method: 'GET', url }),
    )
    return { ok: true, output: (await Promise.all(asked)).map((one) => (one.ok ? '' : one.reason.code)) }
  }, send)
  const outcome = await port.run({ action: 'probe.run', args: {}, capability: token() })
  expect(outcome).toMatchObject({ output: ['network_failed', 'host_not_allowed'] })
  expect(send).toHaveBeenCalledTimes(1)
})

describe('a service that answers', () => {
  const answer =
    (code: 'remote_unauthorized' | 'remote_unavailable' | null): Tool['execute'] =>
    async () =>
      code === null ? { ok: true, output: {} } : { ok: false, reason: { code, facts: {} } }

  test.each([
    ['yes', null, 'proven', []],
    ['no', 'remote_unauthorized', 'rejected', ['vault-name v1']],
    ['nothing', 'remote_unavailable', 'trial', []],
  ] as const)('%s', async (_, code, state, notices) => {
    const outcome = await run(answer(code))
    expect(world.secrets.find('vault-name')?.state).toBe(state)
    expect([told, outcome.ok ? null : outcome.reason.code]).toEqual([notices, code])
  })

  test('with a rejection of a rotated credential: the owner is notified once, and the next call uses the former one', async () => {
    const values: string[] = []
    const refuseNext: Tool['execute'] = async ({ credential }) => {
      values.push(credential?.value ?? '')
      return credential?.value === NEXT
        ? { ok: false, reason: { code: 'remote_unauthorized', facts: {} } }
        : { ok: true, output: {} }
    }
    await run(refuseNext, 'c1')
    await world.secrets.rotate('vault-name', NEXT)
    await run(refuseNext, 'c2')
    await run(refuseNext, 'c3')
    expect([values, told]).toEqual([[CANARY, NEXT, CANARY], ['vault-name v2']])
  })
})

describe('a tool that echoes its credential reveals it to nobody', () => {
  const echo = (credential: Credential | null): string => `it is ${credential?.value}.`
  const ways: readonly (readonly [string, Tool['execute']])[] = [
    ['in its output', async ({ credential }) => ({ ok: true, output: { a: [echo(credential)] } })],
    ['as a key', async ({ credential }) => ({ ok: true, output: { [echo(credential)]: 1 } })],
    [
      'in a reason',
      async ({ credential }) => ({
        ok: false,
        reason: { code: 'tool_failed', facts: { x: echo(credential) } },
      }),
    ],
    [
      'in an exception',
      async ({ credential }): Promise<ToolOutcome> => {
        throw new Error(echo(credential))
      },
    ],
  ]
  test.each(ways)('%s', async (_, execute) => {
    expect(JSON.stringify(await run(execute))).not.toContain(CANARY)
  })
})

describe('the redactor', () => {
  const bytes = Buffer.from(CANARY)
  const spellings: readonly (readonly [string, string])[] = [
    ['raw', CANARY],
    ['hex', bytes.toString('hex')],
    ['upper-case hex', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64url', bytes.toString('base64url')],
    ['base64 behind a user name', Buffer.from(`u:${CANARY}:x`).toString('base64')],
    ['base64 behind Bearer', Buffer.from(`Bearer ${CANARY}`).toString('base64')],
    ['URL-encoded', encodeURIComponent(CANARY)],
    ['URL-encoded in lower case', encodeURIComponent(CANARY).replace(/%../g, (code) => code.toLowerCase())],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ a: CANARY }))],
  ]
  test.each(spellings)('finds a value %s', (_, text) => {
    expect(world.redactor.text('log', `a ${text} b`)).toContain(text)
    world.redactor.learn('google', CANARY)
    const clean = world.redactor.text('log', `a ${text} b`)
    expect(clean).toContain('[redacted]')
    for (let from = 0; from + 12 <= text.length; from += 1)
      expect(clean.includes(text.slice(from, from + 12)), `piece at ${from}`).toBe(false)
    expect(world.found).toContain('google@log')
  })

  test('leaves everything else unchanged', () => {
    world.redactor.learn('google', CANARY)
    const data = { a: [1, null, true, 'words'], b: new Date(0) }
    expect(world.redactor.data('audit', data)).toEqual(data)
    expect(world.found).toEqual([])
  })

  test('knows each line of a key', () => {
    world.redactor.learn('pem', 'first-line-of-a-key\nsecond-line-of-a-key')
    expect(world.redactor.text('log', 'x second-line-of-a-key y')).toBe('x [redacted] y')
  })
})
