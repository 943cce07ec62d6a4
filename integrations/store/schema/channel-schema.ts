/**
 * Tables of one end of the tunnel: unacknowledged frames, pieces of incomplete bodies, and the two counters. Used by TunnelObject
 * and by home. Must be read through channel-store.ts only; a change needs `npm run migrations`.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Size columns stand before the data: SQLite then reads them without passing over a megabyte. */
export const out = sqliteTable('tunnel_out', {
  seq: integer().primaryKey(),
  bytes: integer().notNull(),
  body: text().notNull(),
})

export const pieces = sqliteTable('tunnel_pieces', {
  seq: integer().primaryKey(),
  n: integer().notNull(),
  of: integer().notNull(),
  sum: text().notNull(),
  bytes: integer().notNull(),
  text: text().notNull(),
})

export const cursors = sqliteTable('tunnel_cursors', {
  name: text().$type<'sent' | 'received'>().primaryKey(),
  value: integer().notNull(),
})
