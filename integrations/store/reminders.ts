/**
 * Rows of reminders and tasks: times, numbers and sealed references (DESIGN §9). Must not decide when one is due. Called by
 * createStore.
 */
import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Reminder, ReminderBefore, ReminderStore } from '../../kernel/features/reminders/port.ts'
import type { Repeat } from '../../kernel/features/reminders/repeat.ts'
import { once } from '../../kernel/flow/once.ts'
import { readDocument, readRef } from './database/columns.ts'
import { atMost, type StoreContext } from './database/database.ts'
import { reminderNumbers, reminders } from './schema/reminder-schema.ts'

// A condition of a partial index is literal text: SQLite cannot match a bound parameter to it.
const DUE = sql.raw("state = 'open' and due is not null")

export function createReminderStore({ db, malformed, atomically, onUndone }: StoreContext): ReminderStore {
  // Cached, because every message asks when the next reminder is due.
  let next: { readonly at: number | null } | undefined
  const changed = (): void => {
    next = undefined
  }
  onUndone(changed)
  const read = ({ ref: kept, ...rest }: typeof reminders.$inferSelect): readonly Reminder[] => {
    const { repeat: rule, before: was, ...row } = rest
    const report = (): void => malformed({ table: 'reminders', id: row.id })
    const ref = readRef(kept, report)
    const repeat = rule === null ? null : readDocument<Repeat>(rule, ['kind', 'every', 'first'], report)
    const before = was === null ? null : readDocument<ReminderBefore>(was, ['due', 'state'], report)
    return ref === undefined || repeat === undefined || before === undefined
      ? []
      : [{ ...row, ref, repeat, before }]
  }
  // Prepared, because every short message of the owner may answer the last reminder.
  const lastFired = once(() =>
    db
      .select()
      .from(reminders)
      .where(
        and(
          eq(reminders.principal, sql.placeholder('principal')),
          eq(reminders.sink, sql.placeholder('sink')),
          ne(reminders.state, 'ended'),
          isNotNull(reminders.firedAt),
          gte(reminders.firedAt, sql.placeholder('since')),
        ),
      )
      .orderBy(desc(reminders.firedAt))
      .limit(atMost(1))
      .prepare(),
  )
  // Prepared, because it runs after every message.
  const dueNow = once(() =>
    db
      .select()
      .from(reminders)
      .where(and(DUE, lte(reminders.due, sql.placeholder('now'))))
      .orderBy(asc(reminders.due))
      .limit(atMost(sql.placeholder('limit')))
      .prepare(),
  )
  const over = once(() =>
    db
      .select()
      .from(reminders)
      .where(
        or(
          and(eq(reminders.state, 'fired'), lt(reminders.firedAt, sql.placeholder('fired'))),
          and(eq(reminders.state, 'ended'), lt(reminders.endedAt, sql.placeholder('ended'))),
        ),
      )
      .limit(atMost(sql.placeholder('limit')))
      .prepare(),
  )
  const isOpen = (principal: string) => and(eq(reminders.principal, principal), eq(reminders.state, 'open'))
  return {
    addReminder: ({ ref, repeat, before, ...row }) =>
      atomically(() => {
        const { principal } = row
        const { number } = db
          .insert(reminderNumbers)
          .values({ principal, number: 1 })
          .onConflictDoUpdate({
            target: reminderNumbers.principal,
            set: { number: sql`${reminderNumbers.number} + 1` },
          })
          .returning()
          .get()
        const rule = jsonOf(repeat)
        db.insert(reminders)
          .values({ ...row, number, ref: JSON.stringify(ref), repeat: rule, before: jsonOf(before) })
          .run()
        changed()
        return number
      }),
    reminderOf: (id) =>
      db.select().from(reminders).where(eq(reminders.id, id)).all().flatMap(read)[0] ?? null,
    saveReminder({ id, ref, due, repeat, before, state, firedAt, occurrence, answered, endedAt, local }) {
      const changes = { due, state, firedAt, occurrence, answered, endedAt, local }
      db.update(reminders)
        .set({ ...changes, ref: JSON.stringify(ref), repeat: jsonOf(repeat), before: jsonOf(before) })
        .where(eq(reminders.id, id))
        .run()
      changed()
    },
    dropReminder(id) {
      db.delete(reminders).where(eq(reminders.id, id)).run()
      changed()
    },
    openReminders: (principal, kind) =>
      db
        .select()
        .from(reminders)
        .where(and(isOpen(principal), eq(reminders.kind, kind)))
        .orderBy(asc(reminders.due), asc(reminders.list), asc(reminders.number))
        .all()
        .flatMap(read),
    reminderNumbered: (principal, number) =>
      db
        .select()
        .from(reminders)
        .where(and(eq(reminders.principal, principal), eq(reminders.number, number)))
        .all()
        .flatMap(read)[0] ?? null,
    countReminders: (principal) =>
      db.select({ n: sql<number>`count(*)` }).from(reminders).where(isOpen(principal)).get()?.n ?? 0,
    dueReminders: (now, limit) => dueNow().all({ now, limit }).flatMap(read),
    nextReminder() {
      next ??= {
        at:
          db
            .select({ at: sql<number | null>`min(${reminders.due})` })
            .from(reminders)
            .where(DUE)
            .get()?.at ?? null,
      }
      return next.at
    },
    firedLast: (principal, sink, since) =>
      lastFired().all({ principal, sink, since }).flatMap(read)[0] ?? null,
    unanswered: (principal, since) =>
      db
        .select()
        .from(reminders)
        .where(
          and(
            eq(reminders.principal, principal),
            eq(reminders.kind, 'reminder'),
            ne(reminders.state, 'ended'),
            isNull(reminders.answered),
            gte(reminders.firedAt, since),
          ),
        )
        .orderBy(asc(reminders.occurrence))
        .all()
        .flatMap(read),
    over: (before, limit) =>
      over()
        .all({ ...before, limit })
        .flatMap(read),
  }
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}
