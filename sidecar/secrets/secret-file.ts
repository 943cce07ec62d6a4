/**
 * `secrets.sqlite` (0600), apart from conversations: rows of sealed secrets, and of secrets that were typed
 * at the edge and not yet accepted, each in its box (E-01, E-02, L-12). Must not hold an unsealed value; has
 * no key. Called by secret-store.ts, offer-service.ts and home's start.
 */

import { and, asc, count, eq, isNotNull, lt } from 'drizzle-orm'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { SECRETS_MIGRATIONS } from '../../migrations/secrets.ts'
import { openSqlite, type SqliteFile } from '../store/sqlite-bridge.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { offers, secrets } from './secret-schema.ts'

const SECRETS_FILE = 'secrets.sqlite'

export type SecretRow = typeof secrets.$inferSelect
type Change = Partial<
  Pick<SecretRow, 'status' | 'lastUsedAt' | 'provenAt' | 'rejectedAt' | 'remindedAt' | 'endsAt'>
>
type Version = Pick<SecretRow, 'name' | 'version'>

export interface SecretFile {
  readonly offers: OfferFile
  /** Ordered by name, then version. */
  rows(): readonly SecretRow[]
  versionsOf(name: string): readonly SecretRow[]
  /** Adds a row and changes or removes others, in one transaction. */
  replace(row: SecretRow, others: { readonly former?: Version; readonly gone: readonly Version[] }): void
  change(row: Version, change: Change): void
  remove(rows: readonly Version[]): void
  close(): void
}

/** Refusal: storage_failed (damaged, or written by a newer version). */
export function openSecretFile(folder: StateFolder): Result<SecretFile> {
  try {
    const { db, writtenByOthers, close } = openSqlite(folder.file(SECRETS_FILE))
    migrate(db, SECRETS_MIGRATIONS)
    const one = ({ name, version }: Version) => and(eq(secrets.name, name), eq(secrets.version, version))
    const read = (): readonly SecretRow[] =>
      db.select().from(secrets).orderBy(asc(secrets.name), asc(secrets.version)).all()
    const known = createKnown(read, writtenByOthers)
    const drop = (rows: readonly Version[]): void => {
      known.forget()
      for (const row of rows) db.delete(secrets).where(one(row)).run()
    }
    const change = (row: Version, to: Change): void => {
      known.forget()
      db.update(secrets).set(to).where(one(row)).run()
    }
    return ok({
      offers: createOfferFile(db),
      rows: read,
      versionsOf: known.versionsOf,
      replace: (row, { former, gone }) =>
        db.transaction(() => {
          known.forget()
          drop(gone)
          if (former !== undefined) change(former, { status: 'former' })
          db.insert(secrets).values(row).run()
        }),
      change,
      remove: (rows) => db.transaction(() => drop(rows)),
      close,
    })
  } catch {
    const problem =
      'it is damaged, not a database, or written by a newer version; pfar restore --replace brings back a backup'
    return err('storage_failed', { file: SECRETS_FILE, problem })
  }
}

interface Known {
  versionsOf(name: string): readonly SecretRow[]
  /** Call before every write. */
  forget(): void
}

/**
 * Cache of the rows, because every prompt checks for each tool whether its credential exists. Read again after a write here or by
 * another process (`pfar secret`), so that a deleted secret disappears at once.
 */
function createKnown(read: () => readonly SecretRow[], others: () => number): Known {
  let byName: ReadonlyMap<string, readonly SecretRow[]> | null = null
  let seen = -1
  return {
    versionsOf(name) {
      const version = others()
      if (byName === null || version !== seen) byName = Map.groupBy(read(), (row) => row.name)
      seen = version
      return byName.get(name) ?? []
    },
    forget() {
      byName = null
    },
  }
}

type OfferRow = typeof offers.$inferSelect

/** An offer that waits for the owner's decision. */
export type WaitingOffer = OfferRow & { readonly box: string }

export interface OfferFile {
  /** Pending offers, oldest first. */
  waiting(): readonly WaitingOffer[]
  /** Whether this id was received before, decided or not. */
  knows(id: string): boolean
  count(): number
  add(offer: SecretOffer, arrivedAt: number): void
  /** Deletes the boxes of all offers under this name after a decision. Returns how many. */
  settle(name: string): number
  /** Deletes boxes that arrived before `boxes`, and rows that arrived before `rows`. Epoch milliseconds. */
  expire(before: { readonly boxes: number; readonly rows: number }): void
}

function createOfferFile(db: SqliteFile['db']): OfferFile {
  const waits = isNotNull(offers.box)
  return {
    waiting: () =>
      db
        .select()
        .from(offers)
        .where(waits)
        .orderBy(asc(offers.arrivedAt), asc(offers.id))
        .all()
        .flatMap((row) => (row.box === null ? [] : [{ ...row, box: row.box }])),
    knows: (id) => db.select({ id: offers.id }).from(offers).where(eq(offers.id, id)).get() !== undefined,
    count: () => db.select({ n: count() }).from(offers).get()?.n ?? 0,
    add: (offer, arrivedAt) =>
      db.transaction(
        () =>
          void db
            .insert(offers)
            .values({ ...offer, arrivedAt })
            .run(),
      ),
    settle: (name) =>
      db.transaction(
        () =>
          db
            .update(offers)
            .set({ box: null })
            .where(and(eq(offers.name, name), waits))
            .returning({ id: offers.id })
            .all().length,
      ),
    expire: ({ boxes, rows }) =>
      db.transaction(() => {
        db.update(offers)
          .set({ box: null })
          .where(and(waits, lt(offers.arrivedAt, boxes)))
          .run()
        db.delete(offers).where(lt(offers.arrivedAt, rows)).run()
      }),
  }
}
