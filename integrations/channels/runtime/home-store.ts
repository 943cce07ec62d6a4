/**
 * Table of a channel's small values in `home.sqlite`, such as which message shows which delivery, and `ChannelState` over it. Ids, digests
 * and counters; no text of anybody. A change of a table needs `npm run migrations`. Called by the packages' stores.
 */
import { eq } from 'drizzle-orm'
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SyncDatabase } from '../../store/database/database.ts'
import type { ChannelState } from './channel-state.ts'

export const channelTable = (name: string) =>
  sqliteTable(name, {
    name: text().primaryKey(),
    /** JSON. */
    value: text().notNull(),
  })

export interface KeptStore extends ChannelState {
  /** Deletes everything, for another bot or a new setup of the same one. */
  startOver(): void
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, home's own set. */
export function createKeptStore(db: SyncDatabase, table: ReturnType<typeof channelTable>): KeptStore {
  return {
    get<T>(name: string): T | undefined {
      const row = db.select().from(table).where(eq(table.name, name)).get()
      // Only `put` writes the value; a damaged one throws and stops the line, with a report.
      return row === undefined ? undefined : (JSON.parse(row.value) as T)
    },
    put(name, value) {
      const row = { name, value: JSON.stringify(value) }
      db.insert(table).values(row).onConflictDoUpdate({ target: table.name, set: row }).run()
    },
    startOver: () => void db.delete(table).run(),
  }
}
