/**
 * Turn numbers of a principal (B-26): each is one above the highest of any task, turn or admitted event. Must not reserve a number:
 * the row stored with it takes it. Called by the stores of this folder.
 */
import { eq, max, sql } from 'drizzle-orm'
import { lazy, type StoreContext, type TurnNumbers } from './database.ts'
import { counters, tasks, turns } from './schema.ts'

/** The store has one writer, so the highest number is queried once per principal. */
export function createTurnNumbers({ db, onUndone }: Pick<StoreContext, 'db' | 'onUndone'>): TurnNumbers {
  const highest = new Map<string, number>()
  onUndone(() => highest.clear())
  const statements = [counters, tasks, turns].map((table) =>
    lazy(() =>
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
    took: (principal, turn) => void highest.set(principal, Math.max(known(principal), turn)),
  }
}
