/**
 * Tables of the D1 database that holds copies of home (DESIGN §6): sealed chunks, and the generations that name them.
 * Must not be read but through copy-shelf.ts; a change needs `npm run migrations`.
 */
import { customType, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** D1 takes an ArrayBuffer and answers with an array of numbers. */
const blob = customType<{ data: Uint8Array; driverData: ArrayBuffer | readonly number[] }>({
  dataType: () => 'blob',
  toDriver: (value) => new Uint8Array(value).buffer,
  fromDriver: (value) => new Uint8Array(value),
})

export const chunks = sqliteTable('copy_chunks', {
  /** HMAC of the plaintext, hex. */
  name: text().primaryKey(),
  /** Null while it is announced only. */
  bytes: blob(),
})

export const generations = sqliteTable('copy_generations', {
  number: integer().primaryKey(),
  at: integer().notNull(),
  /** JSON list of names, in order: a row each would be thousands of writes for every copy. */
  chunks: text().notNull(),
  /** Sealed; base64url. */
  manifest: text().notNull(),
})
