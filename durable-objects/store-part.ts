/**
 * Export and import of the rows of one object's store (E-13, E-16); sealed cells stay sealed. All exported pages are of one moment
 * or are refused; imported rows must be of this store's tables, this principal, and a label the edge is cleared for. Must not
 * decide who may ask. Called by PrincipalObject and KernelObject.
 */
import type { SyncDatabase } from '../integrations/store/database/database.ts'
import { migrate } from '../integrations/store/schema/migrate.ts'
import { STORE_TABLES, type StoreTable } from '../integrations/store/schema/tables.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { type Cell, type Cursor, type ImportRows, PAGE_BYTES, type Page } from '../kernel/tunnel/edge-part.ts'
import { STORE_MIGRATIONS } from '../migrations/store.ts'

/** Labels that the edge is cleared for, as `describeLabel` writes them; rows with others are refused. */
const EDGE_LABELS: readonly unknown[] = ['public', 'internal']

export interface StorePart {
  /** Changes with each write to this object, by whatever code, and with each time that it wakes. */
  moment(): string
  /** Tags of the migrations applied to this store. */
  schema(): readonly string[]
  /** Refusal: nothing_found (no such table). */
  page(cursor: Cursor | null): Result<Page>
  rows(): number
  /** Deletes everything, audit lines too: for a store that holds only an incomplete import. */
  clear(): void
  /** Refusals: event_malformed (no such table), principal_not_allowed, place_not_cleared. */
  add(principal: string, page: ImportRows): Result<true>
}

export function createStorePart(
  storage: Pick<DurableObjectStorage, 'sql' | 'transactionSync'>,
  db: SyncDatabase,
): StorePart {
  const { sql } = storage
  const instance = crypto.randomUUID()
  return {
    moment: () => `${instance}:${sql.exec<{ n: number }>('select total_changes() as n').one().n}`,
    schema: () =>
      sql
        .exec<{ tag: string }>(
          'select tag from applied_migrations where name = ? order by tag',
          STORE_MIGRATIONS.name,
        )
        .toArray()
        .map(({ tag }) => tag),
    page(cursor) {
      const from = cursor === null ? 0 : STORE_TABLES.findIndex(({ name }) => name === cursor.table)
      return from === -1 ? err('nothing_found') : ok(pageFrom(sql, from, cursor?.after ?? 0))
    },
    rows: () => STORE_TABLES.reduce((sum, { name }) => sum + countOf(sql, name), 0),
    clear() {
      storage.transactionSync(() => {
        for (const { name } of STORE_TABLES) sql.exec(`drop table if exists "${name}"`)
        sql.exec('delete from applied_migrations where name = ?', STORE_MIGRATIONS.name)
        migrate(db, STORE_MIGRATIONS)
      })
    },
    add(principal, page) {
      const table = STORE_TABLES.find(({ name }) => name === page.table)
      const isWhole = page.rows.every((row) => row.length === page.columns.length)
      if (table === undefined || !isWhole || table.columns.join() !== page.columns.join())
        return err('event_malformed')
      if (!valuesOf(page, 'principal').every((value) => value === null || value === principal))
        return err('principal_not_allowed')
      if (!valuesOf(page, 'label').every((value) => EDGE_LABELS.includes(value)))
        return err('place_not_cleared', { table: table.name })
      const insert = `insert into "${table.name}" (${named(table)}) values (${table.columns.map(() => '?').join()})`
      storage.transactionSync(() => {
        for (const row of page.rows) sql.exec(insert, ...row.map(bound))
      })
      return ok(true)
    },
  }
}

/** Rows of the first non-empty table from `from` on, up to the bound; an empty page of the last table when none has rows. */
function pageFrom(sql: SqlStorage, from: number, after: number): Page {
  const [table, ...others] = STORE_TABLES.slice(from)
  if (table === undefined) throw new Error('a store has tables')
  const { name, columns } = table
  const found = sql.exec(`select rowid, ${named(table)} from "${name}" where rowid > ? order by rowid`, after)
  const rows: Cell[][] = []
  let size = 0
  for (const [at, ...values] of found.raw()) {
    const row = values.map(cellOf)
    rows.push(row)
    size += row.reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
    if (size >= PAGE_BYTES)
      return { table: name, columns: [...columns], rows, next: { table: name, after: Number(at) } }
  }
  if (rows.length === 0 && others.length > 0) return pageFrom(sql, from + 1, 0)
  // Skips empty tables: a last page without rows would not say which table they are of.
  const following = others.find((other) => countOf(sql, other.name) > 0)
  const next = following === undefined ? null : { table: following.name, after: 0 }
  return { table: name, columns: [...columns], rows, next }
}

function named({ columns }: StoreTable): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

function countOf(sql: SqlStorage, table: string): number {
  return sql.exec<{ n: number }>(`select count(*) as n from "${table}"`).one().n
}

function valuesOf({ columns, rows }: ImportRows, column: string): readonly unknown[] {
  const at = columns.indexOf(column)
  return at === -1 ? [] : rows.map((row) => row[at])
}

function cellOf(value: SqlStorageValue): Cell {
  return value instanceof ArrayBuffer ? { bytes: new Uint8Array(value).toBase64() } : value
}

function bound(cell: Cell): SqlStorageValue {
  return typeof cell === 'object' && cell !== null ? bytesOf(cell.bytes) : cell
}

function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.fromBase64(text).buffer
}

/** Approximate size on the wire: UTF-16 units, or base64 characters. */
function sizeOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length
  return typeof cell === 'object' && cell !== null ? cell.bytes.length : 8
}
