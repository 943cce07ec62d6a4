/**
 * A migrated database in memory. The resulting schema is written at once rather than by the migrations, because a suite opens
 * thousands of databases; the migrations are tested in test/store/migrations.test.ts. Called by tests.
 */
import { sql } from 'drizzle-orm'
import { type MigrationSet, migrate } from '../../integrations/store/schema/migrate.ts'
import { openSqlite, type SqliteFile } from '../../sidecar/store/sqlite-bridge.ts'

type Db = SqliteFile['db']

/** Cache of the statements that give an empty database the migrated schema, by the names of the migration sets. */
const kept = new Map<string, readonly string[]>()

export function openMigrated(...sets: readonly MigrationSet[]): Db {
  const key = sets.map(({ name }) => name).join()
  let statements = kept.get(key)
  if (statements === undefined) {
    const { db, close } = openSqlite(':memory:')
    for (const set of sets) migrate(db, set)
    statements = statementsOf(db)
    kept.set(key, statements)
    close()
  }
  const { db } = openSqlite(':memory:')
  db.transaction(() => {
    for (const statement of statements) db.run(sql.raw(statement))
  })
  return db
}

/** Statements for the schema, and for the rows that record the applied migrations, the only rows of a new database. */
function statementsOf(db: Db): readonly string[] {
  const made = db.all<{ sql: string }>(
    sql`select sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid`,
  )
  const applied = db.all<{ name: string; tag: string }>(sql`select name, tag from applied_migrations`)
  const values = applied.map(({ name, tag }) => `('${name}', '${tag}')`).join(', ')
  return [...made.map((row) => row.sql), `insert into applied_migrations (name, tag) values ${values}`]
}
