/**
 * First row of a numbered table at or after a time, found by halves: rows are numbered in time order, so a table that is written with
 * every message needs no index by time or task. A clock that was set back may make it begin too early, or within an earlier hour of
 * wrong time; who needs all rows looks whether the first is there. Called by the stores of this folder.
 */
import { eq, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { once } from '../../kernel/flow/once.ts'
import type { SyncDatabase } from './database/database.ts'
import { tasks } from './schema/schema.ts'

/** Returns a number: rows before it are older than `at` (epoch milliseconds). */
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

/** When a task of this store was made, epoch milliseconds; null when there is none. */
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
