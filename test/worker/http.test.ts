/** The edge's HTTP routes: only signed requests reach an object; every failure is answered in words (B-09, T-02, Q-19). */
import { env, exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { settingsOf } from '../../durable-objects/platform/env.ts'
import { askObject } from '../../durable-objects/platform/errors.ts'
import { checkSignature, MAX_BODY_BYTES, SIGNATURE_SKEW } from '../../durable-objects/platform/signature.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { DEVICE, STRANGER } from './device.ts'
import { EDGE, type SignOptions, signed } from './signed.ts'

const call = (request: Request): Promise<Response> => exports.default.fetch(request)
const codeOf = async (response: Response): Promise<string> =>
  (await response.json<{ error: { code: string } }>()).error.code

test('the health route reports that the edge is configured', async () => {
  const response = await call(new Request(`${EDGE}/healthz`))
  expect([response.status, await response.json()]).toEqual([200, { ok: true }])
})

const UNSIGNED: readonly (readonly [string, string])[] = [
  ['POST', '/line/messages'],
  ['GET', '/line/deliveries'],
  ['GET', '/line/tasks/t1'],
  ['POST', '/line/tasks/t1/stop'],
  ['POST', '/line/operations/approvals.approve'],
  ['POST', '/line/operations/memory.list'],
  ['POST', '/line/operations/edge.lock'],
  ['POST', '/line/operations/nothing.known'],
  ['GET', '/devices'],
  ['POST', '/devices/codes'],
  ['POST', '/devices/revoke'],
]

test.each(UNSIGNED)('an unsigned request %s %s is refused with 401', async (method, path) => {
  const response = await call(
    new Request(EDGE + path, { method, ...(method === 'POST' ? { body: '{}' } : {}) }),
  )
  expect([response.status, await codeOf(response)]).toEqual([401, 'signature_invalid'])
})

const LONG_AGO = (SIGNATURE_SKEW + 5) * 1_000
const REJECTED: readonly (readonly [string, string, SignOptions])[] = [
  ['another key under a known id', 'VerificationFailed', { device: STRANGER }],
  ['an unknown device', 'ResolverFailed', { device: { ...DEVICE, id: 'phone' } }],
  ['a date too old', 'PolicyViolation', { shift: -LONG_AGO }],
  ['a date in the future', 'PolicyViolation', { shift: LONG_AGO }],
  ['no date', 'PolicyViolation', { undated: true }],
  ['a method that is not covered', 'PolicyViolation', { components: ['@authority', '@path', '@query'] }],
  ['a host that is not covered', 'PolicyViolation', { components: ['@method', '@path', '@query'] }],
  ['a path that is not covered', 'PolicyViolation', { components: ['@method', '@authority', '@query'] }],
  ['a query that is not covered', 'PolicyViolation', { components: ['@method', '@authority', '@path'] }],
  ['an empty nonce', 'nonce', { nonce: '' }],
  ['a nonce that would fill a row', 'nonce', { nonce: 'n'.repeat(129) }],
  [
    'a body whose digest is not covered',
    'PolicyViolation',
    { body: '{}', components: ['@method', '@authority', '@path', '@query'] },
  ],
]

test.each(REJECTED)('a signature with %s is refused: %s', async (_name, why, options) => {
  const result = await checkSignature(await signed('/line/messages', options), [DEVICE], Date.now())
  expect(result).toEqual({ ok: false, reason: { code: 'signature_invalid', facts: { why } } })
})

test('a signature is accepted up to the allowed clock skew', async () => {
  const request = await signed('/x', { shift: -(SIGNATURE_SKEW - 5) * 1_000 })
  expect(await checkSignature(request, [DEVICE], Date.now())).toMatchObject({ ok: true })
})

test('a signature covers method, host, path and query', async () => {
  const { headers } = await signed('/line/tasks/t1')
  for (const request of [
    new Request(`${EDGE}/line/tasks/t2`, { headers }),
    new Request('https://other.test/line/tasks/t1', { headers }),
    new Request(`${EDGE}/line/tasks/t1?after=7`, { headers }),
    new Request(`${EDGE}/line/tasks/t1`, { headers, method: 'HEAD' }),
  ]) {
    const result = await checkSignature(request, [DEVICE], Date.now())
    expect(result).toMatchObject({ ok: false, reason: { facts: { why: 'VerificationFailed' } } })
  }
})

test('a replayed read or decision is refused, and a replayed message is recognised by its id', async () => {
  const again = async (path: string, body?: string) => {
    const request = await signed(path, body === undefined ? {} : { body })
    await call(request.clone())
    return (await call(request)).status
  }
  expect(await again('/line/deliveries?after=0&wait=0')).toBe(401)
  expect(await again('/line/operations/approvals.list', '{}')).toBe(401)
  expect(await again('/line/operations/approvals.approve', '{"which":"a1"}')).toBe(401)
  expect(await again('/line/messages', message('hello'))).not.toBe(401)
})

const message = (text: string): string => JSON.stringify({ id: crypto.randomUUID(), text })

test('a replayed request with another body is refused with 401', async () => {
  const request = await signed('/line/messages', { body: message('hello') })
  const changed = new Request(request, { body: message('delete everything') })
  const response = await call(changed)
  expect([response.status, await codeOf(response)]).toEqual([401, 'signature_invalid'])
})

test('a signed but wrong digest is refused with 401', async () => {
  const headers = { 'content-digest': 'sha-256=:AAAA:' }
  const request = await signed('/line/messages', {
    method: 'POST',
    headers,
    components: ['@method', '@authority', '@path', '@query', 'content-digest'],
  })
  const response = await call(new Request(request, { body: message('hello') }))
  expect([response.status, await codeOf(response)]).toEqual([401, 'signature_invalid'])
})

const LARGE: readonly (readonly [string, number, number])[] = [
  ['ten megabytes', 10_000_000, 413],
  ['one byte more than allowed', MAX_BODY_BYTES + 1, 413],
  ['as much as allowed, but no message', MAX_BODY_BYTES, 400],
]

test.each(LARGE)('a body is refused by its size: %s', async (_name, size, status) => {
  const response = await call(await signed('/line/messages', { body: 'x'.repeat(size) }))
  expect(response.status).toBe(status)
  expect(await codeOf(response)).toBe(status === 413 ? 'event_too_large' : 'event_malformed')
})

test('a body without a declared length is cut at the limit', async () => {
  const request = await signed('/line/messages', { body: 'x'.repeat(MAX_BODY_BYTES + 1) })
  const { headers } = request
  headers.delete('content-length')
  const stream = request.body?.pipeThrough(new TransformStream()) ?? null
  const response = await call(new Request(request.url, { method: 'POST', headers, body: stream }))
  expect([response.status, await codeOf(response)]).toEqual([413, 'event_too_large'])
})

const BODIES: readonly (readonly [string, string])[] = [
  ['no JSON', '{'],
  ['no text', '{"id":"1"}'],
  ['an empty id', '{"id":"","text":"hello"}'],
  ['a label of its own', '{"id":"1","text":"hello","label":"public"}'],
  ['a text that is none', '{"id":"1","text":{"toString":"hello"}}'],
]

test.each(BODIES)('a message with %s is refused with 400', async (_name, body) => {
  const response = await call(await signed('/line/messages', { body }))
  expect([response.status, await codeOf(response)]).toEqual([400, 'event_malformed'])
})

test('an unknown path is answered in words', async () => {
  const response = await call(new Request(`${EDGE}/admin`))
  expect([response.status, await response.json()]).toEqual([
    404,
    { error: { code: 'route_unknown', message: 'There is nothing here.' } },
  ])
})

test('the tunnel accepts upgrades only, and only signed ones', async () => {
  const plain = await call(await signed('/tunnel'))
  expect([plain.status, await codeOf(plain)]).toEqual([426, 'upgrade_required'])
  const unsigned = await call(new Request(`${EDGE}/tunnel`, { headers: { upgrade: 'websocket' } }))
  expect([unsigned.status, await codeOf(unsigned)]).toEqual([401, 'signature_invalid'])
})

const BROKEN: readonly (readonly [string, string])[] = [
  ['EDGE_SEAL_KEY', 'short-canary'],
  ['EDGE_TOKEN_KEY', ''],
  ['EDGE_SIGN_KEY', 'canary'],
  ['EDGE_NAME_KEY', `${'A'.repeat(42)}=`],
  ['DEVICE_KEYS', '[{"id":"d1","publicKey":"canary"}]'],
  ['DEVICE_KEYS', '[{"id":"d 1","publicKey":""}]'],
  ['LOCAL_ORIGINS', '["http://127.0.0.1:4100/canary"]'],
  ['LOCAL_ORIGINS', 'canary'],
  ['SESSION', '{"planner_turns":51}'],
  ['SESSION', '{"turns":1}'],
]

test.each(BROKEN)(
  'a deployment with a wrong %s (%s) is refused by the setting’s name, without its value',
  (binding, value) => {
    const settings = settingsOf({ ...env, [binding]: value })
    expect(settings).toEqual({ ok: false, reason: { code: 'config_malformed', facts: { binding } } })
  },
)

test.each([
  ['nothing', undefined, { plannerTurns: 12, writerTurns: 20, tokens: 4_000 }],
  ['one setting', '{"history_tokens":400}', { plannerTurns: 12, writerTurns: 20, tokens: 400 }],
])('the conversation’s window is configured by %s (B-18)', (_what, session, history) => {
  const { SESSION: _shipped, ...rest } = env
  const settings = settingsOf({ ...rest, ...(session !== undefined && { SESSION: session }) })
  expect(settings.ok && settings.value.history).toEqual(history)
})

test('an object evicted during a call is called once more, and then the failure is answered in words', async () => {
  let calls = 0
  const flaky = (failures: number) => async () => {
    calls += 1
    if (calls <= failures) throw new Error('canary')
    return ok('done')
  }
  expect(await askObject(flaky(1))).toEqual({ ok: true, value: 'done' })
  calls = 0
  expect(await askObject(flaky(9))).toEqual({ ok: false, reason: { code: 'storage_failed', facts: {} } })
  expect(calls).toBe(2)
})
