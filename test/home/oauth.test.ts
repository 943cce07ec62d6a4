/**
 * OAuth grants (I-11): an expired access token is exchanged again, once for concurrent callers; the tool never sees the
 * grant; a revoked grant is reported. Against a strict endpoint, and the emulator's.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Transport } from '../../integrations/http/transport.ts'
import { exchangeRefreshToken } from '../../integrations/tools/oauth-token.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { type AccessTokensInput, createAccessTokens } from '../../sidecar/secrets/access-tokens.ts'
import { createCredentialIssuer } from '../../sidecar/secrets/credential-issuer.ts'
import { checkValue } from '../../sidecar/secrets/secret.ts'
import { tokenFor } from '../tools/calls.ts'
import { OWNER, startGoogle } from '../tools/google-emulator.ts'
import { SCOPE, type SecretsWorld, secretsWorld, valueInForce } from './fixtures/secrets.ts'

const GRANT = {
  client_id: 'client-7319.apps',
  client_secret: 'secret-of-the-client',
  refresh_token: '1//refresh-of-the-owner',
}
const STORED = JSON.stringify(GRANT)
const URL_OF = 'https://oauth2.googleapis.com/token'
const GOOD = { access_token: 'ya29.first-token', token_type: 'Bearer', expires_in: 3_600 }

interface Answer {
  readonly status?: number
  readonly body: object | string
  readonly headers?: Readonly<Record<string, string>>
}

let world: SecretsWorld
let audited: Omit<AuditEvent, 'at' | 'place'>[]
let told: string[]
/** Responses of the endpoint, in order; the last one repeats. */
let answers: Answer[]
let asked: { readonly url: string; readonly body: string | null }[]

beforeEach(async () => {
  world = await secretsWorld()
  audited = []
  told = []
  asked = []
  answers = [{ body: GOOD }]
  await world.secrets.set({ name: 'google', kind: 'oauth', scope: SCOPE, value: STORED })
})

/** Accepts exactly what RFC 6749 §6 describes. */
const endpoint: Transport = {
  async send({ method, url, headers, body }) {
    asked.push({ url: url.href, body: body === null ? null : String(body) })
    const {
      status = 200,
      body: said,
      headers: more = {},
    } = answers.length > 1 ? (answers.shift() as Answer) : (answers[0] as Answer)
    const lawful = method === 'POST' && headers['content-type'] === 'application/x-www-form-urlencoded'
    const text = typeof said === 'string' ? said : JSON.stringify(said)
    const bytes = new TextEncoder().encode(lawful ? text : '{"error":"invalid_request"}')
    async function* stream() {
      yield bytes
    }
    return {
      ok: true,
      value: {
        status: lawful ? status : 400,
        headers: { 'content-type': 'application/json', ...more },
        body: stream(),
      },
    }
  },
}

const exchange: AccessTokensInput['exchange'] = (_, grant) =>
  exchangeRefreshToken({ ...grant, url: URL_OF, transport: endpoint, exemptOrigins: [] })

const issuer = (by = exchange) =>
  createCredentialIssuer({
    secrets: world.secrets,
    redactor: world.redactor,
    tokens: createAccessTokens({
      ...{ exchange: by, secrets: world.secrets, learn: world.redactor.learn },
      now: () => world.clock.now,
    }),
    nameOf: (credential) => credential,
    emulatorCredential: () => null,
    audit: (event) => audited.push(event),
    rejected: (name, version) => told.push(`${name} v${version}`),
    now: () => world.clock.now,
  })

let calls = 0
function request() {
  calls += 1
  const { claims, mac } = tokenFor('probe.run', `cap${calls}`)
  const token = { claims: { ...claims, expiresAt: world.clock.now + 1_000 }, mac }
  return { credential: 'google', tool: 'probe', action: 'probe.run', account: null, token }
}

async function given(of: ReturnType<typeof issuer>): Promise<string> {
  const issued = await of.issue(request())
  return issued.ok ? issued.value.credential.value : issued.reason.code
}

test('the tool gets an access token, requested as the standard says, and never the grant', async () => {
  const of = issuer()
  expect(await given(of)).toBe('ya29.first-token')
  expect(asked.map(({ url }) => url)).toEqual([URL_OF])
  expect(Object.fromEntries(new URLSearchParams(asked[0]?.body ?? ''))).toEqual({
    grant_type: 'refresh_token',
    ...GRANT,
  })
  const parts = [GRANT.client_secret, GRANT.refresh_token, GOOD.access_token]
  expect(world.redactor.text('log', parts.join(' '))).toBe('[redacted] [redacted] [redacted]')
  for (const part of parts) expect(JSON.stringify(audited)).not.toContain(part)
})

test('an access token is kept in memory until it has less than a minute left', async () => {
  const of = issuer()
  await given(of)
  world.clock.now += 3_540_000
  expect([await given(of), asked.length]).toEqual(['ya29.first-token', 1])
  answers = [{ body: { ...GOOD, access_token: 'ya29.second-token' } }]
  world.clock.now += 1
  expect([await given(of), asked.length]).toEqual(['ya29.second-token', 2])
  expect(await valueInForce(world.secrets)).toBe(`v1 ${STORED}`)
})

test('concurrent callers wait for one exchange', async () => {
  const of = issuer()
  expect(new Set(await Promise.all([1, 2, 3, 4].map(() => given(of))))).toEqual(new Set(['ya29.first-token']))
  expect(asked).toHaveLength(1)
})

test('a rotated refresh token is stored as the next value before its access token is used', async () => {
  answers = [
    { body: { ...GOOD, refresh_token: '1//the-next-refresh' } },
    { body: { ...GOOD, access_token: 'ya29.third-token' } },
  ]
  const of = issuer()
  await given(of)
  expect(await valueInForce(world.secrets)).toBe(
    `v2 ${JSON.stringify({ ...GRANT, refresh_token: '1//the-next-refresh' })}`,
  )
  expect([await given(of), asked.length]).toEqual(['ya29.first-token', 1])
  world.clock.now += 3_600_000
  expect(await given(of)).toBe('ya29.third-token')
  expect(new URLSearchParams(asked[1]?.body ?? '').get('refresh_token')).toBe('1//the-next-refresh')
})

test('a new value of the owner’s is used at once', async () => {
  const of = issuer()
  await given(of)
  await world.secrets.set({
    name: 'google',
    kind: 'oauth',
    scope: SCOPE,
    value: STORED.replace('1//', '2//'),
  })
  answers = [{ body: { ...GOOD, access_token: 'ya29.other-token' } }]
  expect(await given(of)).toBe('ya29.other-token')
})

test.each([
  [
    'a permission that was withdrawn',
    { status: 400, body: { error: 'invalid_grant' } },
    'credential_rejected',
  ],
  ['a client that is not known', { status: 401, body: { error: 'invalid_client' } }, 'credential_rejected'],
  ['a malformed request', { status: 400, body: { error: 'invalid_request' } }, 'remote_rejected'],
  ['a service in trouble', { status: 503, body: 'later' }, 'remote_unavailable'],
  ['too often', { status: 429, body: {} }, 'remote_rate_limited'],
  ['no JSON', { body: 'ya29' }, 'tool_result_invalid'],
  ['another kind of token', { body: { ...GOOD, token_type: 'mac' } }, 'tool_result_invalid'],
  [
    'a token that ends a header',
    { body: { ...GOOD, access_token: 'abcdefgh\r\nx: y' } },
    'tool_result_invalid',
  ],
  [
    'a redirect',
    { status: 307, body: '', headers: { location: 'https://evil.example/' } },
    'redirect_refused',
  ],
] as const)('%s', async (_, answer, code) => {
  answers = [answer]
  const of = issuer()
  expect(await given(of)).toBe(code)
  expect(asked).toHaveLength(1)
  expect(audited.at(-1)?.facts).toMatchObject({ credential: 'google', ok: false, code })
  const over = code === 'credential_rejected'
  expect([told, world.secrets.find('google')?.state]).toEqual(
    over ? [['google v1'], 'rejected'] : [[], 'trial'],
  )
  await given(of)
  expect(told).toHaveLength(over ? 1 : 0)
})

describe('a service that refuses an access token', () => {
  test('that was cached causes a new exchange, and no notice', async () => {
    const of = issuer()
    await given(of)
    const kept = await of.issue(request())
    if (kept.ok) kept.value.settle('rejected')
    await given(of)
    expect([asked.length, told]).toEqual([2, []])
  })

  test('that is fresh shows that the grant is revoked, and the owner is notified', async () => {
    const issued = await issuer().issue(request())
    if (issued.ok) issued.value.settle('rejected')
    expect([told, world.secrets.find('google')?.state]).toEqual([['google v1'], 'rejected'])
  })
})

test.each([
  [
    'the file of Google’s tools',
    JSON.stringify({ type: 'authorized_user', quota: 7, ...GRANT }, null, 2),
    STORED,
  ],
  ['a bare token', 'ya29.first-token', 'ya29.first-token'],
  ['a file that is something else', '{"type":"service_account"}', 'grant'],
  ['a file without a refresh token', JSON.stringify({ ...GRANT, refresh_token: undefined }), 'grant'],
  [
    'a client without a secret',
    JSON.stringify({ ...GRANT, client_secret: undefined }),
    JSON.stringify({ ...GRANT, client_secret: undefined }),
  ],
] as const)('stored from %s', (_, value, stored) => {
  const checked = checkValue('oauth', value)
  expect(checked.ok ? checked.value : checked.reason.facts['rule']).toBe(stored)
})

test('with the emulator’s Google: a real exchange, and an unknown refresh token', async () => {
  const client = { client_id: GRANT.client_id, client_secret: GRANT.client_secret }
  const redirect = 'http://localhost/back'
  const base = await startGoogle({ oauth_clients: [{ ...client, name: 'PFAR', redirect_uris: [redirect] }] })
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${base}${path}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  const agreed = await post('/o/oauth2/v2/auth/callback', {
    ...{
      email: OWNER,
      redirect_uri: redirect,
      scope: 'email',
      state: '',
      nonce: '',
      client_id: client.client_id,
    },
  })
  const code = new URL(agreed.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const tokens = await post('/oauth2/token', {
    ...client,
    code,
    redirect_uri: redirect,
    grant_type: 'authorization_code',
  })
  const { refresh_token: refreshToken } = (await tokens.json()) as { refresh_token: string }

  const transport = createPinnedTransport()
  const by =
    (token: string): AccessTokensInput['exchange'] =>
    (_, grant) =>
      exchangeRefreshToken({
        ...{ ...grant, refreshToken: token, url: `${base}/oauth2/token` },
        ...{ transport, exemptOrigins: [base] },
      })
  const token = await given(issuer(by(refreshToken)))
  const listed = await fetch(`${base}/gmail/v1/users/me/messages`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect([token.startsWith('google_'), listed.status]).toEqual([true, 200])
  expect(await given(issuer(by('1//nobody-knows-this')))).toBe('credential_rejected')
  await transport.close()
})

describe('a service that rotates its tokens as Slack does', () => {
  const TYPED = '1234567890.9876543210  0123456789abcdef0123456789abcdef xoxe-1-the-first-refresh-token'
  const RENEWED = { ok: true, access_token: 'xoxe.xoxp-1-token-one', token_type: 'user', expires_in: 43_200 }
  const slack = (refresh: string): Answer => ({ body: { ...RENEWED, refresh_token: refresh } })

  const stored = async () => {
    const { secrets } = world
    await secrets.set({ name: 'google', kind: 'oauth', scope: SCOPE, value: TYPED })
    answers = [slack('xoxe-1-the-second-refresh-token'), slack('xoxe-1-the-third-refresh-token')]
    return issuer()
  }

  test('takes three values in one line, and each refresh token once', async () => {
    const of = await stored()
    expect(await given(of)).toBe(RENEWED.access_token)
    expect(await given(of)).toBe(RENEWED.access_token)
    world.clock.now += 43_200_000
    expect(await given(of)).toBe(RENEWED.access_token)
    expect(asked.map(({ body }) => Object.fromEntries(new URLSearchParams(body ?? '')))).toEqual(
      ['xoxe-1-the-first-refresh-token', 'xoxe-1-the-second-refresh-token'].map((refresh_token) => ({
        grant_type: 'refresh_token',
        refresh_token,
        client_id: '1234567890.9876543210',
        client_secret: '0123456789abcdef0123456789abcdef',
      })),
    )
    expect(await valueInForce(world.secrets)).toContain('xoxe-1-the-third-refresh-token')
    expect(world.redactor.text('log', TYPED)).not.toContain('xoxe-')
  })

  test('is asked once more for a token that it ended early, and not for one that it has just given', async () => {
    const of = await stored()
    const first = await of.issue(request())
    expect(first.ok && first.value.renew).toBeUndefined()
    const second = await of.issue(request())
    if (!second.ok) throw new Error(second.reason.code)
    second.value.settle('rejected')
    const again = await second.value.renew?.()
    expect(again?.ok).toBe(true)
    expect([asked.length, told]).toEqual([2, []])
    expect(again?.ok && again.value.renew).toBeUndefined()
  })

  test.each([
    ['invalid_refresh_token', 'credential_rejected'],
    ['bad_client_secret', 'credential_rejected'],
    ['ratelimited', 'remote_rate_limited'],
    ['internal_error', 'remote_unavailable'],
    ['something_new', 'remote_rejected'],
  ])('that says %s with status 200 is %s', async (error, code) => {
    const of = await stored()
    answers = [{ body: { ok: false, error } }]
    expect(await given(of)).toBe(code)
    expect(told).toEqual(code === 'credential_rejected' ? ['google v2'] : [])
  })

  test('and gives the token of a bot is not believed', async () => {
    const of = await stored()
    answers = [{ body: { ...RENEWED, token_type: 'bot' } }]
    expect(await given(of)).toBe('tool_result_invalid')
  })

  test('is no other line of words', () => {
    for (const value of [
      'one two three',
      'correcthorse batterystaple xoxe-notofthis',
      TYPED.replace('xoxe-', 'xoxp-'),
    ])
      expect(checkValue('token', value).ok && value.includes(' ')).toBe(false)
  })
})
