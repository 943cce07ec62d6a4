/**
 * Tables of a store and their columns, by their names in the database; derived from the schema, so that none can be missing from an
 * export (E-13). Must not read rows. Called by the edge's export and import.
 */
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as contacts from './contact-schema.ts'
import * as jobs from './job-schema.ts'
import * as reminders from './reminder-schema.ts'
import * as schema from './schema.ts'
import * as shared from './shared-schema.ts'

export interface StoreTable {
  readonly name: string
  readonly columns: readonly string[]
}

export const STORE_TABLES: readonly StoreTable[] = Object.freeze(
  [schema, jobs, contacts, reminders, shared]
    .flatMap((tables): unknown[] => Object.values(tables))
    .filter((table) => is(table, SQLiteTable))
    .map((table) => ({
      name: getTableName(table),
      columns: Object.values(getTableColumns(table)).map((column) => column.name),
    })),
)
