/**
 * What home keeps of its bot at Telegram, in `home.sqlite`: numbers of updates that were taken, and small values by name, such as
 * which message says what. Ids, digests and counters; no word of anybody's. Must not be read but through home-store.ts; a
 * change needs `npm run migrations`.
 */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const telegramUpdates = sqliteTable(
  'telegram_updates',
  {
    id: integer().primaryKey(),
    /** When it was taken, epoch milliseconds. */
    at: integer().notNull(),
  },
  (row) => [index('telegram_updates_at').on(row.at)],
)

export const telegramKept = sqliteTable('telegram_kept', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
