/**
 * Whether the audit of a store is what was written: each line is bound to the one before it. Reads a year of lines,
 * so it must not run where messages are answered. Called by make.ts on each copy, and by `pfar audit verify`.
 */
import { brokenAuditLine } from '../../integrations/store/audit.ts'
import { loadSqlite } from '../sqlite.ts'
import { openSqliteToRead } from '../sqlite-bridge.ts'

/** Number of the first line that does not fit; null when all do, or when the store has no audit. Throws SQLite's errors. */
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
