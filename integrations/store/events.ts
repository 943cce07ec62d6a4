/**
 * Deduplication of events that create no task with their id, and turn numbers (B-24, B-26). Called by createStore.
 */
import { lt, sql } from 'drizzle-orm'
import type { Store } from '../../kernel/powers/all-powers.ts'
import { lazy, type StoreContext, slots } from './database.ts'
import { counters, events } from './schema.ts'

/** Milliseconds for which an id is stored: a replay within it is refused (B-24). */
export const EVENT_MEMORY = 7 * 24 * 3_600_000

export function createEventStore({ db, atomically, turns }: StoreContext): Pick<Store, 'admit' | 'nextTurn'> {
  const insert = lazy(() =>
    db
      .insert(events)
      .values(slots('principal', 'id', 'at'))
      .onConflictDoNothing()
      .returning({ id: events.id })
      .prepare(),
  )
  const count = lazy(() =>
    db
      .insert(counters)
      .values(slots('principal', 'turn'))
      .onConflictDoUpdate({ target: counters.principal, set: { turn: sql`excluded.turn` } })
      .prepare(),
  )
  return {
    nextTurn: turns.next,
    admit: (event) =>
      atomically(() => {
        if (insert().get({ ...event }) === undefined) return null
        const { principal } = event
        const turn = turns.next(principal)
        count().run({ principal, turn })
        turns.took(principal, turn)
        db.delete(events)
          .where(lt(events.at, event.at - EVENT_MEMORY))
          .run()
        return turn
      }),
  }
}
