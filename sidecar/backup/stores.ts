/**
 * What a backup holds, as data (E-13). Every SQLite file of the state folder is a store, so that a new one cannot be
 * forgotten; small files are named; each store of the edge is a file of its own kind. Not in it: the master key in any
 * custody (whoever opens a backup would read every row), sockets, locks, logs. Must not read contents. Called by make.ts, manifest.ts and restore.ts.
 */
import { existsSync, readdirSync } from 'node:fs'
import type { MigrationSet } from '../../integrations/store/migrate.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { KEYS_MIGRATIONS } from '../../migrations/keys.ts'
import { SECRETS_MIGRATIONS } from '../../migrations/secrets.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { KEY_STORE_FILE } from '../keys/key-store.ts'
import type { StateFolder } from '../state-folder.ts'
import { KEY_FILE, SIGN_FILE } from './backup-key.ts'

export interface BackedUp {
  /** File name in the state folder. */
  readonly name: string
  /** `edge`: a store of the edge, which no state folder holds. */
  readonly kind: 'sqlite' | 'file' | 'edge'
}

/**
 * `device.key`, `edges.json`: a restored box goes on under the enrolment of the old one, and knows which edge is its
 * own. The backup keys: it goes on making backups that the same passphrase opens.
 */
const SMALL_FILES: readonly string[] = ['config.toml', 'device.key', 'edges.json', KEY_FILE, SIGN_FILE]

const STORE = /^(?!edge-)[a-z][a-z0-9-]{0,40}\.sqlite$/
const EDGE_STORE = /^edge-(?:registry|[0-9a-f]{64})\.sqlite$/

/** Every schema that this program can open: a backup that knows more was written by a newer one (E-16). */
const SCHEMAS: readonly MigrationSet[] = [
  STORE_MIGRATIONS,
  TUNNEL_MIGRATIONS,
  DIRECTIVES_MIGRATIONS,
  KEYS_MIGRATIONS,
  SECRETS_MIGRATIONS,
]

/** What lies in a state folder. */
export interface HomeFile extends BackedUp {
  readonly kind: 'sqlite' | 'file'
}

/** What there is to back up now: stores, the keys of their records after them, files. Throws storage errors. */
export function storesIn(folder: StateFolder): readonly HomeFile[] {
  const stores = readdirSync(folder.path).filter((name) => STORE.test(name))
  const files = SMALL_FILES.filter((name) => existsSync(folder.file(name)))
  return [...stores.sort(keysLast).map(asStore), ...files.map(asFile)]
}

/** Whatever record a copy of another store holds, its key was there before it and is in this one. */
function keysLast(a: string, b: string): number {
  return Number(a === KEY_STORE_FILE) - Number(b === KEY_STORE_FILE) || a.localeCompare(b)
}

/** Whether a restore may write this name: a manifest must not choose a path, nor a file that PFAR does not own. */
export function isBackedUp({ name, kind }: BackedUp): boolean {
  if (kind === 'edge') return isEdgeFile(name)
  return kind === 'sqlite' ? STORE.test(name) : SMALL_FILES.includes(name)
}

/** The file of one of the edge's stores. */
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
