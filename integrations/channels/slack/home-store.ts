/** `KeptPort` of the Slack line, durable when a call returns. Stores no text of messages. Called by home.ts. */
import { eq } from 'drizzle-orm'
import type { SyncDatabase } from '../../store/database.ts'
import type { KeptPort } from '../runtime/kept.ts'
import { slackKept } from './home-schema.ts'

export interface SlackStore extends KeptPort {
  /** Deletes everything, for another app or a new setup of the same one. */
  startOver(): void
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, home's own set. */
export function createSlackStore(db: SyncDatabase): SlackStore {
  return {
    get<T>(name: string): T | undefined {
      const row = db.select().from(slackKept).where(eq(slackKept.name, name)).get()
      // Only `put` writes the value; a damaged one throws and stops the line, with a report.
      return row === undefined ? undefined : (JSON.parse(row.value) as T)
    },
    put(name, value) {
      const row = { name, value: JSON.stringify(value) }
      db.insert(slackKept).values(row).onConflictDoUpdate({ target: slackKept.name, set: row }).run()
    },
    startOver: () => void db.delete(slackKept).run(),
  }
}
