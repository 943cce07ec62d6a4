/**
 * Deliveries that wait for their channel (F-18), and messages that are yet to be deleted in their chats (H-16). Called by
 * createStore.
 */
import { asc, eq } from 'drizzle-orm'
import type { WaitingStore } from '../../kernel/features/deliveries/waiting-port.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import { cachedRows, type StoreContext } from './database/database.ts'
import { retractions, waitingDeliveries } from './schema/schema.ts'

export function createWaitingStore(context: StoreContext): WaitingStore {
  const { db } = context
  const { all, changed } = cachedRows(context, () =>
    db
      .select()
      .from(waitingDeliveries)
      .orderBy(asc(waitingDeliveries.seq))
      .all()
      .map(({ seq, ...row }) => row),
  )
  return {
    waiting: all,
    putWaiting(row) {
      const { due, held, attempts, told } = row
      db.insert(waitingDeliveries)
        .values(row)
        .onConflictDoUpdate({ target: waitingDeliveries.id, set: { due, held, attempts, told } })
        .run()
      changed()
    },
    dropWaiting(id) {
      db.delete(waitingDeliveries).where(eq(waitingDeliveries.id, id)).run()
      changed()
    },
  }
}

type RetractionStore = Pick<Store, 'saveRetraction' | 'retractions' | 'dropRetraction'>

export function createRetractionStore(context: StoreContext): RetractionStore {
  const { db } = context
  const { all, changed } = cachedRows(context, () =>
    db.select().from(retractions).orderBy(asc(retractions.due), asc(retractions.id)).all(),
  )
  return {
    retractions: all,
    saveRetraction(row) {
      const { attempts, due } = row
      db.insert(retractions)
        .values(row)
        .onConflictDoUpdate({ target: retractions.id, set: { attempts, due } })
        .run()
      changed()
    },
    dropRetraction(id) {
      db.delete(retractions).where(eq(retractions.id, id)).run()
      changed()
    },
  }
}
