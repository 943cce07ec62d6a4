/**
 * `secrets.sqlite` (0600): rows of sealed secrets in their own database, apart from conversations (E-01, E-02). Must
 * not hold an unsealed value; has no key. Called by secret-store.ts and by home's start.
 */
import { and, asc, eq } from 'drizzle-orm'
import { migrate } from '../../integrations/store/migrate.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { SECRETS_MIGRATIONS } from '../../migrations/secrets.ts'
import { openSqlite } from '../store/sqlite-bridge.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { createOfferFile, type OfferFile } from './offer-file.ts'
import { secrets } from './secret-schema.ts'

export const SECRETS_FILE = 'secrets.sqlite'

export type SecretRow = typeof secrets.$inferSelect
type Change = Partial<Pick<SecretRow, 'status' | 'lastUsedAt' | 'provenAt' | 'rejectedAt' | 'remindedAt'>>
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
    const { db, close } = openSqlite(folder.file(SECRETS_FILE))
    migrate(db, SECRETS_MIGRATIONS)
    const one = ({ name, version }: Version) => and(eq(secrets.name, name), eq(secrets.version, version))
    const drop = (rows: readonly Version[]): void => {
      for (const row of rows) db.delete(secrets).where(one(row)).run()
    }
    const change = (row: Version, to: Change): void => void db.update(secrets).set(to).where(one(row)).run()
    return ok({
      offers: createOfferFile(db),
      rows: () => db.select().from(secrets).orderBy(asc(secrets.name), asc(secrets.version)).all(),
      versionsOf: (name) =>
        db.select().from(secrets).where(eq(secrets.name, name)).orderBy(asc(secrets.version)).all(),
      replace: (row, { former, gone }) =>
        db.transaction(() => {
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
