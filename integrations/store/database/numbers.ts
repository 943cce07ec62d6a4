/**
 * Numbers of new rows in tables with AUTOINCREMENT. SQLite updates its own counter with every row. Assigning the number here, and
 * advancing that counter in blocks, saves one written row each, which the edge pays for. Must not assign a number twice: the
 * store has one writer, and a rollback reads again. Called by the stores.
 */
import { getTableName, max, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { once } from '../../../kernel/flow/once.ts'
import type { StoreContext } from './database.ts'

/** Number of rows by which SQLite's counter is advanced at once. */
const BLOCK = 1_000

type Numbered = SQLiteTable & { readonly seq: SQLiteColumn }

/** Assigns the next number of the table: one above its highest. A row is deleted only together with the insert of a later one. */
export function createNumbers({ db, onUndone }: StoreContext, table: Numbered): () => number {
  const name = getTableName(table)
  const highest = once(() =>
    db
      .select({ seq: max(table.seq) })
      .from(table)
      .prepare(),
  )
  let last: number | null = null
  let reserved = 0
  onUndone(() => {
    last = null
  })
  const read = (): number => {
    const [row] = db.all<{ seq: number }>(sql`select seq from sqlite_sequence where name = ${name}`)
    reserved = row?.seq ?? 0
    return Number(highest().get()?.seq ?? 0)
  }
  const reserve = (from: number): void => {
    const isThere = db.all(sql`select 1 from sqlite_sequence where name = ${name}`).length > 0
    reserved = from + BLOCK
    if (isThere) db.run(sql`update sqlite_sequence set seq = ${reserved} where name = ${name}`)
    else db.run(sql`insert into sqlite_sequence (name, seq) values (${name}, ${reserved})`)
  }
  return () => {
    const next = (last ?? read()) + 1
    if (next > reserved) reserve(next)
    last = next
    return next
  }
}
