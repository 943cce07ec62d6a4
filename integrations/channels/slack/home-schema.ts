/**
 * What home keeps of its line at Slack, in `home.sqlite`: small values by name, such as which message says what. Ids, digests and
 * times; no word of anybody's. Must not be read but through home-store.ts; a change needs `npm run migrations`.
 */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const slackKept = sqliteTable('slack_kept', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
