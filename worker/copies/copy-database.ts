/**
 * The D1 database of the copies, migrated once per isolate, so that a deployment needs no migration step (T-12). Forward only; each
 * migration is one batch with its own mark. Must not know what the tables hold. Called by copy-shelf.ts.
 */
import { sql } from 'drizzle-orm'
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { COPIES_MIGRATIONS } from '../../migrations/copies.ts'

const applied = sqliteTable('applied_migrations', { tag: text().primaryKey() })

export type CopyDatabase = DrizzleD1Database

const opened = new WeakMap<D1Database, Promise<CopyDatabase>>()

/** Throws D1's errors, and when a newer version has migrated the database; the next call tries again. */
export function openCopyDatabase(binding: D1Database): Promise<CopyDatabase> {
  const known = opened.get(binding)
  if (known !== undefined) return known
  const opening = migrated(binding)
  opened.set(binding, opening)
  opening.catch(() => opened.delete(binding))
  return opening
}

async function migrated(binding: D1Database): Promise<CopyDatabase> {
  const db = drizzle(binding)
  await db.run(sql`create table if not exists ${applied} (tag text primary key not null)`)
  const done = new Set((await db.select().from(applied)).map(({ tag }) => tag))
  for (const { tag, statements } of COPIES_MIGRATIONS.migrations) {
    if (done.delete(tag)) continue
    // The mark is written first: when two isolates migrate at once, the later batch fails as a whole, and that isolate checks
    // again.
    const mark = db.insert(applied).values({ tag })
    await db.batch([mark, ...statements.map((statement) => db.run(sql.raw(statement)))])
  }
  if (done.size > 0) throw new Error('the copies were written by a newer version')
  return db
}
