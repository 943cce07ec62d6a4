/**
 * One store of the edge as a file of home's backup: an SQLite database with the store's tables, its rows still sealed, and the
 * head that the edge sent. Must not open a sealed row: its key is in a box. Called by edge-transfer.ts, which writes and reads
 * such files.
 */

import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { STORE_TABLES } from '../../integrations/store/schema/tables.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  type Cell,
  type ImportRows,
  PAGE_BYTES,
  type PartHead,
  partHeadSchema,
} from '../../kernel/tunnel/edge-part.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { readJson } from '../store/json.ts'
import { loadSqlite, withDatabase } from '../store/sqlite.ts'
import { openSqlite } from '../store/sqlite-bridge.ts'

/** SQLite's numbers for a broken constraint and a wrong type (SQLITE_CONSTRAINT, SQLITE_MISMATCH). */
const CONSTRAINTS = new Set([19, 20])

export interface EdgeStoreWriter {
  /** Refusal: frame_malformed, for a table or column that the schema does not have. */
  add(page: ImportRows): Result<true>
  close(): void
}

/** Creates the file with the schema of the edge. Refusal: version_incompatible (newer than this program's). */
export function createEdgeStore(path: string, head: PartHead): Result<EdgeStoreWriter> {
  const migrations = STORE_MIGRATIONS.migrations.filter(({ tag }) => head.schema.includes(tag))
  if (migrations.length !== head.schema.length) return err('version_incompatible', { of: 'edge' })
  const file = openSqlite(path)
  migrate(file.db, { ...STORE_MIGRATIONS, migrations })
  file.close()
  const database = new (loadSqlite().DatabaseSync)(path)
  // An incomplete file is deleted, so no journal is needed.
  database.exec('pragma journal_mode = off; pragma synchronous = off; begin')
  database.exec('create table edge_part (head text not null)')
  database.prepare('insert into edge_part values (?)').run(JSON.stringify(head))
  return ok({
    add(page) {
      const insert = columnsOf(database, page.table).join() === page.columns.join() ? insertOf(page) : null
      if (insert === null || page.columns.length === 0) return err('frame_malformed', { of: 'edge' })
      if (page.rows.some((row) => row.length !== page.columns.length))
        return err('frame_malformed', { of: 'edge' })
      return insertAll(database, insert, page.rows)
    },
    close() {
      database.exec('commit')
      database.close()
    },
  })
}

/** A duplicate row or a wrong type is an error of the edge. Throws storage errors. */
function insertAll(database: DatabaseSync, insert: string, rows: readonly (readonly Cell[])[]): Result<true> {
  const statement = database.prepare(insert)
  try {
    for (const row of rows) statement.run(...row.map(bound))
    return ok(true)
  } catch (error) {
    const { errcode } = error as { readonly errcode?: unknown }
    if (!CONSTRAINTS.has(Number(errcode) & 0xff)) throw error
    return err('frame_malformed', { of: 'edge' })
  }
}

export interface EdgeStoreReader {
  readonly head: PartHead
  /** Tags of the schema that the rows have now: this program's. */
  readonly schema: readonly string[]
  rows(): number
  pages(): Iterable<ImportRows>
  close(): void
}

/** Migrates the file to this program's schema and reads it. Refusals: record_malformed, version_incompatible. */
export function openEdgeStore(path: string): Result<EdgeStoreReader> {
  const known = headOf(path)
  if (!known.ok) return known
  const file = openSqlite(path)
  try {
    migrate(file.db, STORE_MIGRATIONS)
  } catch {
    return err('version_incompatible', { of: 'edge' })
  } finally {
    file.close()
  }
  const database = new (loadSqlite().DatabaseSync)(path)
  return ok({
    head: known.value,
    schema: STORE_MIGRATIONS.migrations.map(({ tag }) => tag),
    rows: () => STORE_TABLES.reduce((sum, { name }) => sum + countOf(database, name), 0),
    pages: () => pagesOf(database),
    close: () => database.close(),
  })
}

function headOf(path: string): Result<PartHead> {
  try {
    const [row] = withDatabase(path, (database) => database.prepare('select head from edge_part').all())
    const head = readJson(partHeadSchema, String(row?.['head']))
    return head === null ? err('record_malformed', { of: 'edge' }) : ok(head)
  } catch {
    return err('record_malformed', { of: 'edge' })
  }
}

function* pagesOf(database: DatabaseSync): Iterable<ImportRows> {
  for (const { name, columns } of STORE_TABLES) {
    const named = columns.map((column) => `"${column}"`).join(', ')
    let rows: Cell[][] = []
    let size = 0
    for (const record of database.prepare(`select ${named} from "${name}" order by rowid`).iterate()) {
      const row = columns.map((column) => cellOf((record as Record<string, SQLOutputValue>)[column] ?? null))
      rows.push(row)
      size += row.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
      if (size < PAGE_BYTES) continue
      yield { table: name, columns: [...columns], rows }
      rows = []
      size = 0
    }
    if (rows.length > 0) yield { table: name, columns: [...columns], rows }
  }
}

/** Uses the column names of the database itself, so that no name from the edge gets into a statement. */
function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  const isOurs = STORE_TABLES.some(({ name }) => name === table)
  return isOurs
    ? database
        .prepare(`pragma table_info("${table}")`)
        .all()
        .map(({ name }) => String(name))
    : []
}

function insertOf({ table, columns }: ImportRows): string {
  const named = columns.map((column) => `"${column}"`).join(', ')
  return `insert into "${table}" (${named}) values (${columns.map(() => '?').join()})`
}

function countOf(database: DatabaseSync, table: string): number {
  return Number(database.prepare(`select count(*) as n from "${table}"`).get()?.['n'])
}

function bound(cell: Cell): SQLInputValue {
  return typeof cell === 'object' && cell !== null ? Buffer.from(cell.bytes, 'base64') : cell
}

function cellOf(value: SQLOutputValue): Cell {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  return typeof value === 'bigint' ? Number(value) : value
}

/** UTF-16 units or base64 characters. */
function sizeOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  return typeof cell === 'object' && cell !== null ? cell.bytes.length : 8
}
