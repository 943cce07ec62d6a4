/** More requests than home handles at once for its terminals (H-10), and clients that do not read: others are answered meanwhile. */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ok } from '../../kernel/flow/verdict.ts'
import type { Client as Follower } from '../../sidecar/line/app.ts'
import { listen, type SocketServer } from '../../sidecar/line/listen.ts'
import { newFolder } from '../kit/folder.ts'
import { given } from './fixtures/backup.ts'
import { PLAIN_LINE } from './fixtures/line.ts'
import { connectClient, dialHome, followHome, greetHome } from './fixtures/process.ts'
import { pause, until } from './fixtures/wait.ts'

const REQUESTS = 4_000

let path = ''
let server: SocketServer
let begun = 0
let followers: Follower[] = []
let gone = 0
let open = (): void => undefined

beforeEach(async () => {
  path = join(newFolder('flood'), 'line.sock')
  begun = 0
  gone = 0
  followers = []
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  server = given(
    await listen({
      ...PLAIN_LINE,
      path,
      methods: {
        work: async () => {
          begun += 1
          await gate
          return ok(null)
        },
        status: async () => ok(null),
      },
      follow: (client) => {
        followers.push(client)
        client.onClose(() => {
          gone += 1
        })
      },
    }),
  )
})
afterEach(async () => {
  open()
  await server.close()
})

test('pipelined requests end their connection, and only one was started', async () => {
  const [flood, other] = [await dialHome(path), await connectClient(path)]
  const { authorization } = await greetHome(flood, path)
  const body = JSON.stringify({ filling: 'x'.repeat(1_000) })
  const line = `POST /methods/work HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const ended = new Promise((resolve) => flood.socket.once('close', resolve))
  for (let turn = 0; turn < REQUESTS; turn++) flood.socket.write(line)
  await ended
  for (let turn = 0; turn < 100; turn++) expect(await other.ask('status')).toHaveProperty('result')
  expect(begun).toBe(1)
})

test('connections above the limit are refused, and existing ones continue', async () => {
  const first = await connectClient(path)
  const others = await Promise.allSettled(Array.from({ length: 200 }, () => connectClient(path)))
  expect(others.filter(({ status }) => status === 'fulfilled')).toHaveLength(63)
  expect(await first.ask('status')).toHaveProperty('result')
  for (const other of others) if (other.status === 'fulfilled') other.value.socket.destroy()
  await until(() => connectClient(path).catch(() => null))
})

test('a follower that does not read gets what fits, and its source waits for it', async () => {
  const slow = await followHome(path, 0)
  slow.stream.pause()
  const follower = await until(() => followers[0])
  let taken = 0
  const text = 'x'.repeat(10_000)
  void (async () => {
    while (taken < REQUESTS && (await follower.push('delivery', { text }))) taken += 1
  })()
  await pause(200)
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan(200)
  slow.stream.resume()
  await until(() => slow.inbox.length === REQUESTS)
})

test('a follower that disconnects is removed, also while home waits for it to read', async () => {
  const [idle, slow] = [await followHome(path, 0), await followHome(path, 0)]
  slow.stream.pause()
  await until(() => followers.length === 2)
  const text = 'x'.repeat(1_000_000)
  const pushed = followers.map((each) => each.push('delivery', { text }))
  const next = followers.map((each) => each.push('delivery', { text }))
  for (const { socket } of [idle, slow]) socket.destroy()
  await until(() => gone === 2)
  await Promise.all([...pushed, ...next])
  expect(await Promise.all(followers.map((each) => each.push('delivery', {})))).toEqual([false, false])
})

test('home that closes ends its streams, and accepts no further request', async () => {
  const [follower, client] = [await followHome(path, 0), await connectClient(path)]
  const working = client.ask('work')
  await until(() => begun === 1 && followers.length === 1)
  const [closing, ended] = [server.close(), new Promise((resolve) => follower.stream.once('end', resolve))]
  open()
  expect(await working).toHaveProperty('result')
  await ended
  await closing
  expect(gone).toBe(1)
  await expect(connectClient(path)).rejects.toThrow()
})
