/**
 * State of home's bot in `home.sqlite`, durable when a call returns: taken updates (B-24), the polling offset, and the values of
 * `ChannelState`. Ids, digests and counters; no content of an update. Called by home-poller.ts and home-line.ts; a change of a table needs
 * `npm run migrations`.
 */
import { eq, lt } from 'drizzle-orm'
import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core'
import type { SyncDatabase } from '../../store/database/database.ts'
import type { ChannelState } from '../runtime/channel-state.ts'
import { channelTable, createKeptStore } from '../runtime/home-store.ts'

export const telegramUpdates = sqliteTable(
  'telegram_updates',
  {
    id: integer().primaryKey(),
    /** When it was taken, epoch milliseconds. */
    at: integer().notNull(),
  },
  (row) => [index('telegram_updates_at').on(row.at)],
)

export const telegramState = channelTable('telegram_kept')

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
  readonly kept: ChannelState
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
  const kept = createKeptStore(db, telegramState)
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
        kept.startOver()
        kept.put(CURSOR, { update: next - 1, at } satisfies Cursor)
      })
    },
  }
}
