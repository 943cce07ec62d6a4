/**
 * Opens home's SQLite file for drizzle. drizzle has no driver for Node's built-in SQLite, so this implements the
 * storage interface of a Durable Object over `DatabaseSync`; home and edge then use the same driver. Must not know any
 * table. Called by home when it starts, and by the tests of the stores.
 */
import { chmodSync, closeSync, openSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { type DrizzleSqliteDODatabase, drizzle } from 'drizzle-orm/durable-sqlite'
import { loadSqlite } from './sqlite.ts'

/** Milliseconds that a second process (`pfar backup`) may hold the file before a write, or the opening, fails. */
const BUSY_TIMEOUT = 5_000

/**
 * Most prepared statements that are cached. drizzle makes a few dozen; queries with lists of varying length could
 * otherwise fill memory.
 */
const MAX_STATEMENTS = 256

/**
 * Durability of a commit. A transaction is `full`: an effect marked `started` must survive a power cut, or a write
 * would run twice. A single statement outside a transaction is `normal`: it survives the end of the process and reaches
 * the disk with the next transaction, because both go through the same sequential log.
 */
const ALONE = 'pragma synchronous = normal'
const TOGETHER = 'pragma synchronous = full'

/** `secure_delete`: expired raw content is overwritten, not only unlinked (C-04). */
const PRAGMAS = `
  pragma journal_mode = wal;
  ${ALONE};
  pragma secure_delete = on;`

export interface SqliteFile {
  readonly db: DrizzleSqliteDODatabase
  /** Differs from the last call once another process has written to the file. */
  writtenByOthers(): number
  close(): void
}

/** Opens `path` with mode 0600 and creates it if necessary; `:memory:` for tests. Throws if it is not a database. */
export function openSqlite(path: string): SqliteFile {
  if (path !== ':memory:') {
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
  }
  // The timeout applies from the first statement: after a crash the first reader recovers the log, and that may be another
  // process.
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: BUSY_TIMEOUT })
  database.exec(PRAGMAS)
  return driven(database)
}

/** Opens an existing file for reading and changes no pragma of it. Throws if it is not a database. */
export function openSqliteToRead(path: string): SqliteFile {
  const database = new (loadSqlite().DatabaseSync)(path, { timeout: BUSY_TIMEOUT })
  database.exec('pragma query_only = on')
  return driven(database)
}

function driven(database: DatabaseSync): SqliteFile {
  const storage = { sql: { exec: createExec(database) }, transactionSync: createTransaction(database) }
  const others = database.prepare('pragma data_version')
  return {
    // The driver calls only this part of a DurableObjectStorage.
    db: drizzle(storage as unknown as Parameters<typeof drizzle>[0]),
    writtenByOthers: () => Number(others.get()?.['data_version']),
    close: () => database.close(),
  }
}

type Row = readonly SQLOutputValue[]

interface Cursor {
  toArray(): readonly Record<string, SQLOutputValue>[]
  raw(): { toArray(): readonly Row[] }
  next(): { readonly value: Record<string, SQLOutputValue> | undefined }
}

/** `storage.sql.exec`: runs the query at once and returns the rows in either shape. */
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
    // In array mode a row is a list; the types of Node 22 know only records.
    const rows = statement.all(...params.map(bindable)) as unknown as readonly Row[]
    const records = () => {
      const names = statement.columns().map((column) => column.name ?? '')
      return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))
    }
    return { toArray: records, raw: () => ({ toArray: () => rows }), next: () => ({ value: records()[0] }) }
  }
}

/** A Durable Object accepts a boolean as 0 or 1; Node refuses it. */
function bindable(value: SQLInputValue | boolean): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value
}

/** `storage.transactionSync`: the outermost call is a transaction, nested ones are savepoints. */
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
      // SQLite may have rolled back already, for example when the disk is full.
      if (database.isTransaction)
        database.exec(outermost ? 'rollback' : `rollback to s${depth - 1}; release s${depth - 1}`)
      throw error
    } finally {
      depth -= 1
      if (outermost) database.exec(ALONE)
    }
  }
}
