/**
 * Messages that are yet to be deleted in their chats (H-16). Cached in memory, because they are few and read with every message.
 * Called by createStore.
 */
import { asc, eq } from 'drizzle-orm'
import type { Retraction } from '../../kernel/features/deliveries/retraction-port.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { StoreContext } from './database.ts'
import { retractions } from './schema.ts'

type RetractionStore = Pick<Store, 'saveRetraction' | 'retractions' | 'dropRetraction'>

export function createRetractionStore({ db, onUndone }: StoreContext): RetractionStore {
  let known: readonly Retraction[] | null = null
  onUndone(() => {
    known = null
  })
  return {
    retractions() {
      known ??= db.select().from(retractions).orderBy(asc(retractions.due), asc(retractions.id)).all()
      return known
    },
    saveRetraction(row) {
      const { attempts, due } = row
      db.insert(retractions)
        .values(row)
        .onConflictDoUpdate({ target: retractions.id, set: { attempts, due } })
        .run()
      known = null
    },
    dropRetraction(id) {
      db.delete(retractions).where(eq(retractions.id, id)).run()
      known = null
    },
  }
}
