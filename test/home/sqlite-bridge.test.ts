/** Home's SQLite as opened for work: what a power cut may take back, and what it may not (DESIGN §3). */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { openSqlite } from '../../sidecar/sqlite-bridge.ts'

const folder = mkdtempSync(join(tmpdir(), 'pfar-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As SQLite numbers them: 1 survives the process, 2 survives a power cut. */
const levelOf = ({ db }: ReturnType<typeof openSqlite>): unknown =>
  db.values<unknown[]>(sql`pragma synchronous`)[0]?.[0]

test('a transaction is pushed to the disk, a statement alone goes with the next one', () => {
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

test('the file is the owner’s alone', () => {
  const path = join(folder, 'b.sqlite')
  openSqlite(path).close()
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
