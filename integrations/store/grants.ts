/**
 * Grants that the owner gave in advance, and their uses today (F-13, F-19). Must not decide what a grant covers:
 * kernel/flow/grant.ts does. Called by createStore.
 */
import { asc, eq, isNull, sql } from 'drizzle-orm'
import type { Grant } from '../../kernel/flow/grant.ts'
import { once } from '../../kernel/flow/once.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { StoredGrant } from '../../kernel/powers/stores.ts'
import { readDocument, readRef } from './database/columns.ts'
import { cachedRows, type StoreContext } from './database/database.ts'
import { grants, grantUses } from './schema/schema.ts'

type GrantStore = Pick<Store, 'saveGrant' | 'grants' | 'revokeGrant' | 'useGrant'>

/** Milliseconds in a day. */
const DAY = 86_400_000

export function createGrantStore(context: StoreContext): GrantStore {
  const { db, malformed } = context
  const count = once(() =>
    db
      .insert(grantUses)
      .values({ grant: sql.placeholder('grant'), day: sql.placeholder('day'), used: 1 })
      .onConflictDoUpdate({
        target: [grantUses.grant, grantUses.day],
        set: { used: sql`${grantUses.used} + 1` },
        setWhere: sql`${grantUses.used} < ${sql.placeholder('perDay')}`,
      })
      .returning({ used: grantUses.used })
      .prepare(),
  )
  const read = (row: typeof grants.$inferSelect): readonly StoredGrant[] => {
    const broken = (): void => malformed({ table: 'grants', id: row.id })
    const doc = readDocument<Grant>(row.doc, ['id', 'kind', 'template'], broken)
    const card = readRef(row.card, broken)
    if (doc === undefined || card === undefined) return []
    const { expiresAt, perDay, createdAt } = row
    return [{ grant: { ...doc, createdAt, expiresAt, perDay, revoked: row.revokedAt !== null }, card }]
  }
  const { all, changed } = cachedRows(context, () =>
    db.select().from(grants).orderBy(asc(grants.createdAt), asc(grants.id)).all().flatMap(read),
  )
  return {
    grants: all,
    saveGrant(grant, card) {
      const { id, createdAt, expiresAt, perDay } = grant
      const row = { id, createdAt, expiresAt, perDay, doc: JSON.stringify(grant), card: JSON.stringify(card) }
      db.insert(grants).values(row).onConflictDoNothing().run()
      changed()
    },
    revokeGrant(id, at) {
      const revoked = db
        .update(grants)
        .set({ revokedAt: at })
        .where(sql`${eq(grants.id, id)} and ${isNull(grants.revokedAt)}`)
        .returning({ id: grants.id })
        .all()
      changed()
      return revoked.length > 0
    },
    // Checked and counted in the caller's transaction, so that a grant revoked or used up meanwhile is not used.
    useGrant(id, now) {
      const live = all().find(({ grant }) => grant.id === id)?.grant
      if (live === undefined || live.revoked || live.expiresAt <= now || live.perDay < 1) return false
      const { perDay } = live
      return count().get({ grant: id, day: Math.floor(now / DAY), perDay }) !== undefined
    },
  }
}
