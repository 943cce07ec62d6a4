/**
 * Forward-only migrations over any synchronous drizzle SQLite (T-12). The SQL comes as data (`migrations/*.ts`), so that edge and
 * home apply the same statements. Called by each place before it opens a store.
 */
import { eq, sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SyncDatabase } from '../database/database.ts'

export interface Migration {
  /** File name without `.sql`; sorts in the order of application. */
  readonly tag: string
  readonly statements: readonly string[]
}

/** Migrations of one schema; several may live in one database. */
export interface MigrationSet {
  readonly name: string
  readonly migrations: readonly Migration[]
}

const applied = sqliteTable('applied_migrations', { name: text().notNull(), tag: text().notNull() })

/**
 * Applies missing migrations, all or none. Throws when the database has a migration that this version does not know: an older
 * program must not write to a newer schema.
 */
export function migrate(db: SyncDatabase, set: MigrationSet): void {
  db.transaction(() => {
    db.run(
      sql`create table if not exists ${applied} (name text not null, tag text not null, primary key (name, tag))`,
    )
    const rows = db.select({ tag: applied.tag }).from(applied).where(eq(applied.name, set.name)).all()
    const done = new Set(rows.map((row) => row.tag))
    for (const { tag, statements } of set.migrations) {
      if (done.delete(tag)) continue
      for (const statement of statements) db.run(sql.raw(statement))
      db.insert(applied).values({ name: set.name, tag }).run()
    }
    if (done.size > 0) throw new Error(`the ${set.name} database was written by a newer version`)
  })
}
