/** The private line against a real Unix socket: order, loss, bounds and malformed peers. */

import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { approveCard } from '../../kernel/features/approvals/operations/approve.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { createSocketLink } from '../../sidecar/cli/socket-link.ts'
import { makeLineToken } from '../../sidecar/line-token.ts'
import { createDoor } from '../../sidecar/socket-door.ts'
import { reportWith } from './scripted-link.ts'

interface Request {
  readonly id: string
  readonly method: string
  readonly params: Record<string, unknown>
}

type Answer = (request: Request, socket: Socket) => void

let folder = ''
let server: Server
let path = ''
const sockets = new Set<Socket>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pfar-'))
  path = join(folder, 'home.sock')
})

afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

async function serve(answer: Answer): Promise<void> {
  const token = makeLineToken(path)
  if (!token.ok) throw new Error('no token')
  server = createServer((socket) => {
    sockets.add(socket)
    const door = createDoor(token.value)
    let rest = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const request = JSON.parse(line) as Request
        const step = door.isOpen() ? null : door.step(request.method, request.params)
        if (step === null) answer(request, socket)
        else if (step.ok) reply(socket, request.id, step.value)
      }
    })
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

const reply = (socket: Socket, id: string, result: unknown) =>
  socket.write(`${JSON.stringify({ id, result })}\n`)

test('sends and gets the task; the report comes back unchanged, younger facts included', async () => {
  const report = { ...reportWith({}), cost: 0 }
  await serve(({ id, method, params }, socket) => {
    if (method === 'send') reply(socket, id, { task: `for-${params['text']}`, turn: 1 })
    else reply(socket, id, report)
  })
  const link = createSocketLink(path)
  expect(await link.send({ id: 'm1', text: 'hi' })).toEqual(ok({ task: 'for-hi' }))
  expect(await link.report('t1')).toEqual(ok(report))
  link.close()
})

test.each([
  ['a known code', { code: 'approval_spent', message: 'x' }, 'approval_spent'],
  ['a code of another version', { code: 'brand_new' }, 'internal_fault'],
])('an error becomes a refusal: %s', async (_name, error, code) => {
  await serve(({ id }, socket) => socket.write(`${JSON.stringify({ id, error })}\n`))
  const link = createSocketLink(path)
  expect(await link.call(approveCard, { which: 'a' })).toEqual(err(code as 'approval_spent'))
  link.close()
})

test.each([
  ['nobody listens', null, 'home_offline'],
  ['the answer has another shape', (r: Request, s: Socket) => reply(s, r.id, { tusk: 1 }), 'frame_malformed'],
  ['the line is no JSON', (_r: Request, s: Socket) => s.write('hello\n'), 'home_offline'],
  ['home dies before it answers', (_r: Request, s: Socket) => s.destroy(), 'home_offline'],
  ['a line never ends', (_r: Request, s: Socket) => s.write('x'.repeat(5 * 1024 * 1024)), 'home_offline'],
])('refuses when %s', async (_name, answer, code) => {
  if (answer !== null) await serve(answer)
  const link = createSocketLink(path)
  expect(await link.send({ id: 'm', text: 'x' })).toEqual(err(code as 'home_offline'))
  link.close()
})

test('a draft that is pushed ends the wait, and is the newest; one of another shape is none', async () => {
  await serve(({ id, method }, socket) => {
    reply(socket, id, method === 'deliveries' ? [] : { after: 0 })
    if (method !== 'subscribe') return
    for (const draft of [{ task: 't1', text: 'One.' }, { task: 't1', text: 'One. Two.' }, { task: 't1' }])
      socket.write(`${JSON.stringify({ event: 'draft', ...draft })}\n`)
  })
  const link = createSocketLink(path)
  expect(link.draft()).toBeNull()
  expect(await link.deliveries(0, 20_000)).toEqual(ok([]))
  await expect.poll(() => link.draft()).toEqual({ task: 't1', text: 'One. Two.' })
  link.close()
})

test('comes back by itself after home restarted', async () => {
  const answer: Answer = ({ id }, socket) => reply(socket, id, { place: 'home' })
  await serve(answer)
  const link = createSocketLink(path)
  expect((await link.status()).ok).toBe(true)
  await stop()
  expect(await link.status()).toEqual(err('home_offline'))
  await serve(answer)
  expect((await link.status()).ok).toBe(true)
  link.close()
})

test('a waiting reader is woken by a push and asks for the rows in order', async () => {
  const rows: unknown[] = []
  await serve(({ id, method, params }, socket) => {
    if (method === 'deliveries')
      reply(
        socket,
        id,
        rows.filter((_row, index) => index >= Number(params['after'])),
      )
    if (method !== 'subscribe') return
    reply(socket, id, {})
    setTimeout(() => {
      for (const seq of [1, 2])
        rows.push({ seq, task: 't', kind: 'answer', approval: null, text: `row ${seq}` })
      socket.write(`${JSON.stringify({ event: 'delivery', delivery: rows[0] })}\n`)
    }, 30)
  })
  const link = createSocketLink(path)
  const found = await link.deliveries(0, 5_000)
  expect(found.ok && found.value.map(({ text }) => text)).toEqual(['row 1', 'row 2'])
  link.close()
})

test('a look without waiting comes back at once, and a closed link asks nothing more', async () => {
  await serve(({ id }, socket) => reply(socket, id, []))
  const link = createSocketLink(path)
  expect(await link.deliveries(0, 0)).toEqual(ok([]))
  link.close()
  expect(await link.status()).toEqual(err('home_offline'))
})
