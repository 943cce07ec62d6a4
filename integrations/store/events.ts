/** Deduplication of inbound events and the numbering of turns (B-24, B-26). Called by createStore. */
import { lt, sql } from 'drizzle-orm'
import type { Store } from '../../kernel/powers/ports.ts'
import { lazy, type StoreContext, slots } from './database.ts'
import { counters, events } from './schema.ts'

/** How long an id is remembered, milliseconds: a replay within it is refused. Platforms retry for a day (B-24). */
export const EVENT_MEMORY = 7 * 24 * 3_600_000

/** Old ids are dropped once in so many turns: a delete a message would cost more than it saves. */
const FORGET_EVERY = 64

export function createEventStore({ db, atomically }: StoreContext): Pick<Store, 'admit'> {
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
      .values({ principal: sql.placeholder('principal'), turn: 1 })
      .onConflictDoUpdate({ target: counters.principal, set: { turn: sql`${counters.turn} + 1` } })
      .returning({ turn: counters.turn })
      .prepare(),
  )
  return {
    admit: (event) =>
      atomically(() => {
        if (insert().get({ ...event }) === undefined) return null
        const turn = count().get({ principal: event.principal })?.turn ?? 1
        if (turn % FORGET_EVERY === 0) {
          db.delete(events)
            .where(lt(events.at, event.at - EVENT_MEMORY))
            .run()
        }
        return turn
      }),
  }
}
