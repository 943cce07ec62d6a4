/**
 * The content of a backup, as data (E-13). Every SQLite file of the state folder is included, so that a new one cannot
 * be forgotten; small files are listed by name; each store of the edge is a separate file. Excluded: the master key (it
 * would open every row), sockets, locks, logs. Must not read contents. Called by make.ts, manifest.ts and restore.ts.
 */
import { existsSync, readdirSync } from 'node:fs'
import type { MigrationSet } from '../../integrations/store/migrate.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { KEYS_MIGRATIONS } from '../../migrations/keys.ts'
import { SECRETS_MIGRATIONS } from '../../migrations/secrets.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { KEY_STORE_FILE } from '../keys/key-store.ts'
import type { StateFolder } from '../store/state-folder.ts'
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

/** A file of the state folder. */
export interface HomeFile extends BackedUp {
  readonly kind: 'sqlite' | 'file'
}

/** The files to back up now: stores, then the key store, then small files. Throws storage errors. */
export function storesIn(folder: StateFolder): readonly HomeFile[] {
  const stores = readdirSync(folder.path).filter((name) => STORE.test(name))
  const files = SMALL_FILES.filter((name) => existsSync(folder.file(name)))
  return [...stores.sort(keysLast).map(asStore), ...files.map(asFile)]
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

/** File name of a store of the edge. */
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

function asStore(name: string): HomeFile {
  return { name, kind: 'sqlite' }
}

function asFile(name: string): HomeFile {
  return { name, kind: 'file' }
}
