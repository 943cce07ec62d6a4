/**
 * Deliveries that wait for their channel (F-18). Cached in memory, because they are few and read with every message. Called by
 * createStore.
 */
import { asc, eq } from 'drizzle-orm'
import type { WaitingDelivery, WaitingStore } from '../../kernel/features/deliveries/waiting-port.ts'
import type { StoreContext } from './database.ts'
import { waitingDeliveries } from './schema.ts'

export function createWaitingStore({ db, onUndone }: StoreContext): WaitingStore {
  let known: readonly WaitingDelivery[] | null = null
  onUndone(() => {
    known = null
  })
  return {
    waiting() {
      known ??= db
        .select()
        .from(waitingDeliveries)
        .orderBy(asc(waitingDeliveries.seq))
        .all()
        .map(({ seq, ...row }) => row)
      return known
    },
    putWaiting(row) {
      const { due, held, attempts, told } = row
      db.insert(waitingDeliveries)
        .values(row)
        .onConflictDoUpdate({ target: waitingDeliveries.id, set: { due, held, attempts, told } })
        .run()
      known = null
    },
    dropWaiting(id) {
      db.delete(waitingDeliveries).where(eq(waitingDeliveries.id, id)).run()
      known = null
    },
  }
}
