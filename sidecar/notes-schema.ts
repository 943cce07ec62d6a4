/**
 * What home notes of itself between its starts, in `home.sqlite`: one row a note. Must not hold anything that is not
 * `public`; must not be read but through home-notes.ts; a change needs `npm run migrations`.
 */
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const notes = sqliteTable('home_notes', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})
