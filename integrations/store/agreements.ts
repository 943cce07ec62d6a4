/**
 * Pairing agreements: people whom the owner gives access, and open invitations (B-04). Must not decide what an agreement allows:
 * kernel/task/agreement.ts does. Called by createStore.
 */
import { asc, sql } from 'drizzle-orm'
import type { AgreementStore, StoredAgreement } from '../../kernel/features/people/port.ts'
import type { SettingReader } from '../../kernel/features/quiet/port.ts'
import type { Agreement } from '../../kernel/task/agreement.ts'
import { readDocument, readRef } from './database/columns.ts'
import { cachedRows, type StoreContext } from './database/database.ts'
import { agreements } from './schema/schema.ts'

export function createAgreementStore(context: StoreContext): Omit<AgreementStore, keyof SettingReader> {
  const { db, malformed } = context
  const read = (row: typeof agreements.$inferSelect): readonly StoredAgreement[] => {
    const broken = (): void => malformed({ table: 'agreements', id: row.id })
    const has = ['id', 'templates', 'state', 'principal', 'sink', 'openUntil', 'expiresAt'] as const
    const agreement = readDocument<Agreement>(row.doc, has, broken)
    const who = row.who === null ? null : readRef(row.who, broken)
    return agreement === undefined || who === undefined ? [] : [{ agreement, who }]
  }
  const { all, changed } = cachedRows(context, () =>
    db.select().from(agreements).orderBy(asc(agreements.createdAt), asc(agreements.id)).all().flatMap(read),
  )
  return {
    agreements: all,
    saveAgreement(agreement, who) {
      const { id, createdAt } = agreement
      const doc = JSON.stringify(agreement)
      db.insert(agreements)
        .values({ id, createdAt, doc, who: who === null ? null : JSON.stringify(who) })
        .onConflictDoUpdate({
          target: agreements.id,
          set: { doc, who: sql`coalesce(excluded.who, ${agreements.who})` },
        })
        .run()
      changed()
    },
  }
}
