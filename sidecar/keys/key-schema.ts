/**
 * Tables of `keys.sqlite`: the check value of the master key, wrapped data keys, and versions of rewritten records.
 * Read only through key-store.ts; a change needs `npm run migrations`.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bytes } from '../../integrations/store/database/columns.ts'
import type { KeyedStore } from '../../kernel/vault/key-ring.ts'

/** One row: identifies the master key that wraps all data keys. */
export const masters = sqliteTable('masters', {
  id: integer().primaryKey(),
  check: bytes().notNull(),
  /** Starts at 1, incremented at each rotation. */
  epoch: integer().notNull(),
})

export const dataKeys = sqliteTable(
  'data_keys',
  {
    store: text().$type<KeyedStore>().notNull(),
    principal: text().notNull(),
    generation: integer().notNull(),
    /** Null after the key was destroyed. The row stays, so that its records can report why they do not open. */
    wrapped: bytes(),
  },
  (table) => [primaryKey({ columns: [table.store, table.principal, table.generation] })],
)

/** Only records that were written more than once, or deleted for good. */
export const recordVersions = sqliteTable(
  'record_versions',
  {
    store: text().notNull(),
    record: text().notNull(),
    version: integer().notNull(),
    gone: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.store, table.record] })],
)
