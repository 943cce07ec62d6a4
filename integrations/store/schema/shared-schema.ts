/**
 * Table of values that many rows share (shared.ts). It is last in tables.ts, so that an export made while rows are written
 * contains every value that its rows refer to. A change here needs `npm run migrations`.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Rows are written once and never changed. */
export const sharedValues = sqliteTable('shared_values', {
  /** First 32 bits of the SHA-256 of `value`, above 2^32: an export pages by numbers above 0. */
  id: integer().primaryKey(),
  /** JSON: guards of sealed values, lists of tools. Ids, labels and names; no content. */
  value: text().notNull(),
})
