/**
 * Tables of `secrets.sqlite`: one row per version of a secret, its value sealed, and one per offer from the edge, in its box
 * (E-01, E-02). Names and scopes are metadata and not encrypted. Read only through secret-file.ts; a change needs `npm run
 * migrations`.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bytes } from '../../integrations/store/database/columns.ts'
import type { SecretKind, SecretStatus } from './secret.ts'

export const secrets = sqliteTable(
  'secrets',
  {
    name: text().notNull(),
    /** Starts at 1, incremented whenever another value is stored under the name. */
    version: integer().notNull(),
    /** Random id of the sealed record, so that a deleted value can be made unreadable for good. */
    record: text().notNull(),
    kind: text().$type<SecretKind>().notNull(),
    /** JSON of `SecretScope`. Also in the seal's additional data, so that editing it makes the value unreadable. */
    scope: text().notNull(),
    sealed: bytes().notNull(),
    status: text().$type<SecretStatus>().notNull(),
    /** When the name was first set. Epoch milliseconds, as for every time here. */
    createdAt: integer().notNull(),
    /** When this version was stored. */
    storedAt: integer().notNull(),
    lastUsedAt: integer(),
    /** When a service first accepted this version; null while it is on trial. */
    provenAt: integer(),
    /** When a service last rejected this version; cleared when one accepts it. */
    rejectedAt: integer(),
    /** When the owner was last asked to renew it. */
    remindedAt: integer(),
    /** When its service ends the permission, as the service reported; null: unknown, or the owner was notified. */
    endsAt: integer(),
  },
  (table) => [primaryKey({ columns: [table.name, table.version] })],
)

export const offers = sqliteTable('offers', {
  id: text().primaryKey(),
  principal: text().notNull(),
  name: text().notNull(),
  key: text().notNull(),
  /** When it was typed, by the edge's clock. */
  at: integer().notNull(),
  /** The box as received. Null after the decision; the row stays a while, so that a second delivery is recognised. */
  box: text(),
  arrivedAt: integer().notNull(),
})
