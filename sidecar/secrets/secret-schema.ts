/**
 * The tables of `secrets.sqlite`: one row for each version of a secret, its value sealed, and one for each that was typed at
 * the edge, in its box (E-01, E-02). Names and scopes are metadata and lie in plain. Must not be read but through
 * secret-file.ts and offer-file.ts; a change needs `npm run migrations`.
 */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { bytes } from '../../integrations/store/columns.ts'
import type { SecretKind, SecretStatus } from './secret.ts'

export const secrets = sqliteTable(
  'secrets',
  {
    name: text().notNull(),
    /** From 1; one more whenever another value is stored under the name. */
    version: integer().notNull(),
    /** Random; the sealed record's id, so that a value that was let go can be buried for good. */
    record: text().notNull(),
    kind: text().$type<SecretKind>().notNull(),
    /** JSON of `SecretScope`; also in the additional data of the seal, so editing it here makes the value unreadable. */
    scope: text().notNull(),
    sealed: bytes().notNull(),
    status: text().$type<SecretStatus>().notNull(),
    /** When the name was first set; epoch milliseconds, like every time here. */
    createdAt: integer().notNull(),
    /** When this version was stored. */
    storedAt: integer().notNull(),
    lastUsedAt: integer(),
    /** When a service first accepted this version; null while it is on trial. */
    provenAt: integer(),
    /** When a service last said no to this version; cleared once it says yes. */
    rejectedAt: integer(),
    /** When the owner was last asked to renew it. */
    remindedAt: integer(),
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
  /** As it came. Null once the owner decided: the row stays a while, so that a second delivery changes nothing. */
  box: text(),
  arrivedAt: integer().notNull(),
})
