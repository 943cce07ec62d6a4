/** A look into a home's database from outside, read only: what is stored, as anyone with the file would see it. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Row = Readonly<Record<string, unknown>>

/** Rows of one table; names are the caller's own. */
export function rowsOf(folder: string, table: 'sealed' | 'audit' | 'deliveries' | 'tasks'): readonly Row[] {
  const database = new DatabaseSync(join(folder, 'home.sqlite'), { readOnly: true })
  try {
    return database.prepare(`select * from ${table}`).all()
  } finally {
    database.close()
  }
}

/** Facts of every audit row of this kind, in order. */
export function auditOf(folder: string, kind: string): readonly Row[] {
  return rowsOf(folder, 'audit')
    .filter((row) => row['kind'] === kind)
    .map((row) => JSON.parse(String(row['facts'])) as Row)
}
