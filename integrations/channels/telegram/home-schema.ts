/**
 * Tables of home's Telegram bot in `home.sqlite`: ids of taken updates, and small values by name, such as which message shows which
 * delivery. Ids, digests and counters; no text of anybody. Must be read through home-store.ts only; a change needs `npm run
 * migrations`.
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
