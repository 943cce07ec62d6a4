/**
 * Tables of the D1 database that holds copies of home (DESIGN §6): sealed chunks, and the generations that
 * name them. Must be read through copy-archive.ts only; a change needs `npm run migrations`.
 */
import { customType, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** D1 accepts an ArrayBuffer and returns an array of numbers. */
const blob = customType<{ data: Uint8Array; driverData: ArrayBuffer | readonly number[] }>({
  dataType: () => 'blob',
  toDriver: (value) => new Uint8Array(value).buffer,
  fromDriver: (value) => new Uint8Array(value),
})

export const chunks = sqliteTable('copy_chunks', {
  /** HMAC of the plaintext, hex. */
  name: text().primaryKey(),
  /** Null while the chunk is announced and not yet uploaded. */
  bytes: blob(),
})

export const generations = sqliteTable('copy_generations', {
  number: integer().primaryKey(),
  at: integer().notNull(),
  /** JSON list of chunk names, in order: one row per chunk would cost thousands of writes for each copy. */
  chunks: text().notNull(),
  /** Sealed; base64url. */
  manifest: text().notNull(),
})
