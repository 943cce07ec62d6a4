/**
 * Tables of one end of the tunnel: frames that wait for their acknowledgement, and the two counters. Used by
 * TunnelObject and by home. Must not be read but through channel-store.ts; a change needs `npm run migrations`.
 */
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const out = sqliteTable('tunnel_out', {
  seq: integer().primaryKey(),
  body: text().notNull(),
})

export const cursors = sqliteTable('tunnel_cursors', {
  name: text().$type<'sent' | 'received'>().primaryKey(),
  value: integer().notNull(),
})
