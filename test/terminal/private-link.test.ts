/** The private line over a real Unix socket: order, loss, bounds and malformed peers. */

import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createBareServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approveCard } from '../../kernel/features/approvals/operations/approve.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { createPrivateLink } from '../../sidecar/cli/line/private-link.ts'
import { createDoor, makeLineToken } from '../../sidecar/line/door.ts'
import { reportWith } from './scripted-link.ts'

interface Asked {
  readonly path: string
  readonly params: Record<string, unknown>
}

type Answer = (asked: Asked, answer: ServerResponse) => void

let folder = ''
let server: Server
let path = ''
let connections = 0
const sockets = new Set<Socket>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pfar-'))
  path = join(folder, 'home.sock')
  connections = 0
})

afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

/** A home with the real authentication and scripted responses. */
async function serve(answer: Answer): Promise<void> {
  const token = makeLineToken(path)
  if (!token.ok) throw new Error('no token')
  const doors = new WeakMap<Socket, ReturnType<typeof createDoor>>()
  server = createServer(async (request, response) => {
    const { url = '', headers } = request
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const door = doors.get(request.socket) ?? createDoor(token.value)
    doors.set(request.socket, door)
    const greeting = url === '/hello' ? door.greet(JSON.parse(body)) : null
    if (greeting?.ok) reply(response, greeting.value)
    else if (door.admits(headers.authorization)) answer({ path: url, params: JSON.parse(body) }, response)
    else response.writeHead(401).end()
  })
  await listening()
}

async function listening(): Promise<void> {
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(path)
  await once(server, 'listening')
  chmodSync(path, 0o600)
}

async function stop(): Promise<void> {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  if (server?.listening) await new Promise((resolve) => server.close(resolve))
}

const reply = (response: ServerResponse, body: unknown): void => void response.end(JSON.stringify(body))
const refuse = (response: ServerResponse, error: unknown): void =>
  void response.writeHead(422).end(JSON.stringify({ error }))

test('a message returns its task, and a report is returned unchanged, with unknown fields', async () => {
  const report = { ...reportWith({}), cost: 0 }
  await serve(({ path: at, params }, answer) => {
    if (at === '/methods/send') reply(answer, { task: `for-${params['text']}`, turn: 1 })
    else reply(answer, report)
  })
  const link = createPrivateLink(path)
  expect(await link.send({ id: 'm1', text: 'hi' })).toEqual(ok({ task: 'for-hi' }))
  expect(await link.report('t1')).toEqual(ok(report))
  link.close()
})

test.each([
  ['a known code', { code: 'approval_spent', message: 'x' }, 'approval_spent'],
  ['a code of another version', { code: 'brand_new' }, 'internal_fault'],
])('an error becomes a refusal: %s', async (_name, error, code) => {
  const asked: string[] = []
  await serve(({ path: at }, answer) => {
    asked.push(at)
    refuse(answer, error)
  })
  const link = createPrivateLink(path)
  expect(await link.call(approveCard, { which: 'a' })).toEqual(err(code as 'approval_spent'))
  expect(asked).toEqual(['/operations/approvals.approve'])
  link.close()
})

test.each([
  ['nobody listens', null, 'home_offline'],
  ['the answer has another shape', (_asked, answer) => reply(answer, { tusk: 1 }), 'frame_malformed'],
  ['the answer is no JSON', (_asked, answer) => void answer.end('hello'), 'frame_malformed'],
  ['a refusal has another shape', (_asked, answer) => refuse(answer, 'no'), 'frame_malformed'],
  ['the answer is no HTTP', (_asked, { socket }) => void socket?.write('hello\n'), 'frame_malformed'],
  ['home dies before it answers', (_asked, { socket }) => void socket?.destroy(), 'home_offline'],
  [
    'home dies while it answers',
    (_asked, answer) => void answer.write('{"task', () => answer.socket?.destroy()),
    'home_offline',
  ],
  [
    'an answer never ends',
    (_asked, answer) => void answer.write('x'.repeat(5 * 1024 * 1024)),
    'frame_too_large',
  ],
] satisfies readonly (readonly [string, Answer | null, string])[])(
  'the private line refuses when %s',
  async (_name, answer, code) => {
    if (answer !== null) await serve(answer)
    const link = createPrivateLink(path)
    expect(await link.send({ id: 'm', text: 'x' })).toEqual(err(code as 'home_offline'))
    link.close()
  },
)

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

test('a pushed draft ends the wait and is the newest; a malformed one is ignored', async () => {
  await serve(({ path: at }, answer) => {
    if (at !== '/events') return reply(answer, [])
    for (const draft of [{ task: 't1', text: 'One.' }, { task: 't1', text: 'One. Two.' }, { task: 't1' }])
      answer.write(event('draft', draft))
  })
  const link = createPrivateLink(path)
  expect(link.draft()).toBeNull()
  expect(await link.deliveries(0, 20_000)).toEqual(ok([]))
  await expect.poll(() => link.draft()).toEqual({ task: 't1', text: 'One. Two.' })
  link.close()
})

test.each([
  ['ends', (answer: ServerResponse) => void answer.end()],
  ['breaks', (answer: ServerResponse) => void answer.socket?.destroy()],
  ['says what is no JSON', (answer: ServerResponse) => void answer.write('data: {oops\n\n')],
  ['says what never ends', (answer: ServerResponse) => void answer.write(`data: ${'x'.repeat(9_000_000)}`)],
])('a stream that %s wakes its reader, who connects again', async (_name, spoil) => {
  let streams = 0
  await serve(({ path: at }, answer) => {
    if (at !== '/events') return reply(answer, [])
    streams += 1
    answer.flushHeaders()
    if (streams === 1) setTimeout(() => spoil(answer), 20)
    else answer.write(event('delivery', {}))
  })
  const link = createPrivateLink(path)
  expect(await link.deliveries(0, 20_000)).toEqual(ok([]))
  expect(streams).toBe(1)
  expect(await link.deliveries(0, 20_000)).toEqual(ok([]))
  expect(streams).toBe(2)
  link.close()
})

test('sequential requests share a connection, and concurrent ones have one each', async () => {
  const held: ServerResponse[] = []
  await serve(({ path: at }, answer) => {
    if (at === '/methods/status') reply(answer, { place: 'home' })
    else held.push(answer)
  })
  const link = createPrivateLink(path)
  for (let turn = 0; turn < 5; turn += 1) expect((await link.status()).ok).toBe(true)
  expect(connections).toBe(1)
  const both = [link.stop('a'), link.stop('b')]
  await expect.poll(() => held.length).toBe(2)
  expect((await link.status()).ok).toBe(true)
  expect(connections).toBe(3)
  for (const answer of held) reply(answer, { task: 't' })
  expect(await Promise.all(both)).toEqual([ok({ task: 't' }), ok({ task: 't' })])
  link.close()
})

test('an older home without HTTP is recognised, and receives only the greeting', async () => {
  makeLineToken(path)
  const heard: string[] = []
  server = createBareServer((socket) =>
    socket.on('data', (said) => {
      heard.push(String(said))
      socket.end('{"id":null,"error":{"code":"signature_invalid"}}\n')
    }),
  )
  await listening()
  const link = createPrivateLink(path)
  expect(await link.send({ id: 'm', text: 'my words' })).toMatchObject({
    reason: { code: 'version_incompatible' },
  })
  expect(heard.join('')).not.toContain('my words')
  link.close()
})

test('the private line reconnects by itself after home restarted', async () => {
  const answer: Answer = (_asked, response) => reply(response, { place: 'home' })
  await serve(answer)
  const link = createPrivateLink(path)
  expect((await link.status()).ok).toBe(true)
  await stop()
  expect(await link.status()).toEqual(err('home_offline'))
  await serve(answer)
  expect((await link.status()).ok).toBe(true)
  link.close()
})

test('a waiting reader is woken by a push and requests the rows in order', async () => {
  const rows: unknown[] = []
  await serve(({ path: at, params }, answer) => {
    if (at === '/methods/deliveries')
      return reply(
        answer,
        rows.filter((_row, index) => index >= Number(params['after'])),
      )
    answer.flushHeaders()
    setTimeout(() => {
      for (const seq of [1, 2])
        rows.push({ seq, task: 't', kind: 'answer', approval: null, text: `row ${seq}` })
      answer.write(event('delivery', rows[0]))
    }, 30)
  })
  const link = createPrivateLink(path)
  const found = await link.deliveries(0, 5_000)
  expect(found.ok && found.value.map(({ text }) => text)).toEqual(['row 1', 'row 2'])
  link.close()
})

test('a call without waiting returns at once, and a closed link sends nothing more', async () => {
  await serve((_asked, answer) => reply(answer, []))
  const link = createPrivateLink(path)
  expect(await link.deliveries(0, 0)).toEqual(ok([]))
  link.close()
  expect(await link.status()).toEqual(err('home_offline'))
})
