/** The values of `KeptPort` for the line at Slack, durable when a call returns. Must not hold what anybody says. Called by home.ts. */
import { eq } from 'drizzle-orm'
import type { SyncDatabase } from '../../store/database.ts'
import type { KeptPort } from '../runtime/kept.ts'
import { slackKept } from './home-schema.ts'

export interface SlackStore extends KeptPort {
  /** Another app, or the same anew: nothing is remembered. */
  startOver(): void
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, home's own set. */
export function createSlackStore(db: SyncDatabase): SlackStore {
  return {
    get<T>(name: string): T | undefined {
      const row = db.select().from(slackKept).where(eq(slackKept.name, name)).get()
      // Written by `put` alone; a damaged one is an error that stops the line, aloud.
      return row === undefined ? undefined : (JSON.parse(row.value) as T)
    },
    put(name, value) {
      const row = { name, value: JSON.stringify(value) }
      db.insert(slackKept).values(row).onConflictDoUpdate({ target: slackKept.name, set: row }).run()
    },
    startOver: () => void db.delete(slackKept).run(),
  }
}
