/**
 * Home's own tables in `home.sqlite`: the owner's directive files, in which every text is sealed, and so is the name of a file
 * that the owner created; notes, which are `public`; days of health data, sealed by the month; digests of listed feed items. Read only
 * through directive-store.ts, home-notes.ts, health-rows.ts and feed-items.ts; a change needs `npm run migrations`.
 */

import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { bytes } from '../../integrations/store/database/columns.ts'

export const directives = sqliteTable(
  'directives',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Name of a standard file, or a random id. */
    file: text().notNull(),
    version: integer().notNull(),
    at: integer().notNull(),
    principal: text().notNull(),
    label: text().notNull(),
    /** Sealed reference, as JSON. */
    ref: text().notNull(),
    bytes: bytes().notNull(),
  },
  (row) => [uniqueIndex('directives_version').on(row.file, row.version)],
)

export const drafts = sqliteTable(
  'directive_drafts',
  {
    id: text().primaryKey(),
    file: text().notNull(),
    at: integer().notNull(),
    until: integer().notNull(),
    principal: text().notNull(),
    label: text().notNull(),
    ref: text().notNull(),
    bytes: bytes().notNull(),
  },
  (row) => [index('directive_drafts_until').on(row.until)],
)

export const notes = sqliteTable('home_notes', {
  name: text().primaryKey(),
  /** JSON. */
  value: text().notNull(),
})

export const healthMonths = sqliteTable(
  'health_months',
  {
    /** Kind of export that the data came from. */
    source: text().notNull(),
    /** `2026-11`. */
    month: text().notNull(),
    at: integer().notNull(),
    label: text().notNull(),
    bytes: bytes().notNull(),
  },
  (row) => [primaryKey({ columns: [row.source, row.month] })],
)

export const feedItems = sqliteTable(
  'feed_items',
  {
    principal: text().notNull(),
    /** Digests of the feed's address and of the item. */
    feed: text().notNull(),
    digest: text().notNull(),
    /** Task that listed it first. */
    task: text().notNull(),
    /** When that was. */
    told: integer().notNull(),
    /** When it was last in the feed. */
    seen: integer().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.principal, row.feed, row.digest] }),
    index('feed_items_seen').on(row.principal, row.seen),
  ],
)
