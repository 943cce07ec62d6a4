/**
 * `keys.sqlite` (0600): wrapped data keys, record versions, and the check value of the master key. Must not see a plain
 * data key except while rewrapping it. Called by home-keys.ts and by `pfar key`.
 */
import { and, asc, count, desc, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { slots } from '../../integrations/store/database/database.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { once } from '../../kernel/flow/once.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { KEY_BYTES, type Random } from '../../kernel/vault/cipher.ts'
import {
  type KeyAddress,
  type KeyedStore,
  keyCheck,
  SEALING_PURPOSE,
  unwrapKey,
  type VersionMemory,
  type WrappedKeyStore,
  wrapKey,
} from '../../kernel/vault/key-ring.ts'
import { KEYS_MIGRATIONS } from '../../migrations/keys.ts'
import { openSqlite, type SqliteFile } from '../store/sqlite-bridge.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { dataKeys, masters, recordVersions } from './key-schema.ts'

export const KEY_STORE_FILE = 'keys.sqlite'

/** Stores whose keys belong to principals; the keys of `home` are home's own. */
const RECORD_STORES: readonly KeyedStore[] = ['secrets', 'sessions', 'memory']

const THE_MASTER = 1

export interface RewrapInput {
  readonly from: Uint8Array
  readonly to: Uint8Array
  readonly random: Random
}

export interface KeyStore {
  readonly wrappedKeys: WrappedKeyStore
  readonly versions: VersionMemory
  /** 0 before the first master key, then incremented at each rotation. */
  epoch(): number
  /** Data keys that exist, and that were destroyed. */
  counts(): { readonly keys: number; readonly destroyed: number }
  /** Whether this is the master key that wraps all keys here. */
  fits(master: Uint8Array): boolean
  /** Stores the first master key. */
  begin(master: Uint8Array): void
  /**
   * Rewraps every key in one transaction, so that a crash leaves the old state or the new one. A damaged wrapped key
   * stays as it is, because refusing would keep the old master key in force forever; returns how many. Replaces the key
   * that the edge seals to: whoever has the old master key and this file must not open later boxes.
   */
  rewrap(input: RewrapInput): number
  close(): void
}

/** Refusal: storage_failed (damaged, or written by a newer version). */
export function openKeyStore(folder: StateFolder): Result<KeyStore> {
  try {
    const file = openSqlite(folder.file(KEY_STORE_FILE))
    migrate(file.db, KEYS_MIGRATIONS)
    return ok(createKeyStore(file))
  } catch {
    const problem =
      'it is damaged, not a database, or written by a newer version; without it nothing stored can be read: restore it from a backup'
    return err('storage_failed', { file: KEY_STORE_FILE, problem })
  }
}

/** Opens the store for `work`, and closes it. Refusals: those of `openKeyStore` and of `work`. */
export async function withKeyStore<T>(
  folder: StateFolder,
  work: (store: KeyStore) => Promise<Result<T>>,
): Promise<Result<T>> {
  const store = openKeyStore(folder)
  if (!store.ok) return store
  try {
    return await work(store.value)
  } finally {
    store.value.close()
  }
}

type Database = SqliteFile['db']

function createKeyStore({ db, close }: SqliteFile): KeyStore {
  const master = () => db.select().from(masters).where(eq(masters.id, THE_MASTER)).get()
  const keep = (key: Uint8Array, epoch: number): void => {
    const check = keyCheck(key)
    durably(db, () =>
      db
        .insert(masters)
        .values({ id: THE_MASTER, check, epoch })
        .onConflictDoUpdate({ target: masters.id, set: { check, epoch } })
        .run(),
    )
  }
  const epoch = () => master()?.epoch ?? 0
  return {
    wrappedKeys: createWrappedKeys(db),
    versions: createVersions(db),
    epoch,
    counts: () => {
      const all = db.select({ n: count() }).from(dataKeys).get()?.n ?? 0
      const keys = db.select({ n: count() }).from(dataKeys).where(isNotNull(dataKeys.wrapped)).get()?.n ?? 0
      return { keys, destroyed: all - keys }
    },
    fits(key) {
      const check = master()?.check
      return check !== undefined && Buffer.from(check).equals(keyCheck(key))
    },
    begin: (key) => keep(key, 1),
    rewrap: (input) =>
      db.transaction(() => {
        const damaged = rewrapRows(db, input)
        renewSealing(db, input)
        keep(input.to, epoch() + 1)
        return damaged
      }),
    close,
  }
}

/**
 * Durable when it returns: records under a key are in another file and must not outlive it in a power cut. A single
 * statement outside a transaction would reach the disk only with the next transaction, which may be much later.
 */
function durably(db: Database, write: () => unknown): void {
  db.transaction(write)
}

function rewrapRows(db: Database, { from, to, random }: RewrapInput): number {
  let damaged = 0
  for (const row of db.select().from(dataKeys).where(isNotNull(dataKeys.wrapped)).all()) {
    const key = row.wrapped === null ? null : unwrapKey(from, row, row.wrapped)
    if (key === null) damaged += 1
    else {
      const wrapped = wrapKey({ master: to, random }, row, key)
      db.update(dataKeys).set({ wrapped }).where(sameKey(row)).run()
      key.fill(0)
    }
  }
  return damaged
}

/** Keeps the former key for boxes that are queued at the edge, and deletes those before it. */
function renewSealing(db: Database, { to, random }: RewrapInput): void {
  const mine = and(eq(dataKeys.store, 'home'), eq(dataKeys.principal, SEALING_PURPOSE))
  const former = db.select().from(dataKeys).where(mine).orderBy(desc(dataKeys.generation)).get()
  if (former === undefined) return
  const { store, principal, generation } = former
  db.delete(dataKeys)
    .where(and(mine, lt(dataKeys.generation, generation)))
    .run()
  const address: KeyAddress = { store, principal, generation: generation + 1 }
  const wrapped = wrapKey({ master: to, random }, address, random(KEY_BYTES))
  db.insert(dataKeys)
    .values({ ...address, wrapped })
    .run()
}

function sameKey(row: KeyAddress) {
  const { store, principal, generation } = row
  return and(
    eq(dataKeys.store, store),
    eq(dataKeys.principal, principal),
    eq(dataKeys.generation, generation),
  )
}

function createWrappedKeys(db: Database): WrappedKeyStore {
  return {
    generations: (store, principal) =>
      db
        .select()
        .from(dataKeys)
        .where(and(eq(dataKeys.store, store), eq(dataKeys.principal, principal)))
        .orderBy(asc(dataKeys.generation))
        .all(),
    add: (row) => durably(db, () => db.insert(dataKeys).values(row).run()),
    destroy(principal) {
      const mine = and(eq(dataKeys.principal, principal), inArray(dataKeys.store, [...RECORD_STORES]))
      const live = and(mine, isNotNull(dataKeys.wrapped))
      const gone = db
        .update(dataKeys)
        .set({ wrapped: null })
        .where(live)
        .returning({ store: dataKeys.store })
        .all()
      // `secure_delete` overwrites deleted cells; this also removes pages that the log and the free list still hold.
      db.all(sql.raw('vacuum'))
      db.all(sql.raw('pragma wal_checkpoint(truncate)'))
      return gone.length
    },
  }
}

function createVersions(db: Database): VersionMemory {
  const one = once(() =>
    db
      .select()
      .from(recordVersions)
      .where(
        and(
          eq(recordVersions.store, sql.placeholder('store')),
          eq(recordVersions.record, sql.placeholder('record')),
        ),
      )
      .prepare(),
  )
  const raise = once(() =>
    db
      .insert(recordVersions)
      .values(slots('store', 'record', 'version', 'gone'))
      .onConflictDoUpdate({
        target: [recordVersions.store, recordVersions.record],
        set: { version: sql`max(version, excluded.version)`, gone: sql`max(gone, excluded.gone)` },
      })
      .prepare(),
  )
  return {
    current: ({ store, record }) => one().get({ store, record }) ?? null,
    raise: ({ store, record }, { version, gone }) =>
      durably(db, () => raise().run({ store, record, version, gone })),
  }
}
