/** Home's SQLite as opened for work: what a power cut may undo, and what it may not (DESIGN §3). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { newFolder } from '../kit/folder.ts'

const folder = newFolder('sqlite')

/** SQLite's values: 1 survives the end of the process, 2 survives a power cut. */
const levelOf = ({ db }: ReturnType<typeof openSqlite>): unknown =>
  db.values<unknown[]>(sql`pragma synchronous`)[0]?.[0]

test('a transaction is flushed to disk, a single statement with the next transaction', () => {
  const file = openSqlite(join(folder, 'a.sqlite'))
  expect(levelOf(file)).toBe(1)
  const inside = file.db.transaction(() => [levelOf(file), file.db.transaction(() => levelOf(file))])
  expect(inside).toEqual([2, 2])
  expect(levelOf(file)).toBe(1)
  expect(() =>
    file.db.transaction(() => {
      throw new Error('undone')
    }),
  ).toThrow('undone')
  expect(levelOf(file)).toBe(1)
  file.close()
})

test('only the owner can read the file', () => {
  const path = join(folder, 'b.sqlite')
  openSqlite(path).close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('waits for another process that has the file to itself, as one does that recovers it after a crash', async () => {
  const path = join(newFolder('held'), 'home.sqlite')
  openSqlite(path).close()
  const hold = `
    const { DatabaseSync } = require('node:sqlite')
    const held = new DatabaseSync(process.argv[1])
    held.exec('pragma locking_mode = exclusive; create table t (n)')
    process.stdout.write('held')
    setTimeout(() => held.close(), 400)`
  const child = spawn(process.execPath, ['-e', hold, path], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  expect(() => openSqlite(path).close()).not.toThrow()
})
