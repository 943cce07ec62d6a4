/** Tables of reminders and tasks (DESIGN §9). Must be read through reminders.ts only; a change here needs `npm run migrations`. */
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Reminders and tasks. `due` is part of the id of a delivery, so that each occurrence is delivered once. */
export const reminders = sqliteTable(
  'reminders',
  {
    id: text().primaryKey(),
    principal: text().notNull(),
    number: integer().notNull(),
    kind: text().$type<'reminder' | 'task'>().notNull(),
    sink: text().notNull(),
    /** Sealed reference of the text, and `Repeat`, as JSON. */
    ref: text().notNull(),
    due: integer(),
    repeat: text(),
    ...{ state: text().$type<'open' | 'fired' | 'ended'>().notNull(), firedAt: integer('fired_at') },
    at: integer().notNull(),
    /** Due time of the last occurrence that was delivered, and how the owner answered it. */
    ...{ occurrence: integer(), answered: text().$type<'done' | 'later'>() },
    endedAt: integer('ended_at'),
    /** `ReminderBefore`, as JSON. */
    before: text(),
    /** Local time, for a reminder that was set by clock time. */
    local: text(),
    /** Name of the list that a task is on. */
    list: text(),
  },
  (row) => [
    uniqueIndex('reminders_number').on(row.principal, row.number),
    index('reminders_due').on(row.due).where(sql`state = 'open' and due is not null`),
  ],
)

/** Highest number that a reminder ever had. */
export const reminderNumbers = sqliteTable('reminder_numbers', {
  ...{ principal: text().primaryKey(), number: integer().notNull() },
})

/** The owner's settings that affect delivery times, such as quiet hours; a value is JSON. */
export const ownerSettings = sqliteTable('owner_settings', {
  ...{ name: text().primaryKey(), value: text().notNull() },
})
