/**
 * Identity links: which two principals are one person, and links awaiting approval (F-15, F-16). Must not decide what a link
 * allows: kernel/task/identity-link.ts does. Called by createStore.
 */
import { asc, sql } from 'drizzle-orm'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { StoredLink } from '../../kernel/powers/stores.ts'
import type { IdentityLink } from '../../kernel/task/identity-link.ts'
import { readDocument, readRef } from './database/columns.ts'
import { cachedRows, type StoreContext } from './database/database.ts'
import { identityLinks } from './schema/schema.ts'

type LinkStore = Pick<Store, 'saveIdentityLink' | 'identityLinks'>

export function createLinkStore(context: StoreContext): LinkStore {
  const { db, malformed } = context
  const read = (row: typeof identityLinks.$inferSelect): readonly StoredLink[] => {
    const broken = (): void => malformed({ table: 'identity_links', id: row.id })
    const link = readDocument<IdentityLink>(row.doc, ['id', 'ends', 'state'], broken)
    const card = row.card === null ? null : readRef(row.card, broken)
    return link === undefined || card === undefined ? [] : [{ link, card }]
  }
  const { all, changed } = cachedRows(context, () =>
    db
      .select()
      .from(identityLinks)
      .orderBy(asc(identityLinks.createdAt), asc(identityLinks.id))
      .all()
      .flatMap(read),
  )
  return {
    identityLinks: all,
    saveIdentityLink(link, card) {
      const { id, createdAt } = link
      const doc = JSON.stringify(link)
      db.insert(identityLinks)
        .values({ id, createdAt, doc, card: card === null ? null : JSON.stringify(card) })
        .onConflictDoUpdate({
          target: identityLinks.id,
          // The approved text is set once.
          set: { doc, card: sql`coalesce(${identityLinks.card}, excluded.card)` },
        })
        .run()
      changed()
    },
  }
}
