/** Node's built-in SQLite, loaded when needed, and files read with it. Must not write. Called by every file at home that opens a database. */
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

/** Node 22 warns that its SQLite is experimental. We decided for it (docs/decisions/002), so users see no warning. */
export function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Opens a database file as it is, and closes it after `work`. Throws SQLite's errors. */
export function withDatabase<T>(
  path: string,
  work: (database: DatabaseSync) => T,
  options: DatabaseSyncOptions = {},
): T {
  const database = new (loadSqlite().DatabaseSync)(path, options)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

export function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined
}
