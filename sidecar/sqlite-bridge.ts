/**
 * Opens home's SQLite file and lets drizzle drive it. Node has SQLite built in and drizzle has no driver for it, so
 * this speaks the small storage interface of a Durable Object over `DatabaseSync`: both places then run the very
 * same driver. Must not know any table. Called by home when it starts, and by the tests of the stores.
 */
import { chmodSync, closeSync, openSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type DrizzleSqliteDODatabase, drizzle } from 'drizzle-orm/durable-sqlite'
import { loadSqlite } from './sqlite.ts'

/** How long a second process (`pfar backup`) may hold the file before a write fails, milliseconds. */
const BUSY_TIMEOUT = 5_000

/** Prepared statements kept. drizzle makes a few dozen; unbounded, a list-shaped query could fill the memory. */
const MAX_STATEMENTS = 256

/**
 * How hard a commit is pushed to the disk. A transaction is `full`: an effect marked `started` must survive a power
 * cut, or a write would run twice after it. A single statement outside of one is `normal`: it survives the end of the
 * process, and reaches the disk with the next transaction, as the log that both go through is sequential.
 */
const ALONE = 'pragma synchronous = normal'
const TOGETHER = 'pragma synchronous = full'

/** `secure_delete`: raw content that expired is overwritten, not only unlinked (C-04). */
const PRAGMAS = `
  pragma journal_mode = wal;
  ${ALONE};
  pragma secure_delete = on;
  pragma busy_timeout = ${BUSY_TIMEOUT};`

export interface SqliteFile {
  readonly db: DrizzleSqliteDODatabase
  close(): void
}

/** Opens `path` with mode 0600, creating it if need be; `:memory:` for tests. Throws when it is no database. */
export function openSqlite(path: string): SqliteFile {
  if (path !== ':memory:') {
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
  }
  const database = new (loadSqlite().DatabaseSync)(path)
  database.exec(PRAGMAS)
  return driven(database)
}

/** An existing file as it is, for who only looks: no pragma of it changes. Throws when it is no database. */
export function openSqliteToRead(path: string): SqliteFile {
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: BUSY_TIMEOUT })
  database.exec('pragma query_only = on')
  return driven(database)
}

function driven(database: DatabaseSync): SqliteFile {
  const storage = { sql: { exec: createExec(database) }, transactionSync: createTransaction(database) }
  // The only part of a DurableObjectStorage that the driver calls.
  return { db: drizzle(storage as unknown as Parameters<typeof drizzle>[0]), close: () => database.close() }
}

type Row = readonly SQLOutputValue[]

interface Cursor {
  toArray(): readonly Record<string, SQLOutputValue>[]
  raw(): { toArray(): readonly Row[] }
  next(): { readonly value: Record<string, SQLOutputValue> | undefined }
}

/** `storage.sql.exec`: runs at once and hands out the rows in either shape. */
function createExec(database: DatabaseSync): (query: string, ...params: SQLInputValue[]) => Cursor {
  const statements = new Map<string, StatementSync>()
  const prepared = (query: string): StatementSync => {
    const known = statements.get(query)
    if (known !== undefined) return known
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = database.prepare(query)
    statement.setReturnArrays(true)
    statements.set(query, statement)
    return statement
  }
  return (query, ...params) => {
    const statement = prepared(query)
    // In arrays mode a row is a list; the types of Node 22 know only records.
    const rows = statement.all(...params.map(bindable)) as unknown as readonly Row[]
    const records = () => {
      const names = statement.columns().map((column) => column.name ?? '')
      return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))
    }
    return { toArray: records, raw: () => ({ toArray: () => rows }), next: () => ({ value: records()[0] }) }
  }
}

/** A Durable Object takes a boolean for 0 or 1; Node refuses it. */
function bindable(value: SQLInputValue | boolean): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

/** `storage.transactionSync`: the outermost is a transaction, those inside it are savepoints. */
function createTransaction(database: DatabaseSync): <T>(work: () => T) => T {
  let depth = 0
  return (work) => {
    const outermost = depth === 0
    database.exec(outermost ? `${TOGETHER}; begin immediate` : `savepoint s${depth}`)
    depth += 1
    try {
      const result = work()
      database.exec(outermost ? 'commit' : `release s${depth - 1}`)
      return result
    } catch (error) {
      // SQLite itself may have rolled back already, as it does when the disk is full.
      if (database.isTransaction)
        database.exec(outermost ? 'rollback' : `rollback to s${depth - 1}; release s${depth - 1}`)
      throw error
    } finally {
      depth -= 1
      if (outermost) database.exec(ALONE)
    }
  }
}
