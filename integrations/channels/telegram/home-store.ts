/**
 * What home keeps of its bot, durable when a call returns: which updates were taken (B-24), where to go on asking, and the values of
 * `KeptPort`. Must not hold what an update says. Called by home-poller.ts and home-chat.ts.
 */
import { eq, lt } from 'drizzle-orm'
import type { SyncDatabase } from '../../store/database.ts'
import type { KeptPort } from '../runtime/kept.ts'
import { telegramKept, telegramUpdates } from './home-schema.ts'

/** Milliseconds that an update's number is remembered: Telegram itself keeps an update for a day. */
export const REMEMBERED = 2 * 86_400_000
/** Milliseconds: after a week without an update Telegram goes on with any number, which may lie below the last. */
const NUMBERS_GO_ON = 6 * 86_400_000

const CURSOR = 'cursor'

interface Cursor {
  readonly update: number
  readonly at: number
}

export interface TelegramStore {
  readonly kept: KeptPort
  /** What to ask for next; 0: whatever there is. */
  offset(now: number): number
  isTaken(update: number): boolean
  /** In one transaction: it is known from now on, and the next question is for what comes after it. */
  take(update: number, now: number): void
  /** Another bot, or the same anew: nothing is remembered, and the next question is for `next` and what comes after it. */
  startOver(next: number, now: number): void
}

/** The database must have been migrated with `DIRECTIVES_MIGRATIONS`, home's own set. */
export function createTelegramStore(db: SyncDatabase): TelegramStore {
  const kept: KeptPort = {
    get<T>(name: string): T | undefined {
      const row = db.select().from(telegramKept).where(eq(telegramKept.name, name)).get()
      // Written by `put` alone; a damaged one is an error that stops the line, aloud.
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
