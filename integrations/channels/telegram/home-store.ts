/**
 * State of home's bot, durable when a call returns: taken updates (B-24), the polling offset, and the values of `KeptPort`. Stores
 * no content of an update. Called by home-poller.ts and home-chat.ts.
 */
import { eq, lt } from 'drizzle-orm'
import type { SyncDatabase } from '../../store/database.ts'
import type { KeptPort } from '../runtime/kept.ts'
import { telegramKept, telegramUpdates } from './home-schema.ts'

/** Milliseconds for which an update's id is stored: Telegram itself keeps an update for a day. */
export const REMEMBERED = 2 * 86_400_000
/** Milliseconds: after a week without updates Telegram may restart at any id, also below the last one. */
const NUMBERS_GO_ON = 6 * 86_400_000

const CURSOR = 'cursor'

interface Cursor {
  readonly update: number
  readonly at: number
}

export interface TelegramStore {
  readonly kept: KeptPort
  /** Offset of the next poll; 0 for every pending update. */
  offset(now: number): number
  isTaken(update: number): boolean
  /** In one transaction: records the update as taken and moves the offset past it. */
  take(update: number, now: number): void
  /** Deletes everything, for another bot or a new setup of the same one; polling starts at `next`. */
  startOver(next: number, now: number): void
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, home's own set. */
export function createTelegramStore(db: SyncDatabase): TelegramStore {
  const kept: KeptPort = {
    get<T>(name: string): T | undefined {
      const row = db.select().from(telegramKept).where(eq(telegramKept.name, name)).get()
      // Only `put` writes the value; a damaged one throws and stops the line, with a report.
      return row === undefined ? undefined : (JSON.parse(row.value) as T)
    },
    put(name, value) {
      const row = { name, value: JSON.stringify(value) }
      db.insert(telegramKept).values(row).onConflictDoUpdate({ target: telegramKept.name, set: row }).run()
    },
  }
  return {
    kept,
    offset(now) {
      const cursor = kept.get<Cursor>(CURSOR)
      return cursor === undefined || now - cursor.at > NUMBERS_GO_ON ? 0 : cursor.update + 1
    },
    isTaken: (id) => db.select().from(telegramUpdates).where(eq(telegramUpdates.id, id)).get() !== undefined,
    take(id, at) {
      db.transaction(() => {
        db.delete(telegramUpdates)
          .where(lt(telegramUpdates.at, at - REMEMBERED))
          .run()
        db.insert(telegramUpdates).values({ id, at }).onConflictDoNothing().run()
        kept.put(CURSOR, { update: id, at } satisfies Cursor)
      })
    },
    startOver(next, at) {
      db.transaction(() => {
        db.delete(telegramUpdates).run()
        db.delete(telegramKept).run()
        kept.put(CURSOR, { update: next - 1, at } satisfies Cursor)
      })
    },
  }
}
