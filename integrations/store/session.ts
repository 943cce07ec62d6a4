/**
 * A principal's session: turns of the conversation, working memory and facts, all by sealed reference (B-12 – B-16). Every
 * statement names the principal, so that no session is read for another one (B-10). Called by createStore.
 */
import { and, asc, desc, eq, isNull, like, notInArray, notLike, sql } from 'drizzle-orm'
import { EDGE_PREFIX } from '../../kernel/features/memory/fact.ts'
import type {
  EntryNumbers,
  FactStore,
  Forgetting,
  MemoryEntry,
  MemoryStore,
} from '../../kernel/features/memory/port.ts'
import { once } from '../../kernel/flow/once.ts'
import type { TurnStore } from '../../kernel/powers/stores.ts'
import { atMost, type StoreContext } from './database/database.ts'
import { readable } from './database/readable.ts'
import { createFacts } from './facts.ts'
import { createForgotten } from './forgotten.ts'
import { memory } from './schema/schema.ts'
import { createTurns } from './turns.ts'

type SessionStore = TurnStore & MemoryStore & FactStore & Forgetting & EntryNumbers

export function createSessionStore(context: StoreContext): SessionStore {
  return {
    ...createTurns(context),
    ...createMemory(context),
    ...createFacts(context),
    ...createForgotten(context),
  }
}

function createMemory({
  db,
  malformed,
  atomically,
  shared,
}: StoreContext): Pick<
  SessionStore,
  'pushMemory' | 'workingMemory' | 'archivedMemory' | 'memoryOf' | 'archiveMemory' | 'dropMemory'
> {
  const newest = once(() =>
    db
      .select()
      .from(memory)
      .where(
        and(
          eq(memory.principal, sql.placeholder('principal')),
          eq(memory.archived, sql.placeholder('archived')),
          isNull(memory.forgotten),
        ),
      )
      .orderBy(desc(memory.seq))
      .limit(atMost(sql.placeholder('limit')))
      .offset(sql.placeholder('offset'))
      .prepare(),
  )
  const entriesOf = (principal: string, archived: 0 | 1) => (limit: number, offset: number) =>
    newest().all({ principal, archived, limit, offset })
  const read = (row: typeof memory.$inferSelect): readonly MemoryEntry[] => {
    const { seq: _, archived: __, forgotten: ___, record, ref: text, ...entry } = row
    const ref = shared.readRef(text, () => malformed({ table: 'memory', id: record }))
    return ref === undefined ? [] : [{ ...entry, ref }]
  }
  /** Entries synced from the edge are a separate pool: however many there are, they displace nothing of this place's own (B-14). */
  const ofPool = ({ principal, told }: Pool, archived: boolean) =>
    and(
      eq(memory.principal, principal),
      eq(memory.archived, archived),
      told ? like(memory.task, `${EDGE_PREFIX}%`) : notLike(memory.task, `${EDGE_PREFIX}%`),
    )
  /** Archives everything of this principal except the results of the newest `tasks` tasks. */
  const archiveBeyond = (pool: Pool, tasks: number): boolean => {
    const working = ofPool(pool, false)
    const kept = db
      .select({ task: memory.task })
      .from(memory)
      .where(working)
      .groupBy(memory.task)
      .orderBy(sql`max(${memory.seq}) desc`)
      .limit(tasks)
    const pushed = db
      .update(memory)
      .set({ archived: true })
      .where(and(working, notInArray(memory.task, kept)))
      .returning({ seq: memory.seq })
    return pushed.all().length > 0
  }
  const dropBeyond = (pool: Pool, archived: number): readonly MemoryEntry[] => {
    const old = ofPool(pool, true)
    const kept = db.select({ seq: memory.seq }).from(memory).where(old)
    return db
      .delete(memory)
      .where(and(old, notInArray(memory.seq, kept.orderBy(desc(memory.seq)).limit(archived))))
      .returning()
      .all()
      .sort((a, b) => a.seq - b.seq)
      .flatMap(read)
  }
  return {
    pushMemory: (entries, keep) =>
      atomically(() => {
        for (const { ref, ...entry } of entries) {
          // A repeated write after a crash finds its row.
          const row = { ...entry, record: ref.id, ref: shared.refText(ref) }
          db.insert(memory).values(row).onConflictDoNothing().run()
        }
        return poolsOf(entries).flatMap((pool) =>
          archiveBeyond(pool, keep.tasks) ? dropBeyond(pool, keep.archived) : [],
        )
      }),
    workingMemory: (principal, limit, may) => readable({ page: entriesOf(principal, 0), read, may }, limit),
    archivedMemory: (principal, limit, may) => readable({ page: entriesOf(principal, 1), read, may }, limit),
    memoryOf: (principal, tasks) =>
      db
        .select()
        .from(memory)
        .where(
          and(
            eq(memory.principal, principal),
            isNull(memory.forgotten),
            // As one text: a Durable Object allows a hundred parameters in a statement.
            sql`${memory.task} in (select value from json_each(${JSON.stringify(tasks)}))`,
          ),
        )
        .orderBy(asc(memory.seq))
        .all()
        .flatMap(read),
    archiveMemory(principal) {
      db.update(memory)
        .set({ archived: true })
        .where(and(eq(memory.principal, principal), eq(memory.archived, false)))
        .run()
    },
    dropMemory(principal, record) {
      db.delete(memory)
        .where(and(eq(memory.principal, principal), eq(memory.record, record)))
        .run()
    },
  }
}

interface Pool {
  readonly principal: string
  readonly told: boolean
}

function poolsOf(entries: readonly MemoryEntry[]): readonly Pool[] {
  const pools = entries.map(
    ({ principal, task }): Pool => ({ principal, told: task.startsWith(EDGE_PREFIX) }),
  )
  return pools.filter(
    (pool, at) => pools.findIndex((p) => p.principal === pool.principal && p.told === pool.told) === at,
  )
}
