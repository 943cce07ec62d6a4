/** Lists the models of a provider: newest first, names only, and what a hostile or broken list gets. */
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { listModelNames } from '../../integrations/models/model-names.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { type Answer, serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'

const KEY = 'key-of-the-test-0123456789'

const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function names(kind: 'openai' | 'anthropic', answer: Answer, key: string | null = KEY) {
  const seen: IncomingMessage[] = []
  const served = await serve((request, response, body) => {
    seen.push(request)
    return answer(request, response, body)
  })
  const { origin } = closing(served)
  const transport = createPinnedTransport()
  const connection = { baseUrl: origin, exemptOrigins: [origin], transport, key: null }
  const found = await listModelNames(kind, connection, key)
  await transport.close()
  return { found, seen }
}

it('asks OpenAI’s interface for /models with the key, and gives the newest first', async () => {
  const data = [
    { id: 'old', created: 1_600_000_000 },
    { id: 'new', created: 1_700_000_000 },
    { id: 'no-date' },
  ]
  const { found, seen } = await names('openai', json({ object: 'list', data }))
  expect(found).toEqual({ ok: true, value: ['new', 'old', 'no-date'] })
  expect([seen[0]?.url, seen[0]?.headers.authorization]).toEqual(['/models', `Bearer ${KEY}`])
})

it('asks Anthropic’s with its version, and reads its dates', async () => {
  const data = [
    { id: 'first', created_at: '2025-01-01T00:00:00Z' },
    { id: 'second', created_at: '2026-01-01T00:00:00Z' },
  ]
  const { found, seen } = await names('anthropic', json({ data, has_more: false }))
  expect(found).toEqual({ ok: true, value: ['second', 'first'] })
  expect(seen[0]?.url).toBe('/v1/models?limit=1000')
  expect(seen[0]?.headers['anthropic-version']).toMatch(/^\d{4}-\d\d-\d\d$/)
})

it('without a key none is sent', async () => {
  const { seen } = await names('openai', json({ data: [] }), null)
  expect(seen[0]?.headers.authorization).toBeUndefined()
})

it('a name that could not stand in a file or on a terminal is left out', async () => {
  const ids = ['fine', 'two\nlines', '\u001b[31mred', 'a"quote', 7, null, 'x'.repeat(201)]
  const { found } = await names('openai', json({ data: [...ids.map((id) => ({ id })), null, 'text'] }))
  expect(found).toEqual({ ok: true, value: ['fine'] })
})

it.each([
  ['a key that is not accepted', json({ error: { message: 'Zanzibar' } }, 401), 'model_misconfigured'],
  ['no list', json({ models: [] }), 'model_garbled'],
  ['no object', json('Zanzibar'), 'model_garbled'],
  ['a page', (_request, response) => response.end('<p>Zanzibar'), 'model_garbled'],
  ['too much work', json({}, 529), 'model_overloaded'],
  [
    'a redirect',
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    'model_misconfigured',
  ],
  ['a cut connection', (_request, response) => response.destroy(), 'model_failed'],
] satisfies [string, Answer, string][])(
  '%s is a reason without the service’s words',
  async (_what, answer, code) => {
    const { found } = await names('openai', answer)
    expect(found).toMatchObject({ ok: false, reason: { code } })
    expect(JSON.stringify(found)).not.toContain('Zanzibar')
  },
)
