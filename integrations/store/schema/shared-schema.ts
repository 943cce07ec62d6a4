/**
 * Table of the values that many rows hold alike (shared.ts). It stands behind all others in tables.ts, so that an export that is made
 * while rows are written has every value that its rows name. A change here needs `npm run migrations`.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Written once, never changed. */
export const sharedValues = sqliteTable('shared_values', {
  /** First 32 bits of the SHA-256 of `value`, above 2^32: an export pages by numbers above 0. */
  id: integer().primaryKey(),
  /** JSON: guards of sealed values, lists of tools. Ids, labels and names; no content. */
  value: text().notNull(),
})
