/**
 * Verifies the hash chain of a store's audit: each row is bound to the one before it. Reads a year of rows, so
 * it must not run in the process that answers messages. Called by make.ts on each copy, and by `pfar audit verify`.
 */
import { brokenAuditLine } from '../../integrations/store/audit.ts'
import { loadSqlite } from '../store/sqlite.ts'
import { openSqliteToRead } from '../store/sqlite-bridge.ts'

/**
 * Number of the first row that breaks the chain. Null if the chain is intact or the store has no audit. Throws SQLite's
 * errors.
 */
export function brokenAuditIn(path: string): number | null {
  if (!hasAudit(path)) return null
  const file = openSqliteToRead(path)
  try {
    return brokenAuditLine(file.db)
  } finally {
    file.close()
  }
}

function hasAudit(path: string): boolean {
  const database = new (loadSqlite().DatabaseSync)(path)
  try {
    return database.prepare("select 1 from sqlite_schema where name = 'audit'").get() !== undefined
  } finally {
    database.close()
  }
}
