/**
 * Forward-only migrations over any synchronous drizzle SQLite (T-12). The SQL comes as data (`migrations/*.ts`), so
 * that the edge bundle and home apply the very same statements. Called by each place before it opens a store.
 */
import { eq, sql } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SyncDatabase } from './database.ts'

export interface Migration {
  /** File name without `.sql`; sorts in order of application. */
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
 * Applies what is missing, all or nothing. Throws when the database knows a migration that this version does not:
 * an older program must not write into a newer schema.
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
