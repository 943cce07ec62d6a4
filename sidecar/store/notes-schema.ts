/**
 * Table of home's notes in `home.sqlite`, one row a note. Must hold `public` values only. Read only through
 * home-notes.ts; a change needs `npm run migrations`.
 */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const notes = sqliteTable('home_notes', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
