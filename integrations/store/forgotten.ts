/**
 * Forgotten memory entries that can still be restored, and the numbers of entries (E-20). A forgotten entry keeps its sealed row,
 * which expires with the restore period. Must not hold a value. Called by session.ts; sealed.ts deletes expired ones.
 */
import { and, desc, eq, gt, lte, max } from 'drizzle-orm'
import type { EntryNumbers, Forgetting, ForgottenEntry } from '../../kernel/features/memory/port.ts'
import type { StoreContext } from './database/database.ts'
import { unindex } from './facts.ts'
import { facts, memory, memoryNumbers } from './schema/schema.ts'

export function createForgotten(context: StoreContext): Forgetting & EntryNumbers {
  const { db, malformed, atomically, shared } = context
  const mark = (
    { principal, kind, id }: Pick<ForgottenEntry, 'principal' | 'kind' | 'id'>,
    forgotten: number | null,
  ): void => {
    if (kind === 'fact')
      db.update(facts)
        .set({ forgotten })
        .where(and(eq(facts.principal, principal), eq(facts.id, id)))
        .run()
    else
      db.update(memory)
        .set({ forgotten })
        .where(and(eq(memory.principal, principal), eq(memory.record, id)))
        .run()
  }
  const read = (row: Row): readonly ForgottenEntry[] => {
    const ref = shared.readRef(row.ref, () =>
      malformed({ table: row.kind === 'fact' ? 'facts' : 'memory', id: row.id }),
    )
    return ref === undefined ? [] : [{ ...row, ref }]
  }
  return {
    forgetEntry: (entry) =>
      atomically(() => {
        if (entry.kind === 'fact') unindex(context, entry.principal, entry.id)
        mark(entry, entry.until)
      }),
    forgotten: (principal, now) => forgottenRows(context, principal, now).flatMap(read),
    remembered(entry, as = entry.id) {
      mark(entry, null)
      if (as !== entry.id) db.update(facts).set({ id: as }).where(eq(facts.id, entry.id)).run()
    },
    ...createNumbers(context),
  }
}

type Row = Omit<ForgottenEntry, 'ref'> & { readonly ref: string }

function forgottenRows({ db }: StoreContext, principal: string, now: number): readonly Row[] {
  const ofFacts = db
    .select()
    .from(facts)
    .where(and(eq(facts.principal, principal), gt(facts.forgotten, now)))
    .orderBy(desc(facts.forgotten))
    .all()
  const ofMemory = db
    .select()
    .from(memory)
    .where(and(eq(memory.principal, principal), gt(memory.forgotten, now)))
    .orderBy(desc(memory.forgotten))
    .all()
  return [
    ...ofFacts.map(
      ({ id, ref, at, forgotten }): Row => ({
        ...{ principal, kind: 'fact', id, ref, tool: null, task: null, at },
        until: forgotten ?? now,
      }),
    ),
    ...ofMemory.map(
      ({ record, ref, action, task, at, forgotten }): Row => ({
        ...{ principal, kind: 'result', id: record, ref, tool: action, task, at },
        until: forgotten ?? now,
      }),
    ),
  ].sort((a, b) => b.until - a.until)
}

function createNumbers({ db, atomically }: StoreContext): EntryNumbers {
  return {
    numbersOf: (principal, entries) =>
      atomically(() => {
        const mine = eq(memoryNumbers.principal, principal)
        // One statement per entry: a Durable Object allows a hundred parameters in one.
        return entries.map((entry) => {
          const given = db
            .select({ number: memoryNumbers.number })
            .from(memoryNumbers)
            .where(and(mine, eq(memoryNumbers.entry, entry)))
            .get()
          if (given !== undefined) return given.number
          const highest = db
            .select({ n: max(memoryNumbers.number) })
            .from(memoryNumbers)
            .where(mine)
            .get()
          const number = (highest?.n ?? 0) + 1
          db.insert(memoryNumbers).values({ principal, number, entry }).run()
          return number
        })
      }),
    entryAt: (principal, number) =>
      db
        .select({ entry: memoryNumbers.entry })
        .from(memoryNumbers)
        .where(and(eq(memoryNumbers.principal, principal), eq(memoryNumbers.number, number)))
        .get()?.entry ?? null,
    renumber(principal, from, to) {
      db.update(memoryNumbers)
        .set({ entry: to })
        .where(and(eq(memoryNumbers.principal, principal), eq(memoryNumbers.entry, from)))
        .run()
    },
  }
}

/** Deletes entries past their restore period; their sealed rows expire at the same time. */
export function dropForgotten(db: StoreContext['db'], now: number): void {
  db.delete(facts).where(lte(facts.forgotten, now)).run()
  db.delete(memory).where(lte(memory.forgotten, now)).run()
}
