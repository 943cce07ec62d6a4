/**
 * Finds the first row of a numbered table at or after a time by binary search: rows are in time order, so the table needs no
 * index by time or task. After a clock was set back, the result may be too early, or lie within an earlier hour of wrong time;
 * callers that need all rows check whether the first is there. Called by the stores of this folder.
 */
import { eq, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { once } from '../../kernel/flow/once.ts'
import type { SyncDatabase } from './database/database.ts'
import { tasks } from './schema/schema.ts'

/** Returns a row number. Rows before it are older than `at` (epoch milliseconds). */
export function createRowsSince(db: SyncDatabase, table: SQLiteTable): (at: number) => number {
  const name = sql.raw(getTableName(table))
  const from = (seq: number): { readonly seq: number; readonly at: number } | undefined =>
    db.all<{ seq: number; at: number }>(
      sql`select seq, at from ${name} where seq >= ${seq} order by seq limit 1`,
    )[0]
  return (at) => {
    const [last] = db.all<{ seq: number }>(sql`select coalesce(max(seq), 0) as seq from ${name}`)
    let [low, high] = [1, (last?.seq ?? 0) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = from(middle)
      if (row === undefined || row.at >= at) high = middle
      else low = row.seq + 1
    }
    return low
  }
}

/** When a task of this store was created, epoch milliseconds; null for an unknown task. */
export function createTaskTimes(db: SyncDatabase): (task: string) => number | null {
  const made = once(() =>
    db
      .select({ at: sql<number | null>`json_extract(${tasks.doc}, '$.createdAt')` })
      .from(tasks)
      .where(eq(tasks.id, sql.placeholder('task')))
      .prepare(),
  )
  return (task) => made().get({ task })?.at ?? null
}
