/**
 * Tables of one end of the tunnel: frames that wait for their acknowledgement, pieces of bodies that have not come whole,
 * and the two counters. Used by TunnelObject and by home. Must not be read but through channel-store.ts; a change needs
 * `npm run migrations`.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Sizes stand before what they measure: SQLite finds them without reading past a megabyte. */
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
