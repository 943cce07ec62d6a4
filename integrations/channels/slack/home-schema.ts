/**
 * Tables of home's Slack line in `home.sqlite`: small values by name, such as which message shows which delivery. Ids, digests and
 * times; no text of anybody. Must be read through home-store.ts only; a change needs `npm run migrations`.
 */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const slackKept = sqliteTable('slack_kept', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
