/**
 * Deduplication of events that create no task with their id, and turn numbers of a principal (B-24, B-26). Called by createStore
 * and, for the numbers, by the stores of this folder.
 */
import { eq, lt, max, sql } from 'drizzle-orm'
import { once } from '../../kernel/flow/once.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import { type StoreContext, slots, type TurnNumbers } from './database/database.ts'
import { counters, events, tasks, turns } from './schema/schema.ts'

/** Milliseconds for which an id is stored: a replay within it is refused (B-24). */
export const EVENT_MEMORY = 7 * 24 * 3_600_000

export function createEventStore({ db, atomically, turns }: StoreContext): Pick<Store, 'admit' | 'nextTurn'> {
  const insert = once(() =>
    db
      .insert(events)
      .values(slots('principal', 'id', 'at'))
      .onConflictDoNothing()
      .returning({ id: events.id })
      .prepare(),
  )
  const count = once(() =>
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
        turns.recordStored(principal, turn)
        db.delete(events)
          .where(lt(events.at, event.at - EVENT_MEMORY))
          .run()
        return turn
      }),
  }
}

/** The store has one writer, so the highest number is queried once per principal. */
export function createTurnNumbers({ db, onUndone }: Pick<StoreContext, 'db' | 'onUndone'>): TurnNumbers {
  const highest = new Map<string, number>()
  onUndone(() => highest.clear())
  const statements = [counters, tasks, turns].map((table) =>
    once(() =>
      db
        .select({ turn: max(table.turn) })
        .from(table)
        .where(eq(table.principal, sql.placeholder('principal')))
        .prepare(),
    ),
  )
  const known = (principal: string): number => {
    const turn =
      highest.get(principal) ?? Math.max(...statements.map((one) => one().get({ principal })?.turn ?? 0))
    highest.set(principal, turn)
    return turn
  }
  return {
    next: (principal) => known(principal) + 1,
    recordStored: (principal, turn) => void highest.set(principal, Math.max(known(principal), turn)),
  }
}
