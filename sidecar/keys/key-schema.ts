/**
 * Tables of `keys.sqlite`: the check of the master key, wrapped data keys, and versions of records that were written
 * again. Must not be read but through key-store.ts; a change needs `npm run migrations`.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bytes } from '../../integrations/store/columns.ts'
import type { KeyedStore } from '../../kernel/vault/wrapped-key.ts'

/** One row: which master key all wrapped keys lie under. */
export const masters = sqliteTable('masters', {
  id: integer().primaryKey(),
  check: bytes().notNull(),
  /** From 1; one more at each rotation. */
  epoch: integer().notNull(),
})

export const dataKeys = sqliteTable(
  'data_keys',
  {
    store: text().$type<KeyedStore>().notNull(),
    principal: text().notNull(),
    generation: integer().notNull(),
    /** Null once it was destroyed: the row stays, so that its records can say why they do not open. */
    wrapped: bytes(),
  },
  (table) => [primaryKey({ columns: [table.store, table.principal, table.generation] })],
)

/** Only of records that were written more than once, or deleted for good. */
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
