/**
 * Table of the values that many rows hold alike (shared.ts). It stands behind all others in tables.ts, so that an export that is made
 * while rows are written has every value that its rows name. A change here needs `npm run migrations`.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Written once, never changed. */
export const sharedValues = sqliteTable('shared_values', {
  /** First 48 bits of the SHA-256 of `value`. */
  id: integer().primaryKey(),
  /** JSON: guards of sealed values, lists of tools. Ids, labels and names; no content. */
  value: text().notNull(),
})
