/** The open line against a real HTTP server that verifies every signature with the edge's own check. */

import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { checkSignature, readSigned } from '../../durable-objects/platform/signature.ts'
import { approveCard } from '../../kernel/features/approvals/operations/approve.ts'
import { denyCard } from '../../kernel/features/approvals/operations/deny.ts'
import { lockEdge } from '../../kernel/features/places/operations/lock.ts'
import { unlockEdge } from '../../kernel/features/places/operations/unlock.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import type { DeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { reportWith } from './scripted-link.ts'

interface Told {
  readonly status?: number
  readonly body: unknown
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const publicText = publicKey.export({ format: 'jwk' }).x ?? ''
const device: DeviceKey = {
  id: 'd1',
  publicKey: publicText,
  sign: (data) => new Uint8Array(sign(null, data, privateKey)),
}
const enrolled = [{ id: 'd1', publicKey: new Uint8Array(Buffer.from(publicText, 'base64url')) }]

let server: Server | null = null

afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  server = null
})

/** Answers only requests with a valid signature, as the edge does. */
async function edge(tell: (path: string, body: string) => Told | null): Promise<string> {
  server = createServer(async (incoming, response) => {
    const request = await asRequest(incoming)
    const { pathname, search } = new URL(request.url)
    const signed = await checkSignature(request, enrolled, Date.now())
    const body = signed.ok && request.method === 'POST' ? await readSigned(request) : ok('')
    const told = signed.ok && body.ok ? tell(`${request.method} ${pathname}${search}`, body.value) : UNSIGNED
    if (told !== null) response.writeHead(told.status ?? 200).end(JSON.stringify(told.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

const UNSIGNED: Told = { status: 401, body: { error: { code: 'signature_invalid', message: '' } } }

async function asRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const body = incoming.method === 'POST' ? Buffer.concat(chunks).toString() : null
  const { method = 'GET', url = '/' } = incoming
  return new Request(`http://${incoming.headers.host}${url}`, { method, headers, body })
}

test('the edge accepts every request of the open line', async () => {
  const seen: string[] = []
  const report = reportWith({ place: 'edge' })
  const url = await edge((path, body) => {
    seen.push(`${path} ${body}`.trim())
    if (path.startsWith('GET /line/tasks')) return { body: report }
    if (path.startsWith('GET /line/deliveries')) return { body: { deliveries: [] } }
    if (path.startsWith('POST /line/operations'))
      return { body: { card: 'a1', task: 't1', ended: '', again: false, refused: 1 } }
    return { status: 202, body: { task: 't1', turn: 1 } }
  })
  const link = createOpenLink({ edge: url, device })
  expect(await link.send({ id: 'm1', text: 'héllo' })).toEqual(ok({ task: 't1' }))
  expect(await link.report('t1')).toEqual(ok(report))
  expect(await link.deliveries(7, 10)).toEqual(ok([]))
  expect(await link.call(denyCard, { which: 'a/../b' })).toMatchObject(ok({ task: 't1' }))
  expect(await link.stop('t1')).toEqual(ok({ task: 't1' }))
  expect(seen).toEqual([
    'POST /line/messages {"id":"m1","text":"héllo"}',
    'GET /line/tasks/t1',
    'GET /line/deliveries?after=7&wait=10',
    'POST /line/operations/approvals.deny {"which":"a/../b"}',
    'POST /line/tasks/t1/stop {}',
  ])
})

test('the open line locks, and refuses to unlock without a request', async () => {
  const seen: string[] = []
  const url = await edge((path) => {
    seen.push(path)
    return { body: { done: true } }
  })
  const link = createOpenLink({ edge: url, device })
  expect(await link.call(lockEdge, {})).toEqual(ok({ done: true }))
  expect(await link.call(unlockEdge, {})).toEqual(err('approval_place_too_low'))
  expect(seen).toEqual(['POST /line/operations/edge.lock'])
})

test('a request with another key is refused by the edge and reported so', async () => {
  const url = await edge(() => ({ body: { task: 't1' } }))
  const stranger = generateKeyPairSync('ed25519').privateKey
  const link = createOpenLink({
    edge: url,
    device: { ...device, sign: (data) => new Uint8Array(sign(null, data, stranger)) },
  })
  expect(await link.send({ id: 'm', text: 'x' })).toEqual(err('signature_invalid'))
})

test.each([
  ['its code', { status: 409, body: { error: { code: 'approval_spent', message: 'x' } } }, 'approval_spent'],
  ['no code of ours', { status: 404, body: { error: { code: 'route_unknown' } } }, 'remote_rejected'],
  ['no JSON', { status: 502, body: undefined }, 'remote_rejected'],
  ['another shape', { status: 200, body: { tusk: 1 } }, 'frame_malformed'],
])('a refusal is read from the response: %s', async (_name, told, code) => {
  const link = createOpenLink({ edge: await edge(() => told), device })
  expect(await link.call(approveCard, { which: 'a' })).toEqual(err(code as 'approval_spent'))
})

test('an unreachable edge is remote_unavailable', async () => {
  const url = await edge(() => ({ body: {} }))
  server?.close()
  server?.closeAllConnections()
  expect(await createOpenLink({ edge: url, device }).status()).toEqual(err('remote_unavailable'))
})

test('closing the link ends a pending poll', async () => {
  const link = createOpenLink({ edge: await edge(() => null), device })
  const poll = link.deliveries(0, 20_000)
  setTimeout(() => link.close(), 50)
  expect(await poll).toEqual(err('remote_unavailable'))
})

test.each([
  [true, ok('edge')],
  [false, err('config_malformed')],
])('status of an edge whose health says ok: %s', async (said, expected) => {
  const link = createOpenLink({ edge: await edge(() => ({ body: { ok: said } })), device })
  const status = await link.status()
  expect(status.ok ? ok(status.value.place) : status).toEqual(expected)
})

test.each([
  ['which goes on', { paused: null }, undefined],
  ['of before, which knows of no pause', {}, undefined],
  [
    'that pauses by a word said there',
    { paused: { since: 0, sink: 'sink:openline:owner', by: 'edge' } },
    expect.stringMatching(/^since (?:1969|1970)-\d\d-\d\d \d\d:\d\d, by the open line, at the edge$/),
  ],
  [
    'that pauses by a word of home’s',
    { paused: { since: 0, sink: 'sink:terminal:owner', by: 'home' } },
    expect.stringMatching(/, by the terminal, at home$/),
  ],
])('status of an edge %s', async (_which, told, expected) => {
  const body = { ok: true, waiting: [], ...told }
  const link = createOpenLink({ edge: await edge(() => ({ body })), device })
  const status = await link.status()
  expect(status.ok && [status.value.place, status.value['waiting'], status.value['paused']]).toEqual([
    ...['edge', []],
    expected,
  ])
})
