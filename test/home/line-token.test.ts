/** The token of the private line: who knows the socket's path alone is refused, before any method, and leaves a bounded trace. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ok } from '../../kernel/flow/verdict.ts'
import { createSocketLink } from '../../sidecar/cli/socket-link.ts'
import { makeNonce, proofOf } from '../../sidecar/line-token.ts'
import { listen, type SocketServer } from '../../sidecar/socket.ts'
import { given } from './fixtures/backup.ts'

let path = ''
let server: SocketServer
let socket: Socket
let asked: string[] = []
let denied: string[] = []

async function open(): Promise<SocketServer> {
  const method = (name: string) => async () => {
    asked.push(name)
    return ok({ place: 'home' })
  }
  return given(
    await listen({
      path,
      methods: new Map([
        ['status', method('status')],
        ['hello', method('hello')],
      ]),
      ...{ words: ({ code }) => code, redact: (line) => line, fault: () => undefined },
      denied: (code) => void denied.push(code),
    }),
  )
}

beforeEach(async () => {
  path = join(mkdtempSync(join(tmpdir(), 'pfar-token-')), 'home.sock')
  asked = []
  denied = []
  server = await open()
  socket = connect(path)
  await once(socket, 'connect')
})
afterEach(async () => {
  socket.destroy()
  await server.close()
})

/** Everything that comes until home ends the connection. */
async function until(lines: readonly object[]): Promise<string> {
  let heard = ''
  socket.on('data', (chunk) => (heard += String(chunk)))
  socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await once(socket, 'end')
  return heard
}

const hello = { id: 'a', method: 'hello', params: { nonce: makeNonce() } }

describe('who knows the path alone is refused, and reaches no method:', () => {
  test.each([
    ['with a request at once', [{ id: 'a', method: 'status' }]],
    ['with a proof before a greeting', [{ id: 'a', method: 'prove', params: { proof: 'x' } }]],
    ['with a proof of its own making', [hello, { id: 'b', method: 'prove', params: { proof: 'x' } }]],
    ['with a request behind a greeting', [hello, { id: 'b', method: 'status' }]],
    ['with a second greeting', [hello, hello]],
    ['with a proof of no kind', [hello, { id: 'b', method: 'prove', params: { proof: { toString: 1 } } }]],
    [
      'with more behind a wrong proof',
      [hello, { id: 'b', method: 'prove', params: { proof: 'x' } }, { id: 'c', method: 'status' }],
    ],
  ])('%s', async (_name, lines) => {
    const heard = await until(lines)
    expect(heard).toContain('"code":"signature_invalid"')
    expect(asked).toEqual([])
    expect(denied).toEqual(['signature_invalid'])
  })

  test('with home’s own proof, sent back', async () => {
    socket.write(`${JSON.stringify(hello)}\n`)
    const [said] = (await once(socket, 'data')) as [Buffer]
    const { proof } = (JSON.parse(String(said)) as { result: { proof: string } }).result
    expect(await until([{ id: 'b', method: 'prove', params: { proof } }])).toContain('signature_invalid')
    expect(asked).toEqual([])
  })

  test('with the proof of another connection', async () => {
    const token = readFileSync(join(path, '..', 'home.token'), 'utf8')
    const proof = proofOf(token, 'client', { client: hello.params.nonce, home: makeNonce() })
    expect(await until([hello, { id: 'b', method: 'prove', params: { proof } }])).toContain(
      'signature_invalid',
    )
  })
})

test('the terminal, which may read the token, is let in', async () => {
  const link = createSocketLink(path)
  expect(await link.status()).toMatchObject({ ok: true })
  link.close()
  expect(denied).toEqual([])
})

test('the token is 0600, is never said, and another one after each start', async () => {
  const file = join(path, '..', 'home.token')
  const first = readFileSync(file, 'utf8')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await until([hello, { id: 'b', method: 'status' }])).not.toContain(first)
  await server.close()
  server = await open()
  expect(readFileSync(file, 'utf8')).not.toBe(first)
})

test('the terminal finds a home that starts later, and follows it to its next start', async () => {
  const link = createSocketLink(path)
  await server.close()
  expect(await link.status()).toMatchObject({ reason: { code: 'home_offline' } })
  server = await open()
  expect(await link.status()).toMatchObject({ ok: true })
  await server.close()
  server = await open()
  expect(await link.status()).toMatchObject({ ok: true })
  link.close()
})
