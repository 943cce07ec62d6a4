/** A full or damaged disk, as reported on the private line. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createStore } from '../../integrations/store/store.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { listen, type SocketServer } from '../../sidecar/line/listen.ts'
import type { Method, Methods } from '../../sidecar/line/method.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { newFolder } from '../kit/folder.ts'
import { createDisk, createWorld, message } from '../pipeline/world.ts'
import { PLAIN_LINE } from './fixtures/line.ts'
import { type Client, connectClient } from './fixtures/process.ts'

const folder = newFolder('disk')
const servers: SocketServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 2 })
})

interface Line {
  readonly client: Client
  readonly faults: readonly string[]
}

async function lineOf(methods: Methods): Promise<Line> {
  const faults: string[] = []
  const path = join(newFolder('line'), 'line.sock')
  const server = await listen({
    ...PLAIN_LINE,
    path,
    methods,
    words: ({ code }) => wordsFor(code),
    fault: (method) => void faults.push(method),
  })
  if (!server.ok) throw new Error(server.reason.code)
  servers.push(server.value)
  return { client: await connectClient(path), faults }
}

it('a full disk is reported as one, and earlier messages are still there', async () => {
  const { db } = openSqlite(join(folder, 'home.sqlite'))
  migrate(db, STORE_MIGRATIONS)
  const world = createWorld({ disk: { ...createDisk(), store: createStore(db) } })
  const first = await world.say('hello')
  const pages = db.get<Record<string, number>>(sql.raw('pragma page_count'))
  const used = Number(Object.values(pages ?? {})[0])
  db.get(sql.raw(`pragma max_page_count = ${used + 4}`))
  let sent = 0
  const text = 'hello '.repeat(2_000)
  const { client, faults } = await lineOf({
    send: async () => world.shell.receive(message(text, { id: `m${++sent}` })),
    report: async () => ({ ok: true, value: await world.shell.report(first) }),
  })
  let heard: Awaited<ReturnType<Client['ask']>> = {}
  while (heard['error'] === undefined && sent < 50) heard = await client.ask('send')
  expect(heard['error']).toEqual({ code: 'storage_full', message: wordsFor('storage_full') })
  expect(faults).toEqual([])
  expect((await client.ask('report'))['result']).toMatchObject({ task: { state: 'completed' } })
})

const thrown = (fields: Readonly<Record<string, unknown>>, cause = false): Method => {
  const error = Object.assign(new Error('/home/ada/.pfar'), fields)
  return () => Promise.reject(cause ? new Error('query', { cause: error }) : error)
}

it.each([
  ['a damaged database', { code: 'ERR_SQLITE_ERROR', errcode: 11 }, 'storage_failed'],
  ['a read-only one', { code: 'ERR_SQLITE_ERROR', errcode: 8 }, 'storage_failed'],
  ['a full one', { code: 'ERR_SQLITE_ERROR', errcode: 13 }, 'storage_full'],
  ['a file that finds no room', { code: 'ENOSPC', syscall: 'write' }, 'storage_full'],
  ['a disk that is read-only', { code: 'EROFS', syscall: 'open' }, 'storage_failed'],
  ['a network that is down', { code: 'ECONNREFUSED', syscall: 'connect' }, 'internal_fault'],
  ['a bug', {}, 'internal_fault'],
] as const)('%s: %j is %s', async (_what, fields, code) => {
  const { client, faults } = await lineOf({ plain: thrown(fields), wrapped: thrown(fields, true) })
  for (const method of ['plain', 'wrapped']) {
    expect((await client.ask(method))['error']).toEqual({ code, message: wordsFor(code) })
  }
  expect(faults).toEqual(code === 'internal_fault' ? ['plain', 'wrapped'] : [])
})
