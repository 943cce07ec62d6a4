/**
 * The stores of home as files (E-13): which belong into a backup, consistent and checked copies of them, the hash chain of
 * an audit. Excluded: the master key, sockets, locks, logs. Must not write to a live store. Called by backups, copies and restores.
 */

import { existsSync, readdirSync } from 'node:fs'
import { brokenAuditLine } from '../../integrations/store/audit.ts'
import type { MigrationSet } from '../../integrations/store/schema/migrate.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { KEYS_MIGRATIONS } from '../../migrations/keys.ts'
import { SECRETS_MIGRATIONS } from '../../migrations/secrets.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { KEY_STORE_FILE } from '../keys/key-store.ts'
import { hasTable, loadSqlite, withDatabase } from '../store/sqlite.ts'
import { openSqliteToRead } from '../store/sqlite-bridge.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { BackupTrouble } from '../store/storage-trouble.ts'
import { KEY_FILE, SIGN_FILE } from './backup-key.ts'

export interface BackedUp {
  /** File name in the state folder. */
  readonly name: string
  /** `edge`: a store of the edge, which is in no state folder. */
  readonly kind: 'sqlite' | 'file' | 'edge'
}

/**
 * With `device.key` and `edges.json` a restored home keeps its enrolment and knows its edge. With the backup keys it
 * continues to make backups that the same passphrase opens.
 */
const SMALL_FILES: readonly string[] = ['config.toml', 'device.key', 'edges.json', KEY_FILE, SIGN_FILE]

const STORE = /^(?!edge-)[a-z][a-z0-9-]{0,40}\.sqlite$/
const EDGE_STORE = /^edge-(?:registry|[0-9a-f]{64})\.sqlite$/

/** Every schema that this program can open. A backup with an unknown migration was written by a newer one (E-16). */
const SCHEMAS: readonly MigrationSet[] = [
  STORE_MIGRATIONS,
  TUNNEL_MIGRATIONS,
  DIRECTIVES_MIGRATIONS,
  KEYS_MIGRATIONS,
  SECRETS_MIGRATIONS,
]

export interface HomeFile extends BackedUp {
  readonly kind: 'sqlite' | 'file'
}

/** The files to back up now: stores, then the key store, then small files. Throws storage errors. */
export function storesIn(folder: StateFolder): readonly HomeFile[] {
  const stores = readdirSync(folder.path).filter((name) => STORE.test(name))
  const files = SMALL_FILES.filter((name) => existsSync(folder.file(name)))
  return [
    ...stores.sort(keysLast).map((name) => ({ name, kind: 'sqlite' }) as const),
    ...files.map((name) => ({ name, kind: 'file' }) as const),
  ]
}

/** The key store is copied last, so that it contains the key of every record in the other copies. */
function keysLast(a: string, b: string): number {
  return Number(a === KEY_STORE_FILE) - Number(b === KEY_STORE_FILE) || a.localeCompare(b)
}

/** Whether a restore may write this name: a manifest must not choose a path, nor a file that PFAR does not own. */
export function isBackedUp({ name, kind }: BackedUp): boolean {
  if (kind === 'edge') return isEdgeFile(name)
  return kind === 'sqlite' ? STORE.test(name) : SMALL_FILES.includes(name)
}

export function edgeFile(store: string): string {
  return `edge-${store}.sqlite`
}

export function isEdgeFile(name: string): boolean {
  return EDGE_STORE.test(name)
}

/** The first migration of a backup that this program does not know, or null. */
export function unknownMigration(applied: readonly { readonly set: string; readonly tag: string }[]) {
  const known = new Set(
    SCHEMAS.flatMap(({ name, migrations }) => migrations.map(({ tag }) => `${name}/${tag}`)),
  )
  return applied.find(({ set, tag }) => !known.has(`${set}/${tag}`)) ?? null
}

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
  return withDatabase(path, (database) => {
    database.exec('pragma journal_mode = delete')
    const [first] = database.prepare('pragma integrity_check(1)').all()
    if (first?.['integrity_check'] !== 'ok') throw damaged(name)
    if (!hasTable(database, 'applied_migrations')) return { schema: [] }
    const rows = database.prepare('select name, tag from applied_migrations order by name, tag').all()
    return { schema: rows.map((row) => ({ set: String(row['name']), tag: String(row['tag']) })) }
  })
}

function damaged(name: string): BackupTrouble {
  const problem = 'it is damaged; stop PFAR and bring back the last good backup: pfar restore --replace'
  return new BackupTrouble('record_malformed', name, problem)
}

/** Number of the first row that breaks the chain; null if intact or without an audit. Throws SQLite's errors. */
export function brokenAuditIn(path: string): number | null {
  if (!withDatabase(path, (database) => hasTable(database, 'audit'))) return null
  const file = openSqliteToRead(path)
  try {
    return brokenAuditLine(file.db)
  } finally {
    file.close()
  }
}
