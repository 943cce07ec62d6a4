/**
 * `DirectiveStore` in home's database: versions of sealed text, and drafts. Must not see plaintext or choose which
 * versions stay: the kernel does. Called by home-database.ts.
 */

import { and, asc, desc, eq, lte, max, sql } from 'drizzle-orm'
import { type MalformedReporter, readRef } from '../../integrations/store/database/columns.ts'
import type { SyncDatabase } from '../../integrations/store/database/database.ts'
import type { DirectiveStore, StoredDirective } from '../../kernel/features/directives/port.ts'
import type { SealedRow } from '../../kernel/powers/sealed-port.ts'
import type { SealedRef } from '../../kernel/task/task.ts'
import { directives, drafts } from './home-schema.ts'

type Row = typeof directives.$inferSelect

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`. No other code writes its tables. */
export function createDirectiveStore(
  db: SyncDatabase,
  malformed: MalformedReporter = () => {},
): DirectiveStore {
  let changes = 0
  const read = (row: Row): readonly StoredDirective[] => {
    const ref = readRef(row.ref, () => malformed({ table: 'directives', id: String(row.seq) }))
    const { file, version, at } = row
    return ref === undefined ? [] : [{ file, version, at, ref, row: sealedRow(row, ref) }]
  }
  const newest = (file: string): number =>
    db
      .select({ version: max(directives.version) })
      .from(directives)
      .where(eq(directives.file, file))
      .get()?.version ?? 0
  const append = (row: Omit<typeof directives.$inferInsert, 'version'>, replaces: number): boolean => {
    if (newest(row.file) !== replaces) return false
    changes += 1
    db.insert(directives)
      .values({ ...row, version: replaces + 1 })
      .run()
    return true
  }
  return {
    version: () => changes,
    current: () =>
      db
        .select()
        .from(directives)
        .where(
          sql`(${directives.file}, ${directives.version}) in (select file, max(version) from directives group by file)`,
        )
        .orderBy(asc(directives.file))
        .all()
        .flatMap(read),
    history: (file) =>
      db
        .select()
        .from(directives)
        .where(eq(directives.file, file))
        .orderBy(desc(directives.version))
        .all()
        .flatMap(read),
    keep: ({ file, at, ref, row }, replaces) => append({ file, at, ...columnsOf(ref, row) }, replaces),
    putDraft({ file, at, until, ref, row }) {
      changes += 1
      db.insert(drafts)
        .values({ id: ref.id, file, at, until, ...columnsOf(ref, row) })
        .run()
    },
    adopt({ file, draft: id, replaces }, at) {
      const draft = db
        .delete(drafts)
        .where(and(eq(drafts.id, id), eq(drafts.file, file)))
        .returning()
        .get()
      if (draft === undefined) return false
      const { principal, label, ref, bytes } = draft
      return append({ file, at, principal, label, ref, bytes }, replaces)
    },
    dropDraft: (id) => void db.delete(drafts).where(eq(drafts.id, id)).run(),
    drop(versions, now) {
      for (const { file, version } of versions)
        db.delete(directives)
          .where(and(eq(directives.file, file), eq(directives.version, version)))
          .run()
      db.delete(drafts).where(lte(drafts.until, now)).run()
    },
    nextDraftEnd: () =>
      db.select({ until: drafts.until }).from(drafts).orderBy(asc(drafts.until)).get()?.until ?? null,
  }
}

function columnsOf(ref: SealedRef, { principal, label, bytes }: SealedRow) {
  return { principal, label, bytes, ref: JSON.stringify(ref) }
}

function sealedRow({ principal, label, bytes }: Row, { id, version }: SealedRef): SealedRow {
  return { id, principal, store: 'memory', version, label, bytes, until: null }
}
