/**
 * The token of the private line: a client that knows only the socket's path is refused before any method, and leaves a
 * bounded number of audit rows.
 */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ok } from '../../kernel/flow/verdict.ts'
import { createPrivateLink } from '../../sidecar/cli/line/private-link.ts'
import { makeNonce, proofOf } from '../../sidecar/line/door.ts'
import { listen, type SocketServer } from '../../sidecar/line/listen.ts'
import { given } from './fixtures/backup.ts'
import { PLAIN_LINE } from './fixtures/line.ts'
import { type Client, connectClient, dialHome, greetHome, type Reply } from './fixtures/process.ts'

let path = ''
let server: SocketServer
let bare: Client
let asked: string[] = []
let denied: string[] = []

async function open(): Promise<SocketServer> {
  const method = (name: string) => async () => {
    asked.push(name)
    return ok({ place: 'home' })
  }
  return given(
    await listen({
      ...PLAIN_LINE,
      path,
      operations: { 'grants.list': method('grants.list') },
      methods: { status: method('status'), hello: method('hello') },
      follow: () => void asked.push('events'),
      denied: (code) => void denied.push(code),
    }),
  )
}

beforeEach(async () => {
  path = join(mkdtempSync(join(tmpdir(), 'pfar-token-')), 'home.sock')
  asked = []
  denied = []
  server = await open()
  bare = await dialHome(path)
})
afterEach(async () => {
  bare.socket.destroy()
  await server.close()
})

const nonce = makeNonce()
const HELLO = JSON.stringify({ nonce })
const REFUSED = {
  status: 401,
  answer: { error: { code: 'signature_invalid', message: 'signature_invalid' } },
}

/** The last response on the connection. */
async function isTurnedAway(answer: Promise<Reply>): Promise<void> {
  const ended = once(bare.socket, 'close')
  expect(await answer).toEqual(REFUSED)
  await ended
  expect(asked).toEqual([])
  expect(denied).toEqual(['signature_invalid'])
}

describe('a client that knows only the path is refused, and reaches no method', () => {
  test.each([
    '/methods/status',
    '/operations/grants.list',
    '/events',
    '/methods/none',
    '/',
    '/methods/hello',
  ])('at %s: at once, with a proof before a greeting, and with an invented one', async (at) => {
    await isTurnedAway(bare.post(at, '{"after":0}'))
    ;[denied, bare] = [[], await dialHome(path)]
    await isTurnedAway(bare.post(at, '{"after":0}', { authorization: 'x' }))
    ;[denied, bare] = [[], await dialHome(path)]
    await bare.post('/hello', HELLO)
    await isTurnedAway(bare.post(at, '{"after":0}', { authorization: 'x' }))
  })

  test.each(['{}', '[]', '{"nonce":""}', '{"nonce":{"toString":1}}', '{"nonce":"x","as":"eve"}', 'no JSON'])(
    'with a malformed greeting: %s',
    (said) => isTurnedAway(bare.post('/hello', said)),
  )

  test('with a second greeting', async () => {
    await bare.post('/hello', HELLO)
    await isTurnedAway(bare.post('/hello', HELLO))
  })

  test('with home’s own proof, reflected', async () => {
    const { answer } = await bare.post('/hello', HELLO)
    const { proof } = answer as { readonly proof: string }
    await isTurnedAway(bare.post('/methods/status', '{}', { authorization: proof }))
  })

  test('with the proof of another connection', async () => {
    const other = await dialHome(path)
    const proof = await greetHome(other, path)
    expect(await other.post('/methods/status', '{}', proof)).toMatchObject({ status: 200 })
    other.socket.destroy()
    asked = []
    await bare.post('/hello', HELLO)
    await isTurnedAway(bare.post('/methods/status', '{}', proof))
  })

  test('with a proof over a nonce that home did not send', async () => {
    const token = readFileSync(join(path, '..', 'home.token'), 'utf8')
    const authorization = proofOf(token, 'client', { client: nonce, home: makeNonce() })
    await bare.post('/hello', HELLO)
    await isTurnedAway(bare.post('/methods/status', '{}', { authorization }))
  })

  test('without HTTP', async () => {
    const ended = once(bare.socket, 'close')
    bare.socket.write('{"id":"a","method":"status"}\n')
    await ended
    expect([asked, denied]).toEqual([[], ['frame_malformed']])
  })

  test('with an oversized greeting', async () => {
    const ended = once(bare.socket, 'close')
    const said = JSON.stringify({ nonce: 'x'.repeat(10_000) })
    expect(await bare.post('/hello', said)).toMatchObject({ status: 413 })
    await ended
    expect([asked, denied]).toEqual([[], ['frame_too_large']])
  })
})

test('a body without a declared length is not read', async () => {
  const proof = await greetHome(bare, path)
  const chunked = { ...proof, 'transfer-encoding': 'chunked' }
  expect(await bare.post('/methods/status', '{}', chunked)).toMatchObject({ status: 400 })
  expect(await bare.post('/methods/status', '{}', proof)).toMatchObject({ status: 200 })
  expect(asked).toEqual(['status'])
})

test('a silent client does not keep its connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    bare.socket.destroy()
    await server.close()
    server = await open()
    denied = []
    const [silent, known] = [await dialHome(path), await connectClient(path)]
    await known.ask('status')
    const ended = once(silent.socket, 'close')
    await vi.advanceTimersByTimeAsync(10_000)
    await ended
    expect(denied).toEqual(['hello_overdue'])
    expect(await known.ask('status')).toHaveProperty('result')
  } finally {
    vi.useRealTimers()
  }
})

test('the terminal, which can read the token, is accepted', async () => {
  const link = createPrivateLink(path)
  expect(await link.status()).toMatchObject({ ok: true })
  link.close()
  expect(denied).toEqual([])
})

test('the token is 0600, is never sent, and changes at each start', async () => {
  const file = join(path, '..', 'home.token')
  const first = readFileSync(file, 'utf8')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.stringify(await bare.post('/hello', HELLO))).not.toContain(first)
  await server.close()
  server = await open()
  expect(readFileSync(file, 'utf8')).not.toBe(first)
})

test('the terminal finds a home that starts later, and reconnects to its next start', async () => {
  const link = createPrivateLink(path)
  await server.close()
  expect(await link.status()).toMatchObject({ reason: { code: 'home_offline' } })
  server = await open()
  expect(await link.status()).toMatchObject({ ok: true })
  await server.close()
  server = await open()
  expect(await link.status()).toMatchObject({ ok: true })
  link.close()
})
