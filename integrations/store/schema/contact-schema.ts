/** Table of the owner's contacts (DESIGN §9). Must be read through contacts.ts only; a change here needs `npm run migrations`. */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The owner's contacts: references of sealed names and addresses, with what one was before its last change. */
export const contacts = sqliteTable('contacts', {
  number: integer().primaryKey({ autoIncrement: true }),
  ref: text().notNull(),
  before: text(),
  source: text().$type<'typed' | 'confirmed'>().notNull(),
  gone: integer(),
  at: integer().notNull(),
})
