/**
 * Makes a consistent copy of a live SQLite store and checks it, because a damaged store must not displace good backups.
 * Must not write to the store, but does not open it read-only, which would leave a log behind while home is not
 * running. Called by make.ts; restore checks what it decrypted with `inspectStore`.
 */
import { loadSqlite } from '../store/sqlite.ts'
import { BackupTrouble } from './storage-trouble.ts'

/** Milliseconds that home may hold the file during a commit. */
const BUSY_TIMEOUT = 5_000
/** All pages in one step, in SQLite's own thread: between several steps each commit of home would restart the copy. */
const ALL_PAGES = 2_147_483_647

export interface StoreFacts {
  readonly schema: readonly { readonly set: string; readonly tag: string }[]
}

/** Copies `from` to `to` as one file without a log. Throws SQLite's errors and record_malformed. */
export async function snapshotStore(from: string, to: string, name: string): Promise<StoreFacts> {
  const { backup, DatabaseSync } = loadSqlite()
  const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT })
  try {
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  return inspectStore(to, name)
}

/** Checks every page and row, and returns the applied migrations. Throws SQLite's errors and record_malformed. */
export function inspectStore(path: string, name: string): StoreFacts {
  const database = new (loadSqlite().DatabaseSync)(path)
  try {
    database.exec('pragma journal_mode = delete')
    const [first] = database.prepare('pragma integrity_check(1)').all()
    if (first?.['integrity_check'] !== 'ok') throw damaged(name)
    const has = database.prepare("select 1 from sqlite_schema where name = 'applied_migrations'").get()
    if (has === undefined) return { schema: [] }
    const rows = database.prepare('select name, tag from applied_migrations order by name, tag').all()
    return { schema: rows.map((row) => ({ set: String(row['name']), tag: String(row['tag']) })) }
  } finally {
    database.close()
  }
}

function damaged(name: string): BackupTrouble {
  const problem = 'it is damaged; stop PFAR and bring back the last good backup: pfar restore --replace'
  return new BackupTrouble('record_malformed', name, problem)
}
