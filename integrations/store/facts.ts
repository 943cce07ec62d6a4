/**
 * Remembered facts and their word index, by sealed reference and keyed hash (E-19, I-23). A search under one guard touches no row
 * of another, so neither result nor time reveals what else is stored. Must not hold a word or a value. Called by session.ts and,
 * when a fact is forgotten, by forgotten.ts.
 */
import { and, asc, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import { EDGE_PREFIX } from '../../kernel/features/memory/fact.ts'
import type { Fact, FactStore, GuardedFacts, IndexedWords, Span } from '../../kernel/features/memory/port.ts'
import type { Label } from '../../kernel/flow/label.ts'
import { readDocument } from './database/columns.ts'
import type { StoreContext } from './database/database.ts'
import { readable } from './database/readable.ts'
import { factGuards, facts, factWords } from './schema/schema.ts'

/**
 * Maximum number of rows counted for one word: beyond it the word is common, and its exact frequency does not matter for the
 * ranking.
 */
const COMMON = 1_024
/**
 * Maximum number of index rows that one search under one guard reads. Common words share, newest rows first, what the rare words
 * leave.
 */
const READ = 6_144
/** Maximum number of best matches whose time is compared when a search names a period. */
const WITHIN_SPAN = 2_048

export function createFacts(context: StoreContext): FactStore {
  const { db, malformed, atomically, shared } = context
  const unforgotten = (principal: string) => and(eq(facts.principal, principal), isNull(facts.forgotten))
  // Facts synced from the edge come last, so that they cannot displace those saved here.
  const newest = [sql`${facts.id} like ${`${EDGE_PREFIX}%`}`, desc(facts.at), desc(facts.id)]
  const read = (row: Pick<typeof facts.$inferSelect, 'id' | 'principal' | 'ref' | 'at'>): readonly Fact[] => {
    const ref = shared.readRef(row.ref, () => malformed({ table: 'facts', id: row.id }))
    return ref === undefined ? [] : [{ id: row.id, principal: row.principal, ref, at: row.at }]
  }
  const pages = (principal: string, unindexed: boolean) => (limit: number, offset: number) =>
    db
      .select()
      .from(facts)
      .where(and(unforgotten(principal), unindexed ? isNull(facts.slot) : undefined))
      .orderBy(...newest)
      .limit(limit)
      .offset(offset)
      .all()
  return {
    saveFact: ({ id, principal, ref, at }, words) =>
      atomically(() => {
        unindex(context, principal, id)
        const text = shared.refText(ref)
        const saved = db
          .insert(facts)
          .values({ id, principal, ref: text, at })
          .onConflictDoUpdate({
            target: facts.id,
            set: { ref: text, at },
            setWhere: eq(facts.principal, principal),
          })
          .returning({ id: facts.id })
          .get()
        if (saved !== undefined && words !== undefined)
          addToIndex(context, { id, principal, label: ref.label }, words)
      }),
    dropFact: (principal, id) =>
      atomically(() => {
        unindex(context, principal, id)
        const gone = db
          .delete(facts)
          .where(and(eq(facts.principal, principal), eq(facts.id, id)))
          .returning()
          .all()[0]
        return gone === undefined
          ? null
          : (shared.readRef(gone.ref, () => malformed({ table: 'facts', id })) ?? null)
      }),
    fact: (principal, id) =>
      db
        .select()
        .from(facts)
        .where(and(unforgotten(principal), eq(facts.id, id)))
        .all()
        .flatMap(read)[0] ?? null,
    facts: (principal, limit, may) => readable({ page: pages(principal, false), read, may }, limit),
    unindexedFacts: (principal, limit, may) => readable({ page: pages(principal, true), read, may }, limit),
    oldestUnindexed: (limit) =>
      db
        .select()
        .from(facts)
        .where(and(isNull(facts.slot), isNull(facts.forgotten)))
        .orderBy(asc(facts.principal), asc(facts.at))
        .limit(limit)
        .all()
        .flatMap((row) => {
          const known = read(row)
          // A row that nobody can read again must not block the indexing of others.
          if (known.length === 0) addUnreadable(context, row.id)
          return known
        }),
    unindexed: () =>
      db
        .select({ n: sql<number>`count(*)` })
        .from(facts)
        .where(and(isNull(facts.slot), isNull(facts.forgotten)))
        .get()?.n ?? 0,
    indexFact: ({ id, principal, ref }, words) =>
      atomically(() => {
        const still = db
          .select({ ref: facts.ref })
          .from(facts)
          .where(and(unforgotten(principal), eq(facts.id, id), isNull(facts.slot)))
          .get()
        // The fact was forgotten, corrected or indexed while its words were being hashed.
        if (still === undefined || !shared.isSameRef(still.ref, ref)) return
        addToIndex(context, { id, principal, label: ref.label }, words)
      }),
    guardsOf: (principal) =>
      db
        .select()
        .from(factGuards)
        .where(eq(factGuards.principal, principal))
        .orderBy(asc(factGuards.id))
        .all()
        .flatMap(({ id, guard, holds, facts: count }): readonly GuardedFacts[] => {
          const label = readDocument<Label>(holds, ['atoms'], () =>
            malformed({ table: 'fact_guards', id: String(id) }),
          )
          return label === undefined || count === 0 ? [] : [{ id, guard, label, facts: count }]
        }),
    factsUnder: (guard, { limit, span }) =>
      db
        .select()
        .from(facts)
        .where(and(eq(facts.guard, guard), isNull(facts.forgotten), within(span)))
        .orderBy(desc(facts.at), desc(facts.id))
        .limit(limit)
        .all()
        .flatMap(read),
    factsWith: (guard, words, { limit, span }) => {
      const asked = weighed(context, words)
      if (asked.length === 0) return []
      const most = span === null ? limit : WITHIN_SPAN
      const scored = sql`(
        with asked as materialized (
          select value ->> 0 as word, value ->> 1 as weight, value ->> 2 as floor
          from json_each(${JSON.stringify(asked)}))
        select w.slot as slot, sum(asked.weight) as score
        from asked cross join ${factWords} w on w.word = asked.word and w.slot >= asked.floor
        group by w.slot order by score desc, w.slot desc limit ${most}) s`
      return (
        db
          .select({
            ...{ id: facts.id, principal: facts.principal, ref: facts.ref, at: facts.at },
            rank: sql<number>`s.score`,
          })
          .from(scored)
          .innerJoin(facts, sql`${facts.slot} = s.slot`)
          // The plus keeps SQLite's planner from scanning the whole guard instead of looking up the best rows.
          .where(and(sql`+${facts.guard} = ${guard}`, isNull(facts.forgotten), within(span)))
          .orderBy(sql`s.score desc`, desc(facts.at))
          .limit(limit)
          .all()
          .flatMap((row) => read(row).map((fact) => ({ fact, rank: row.rank })))
      )
    },
  }
}

function within(span: Span | null) {
  return span === null ? undefined : and(gte(facts.at, span.from), lt(facts.at, span.to))
}

/**
 * The words that occur, each with its weight (higher for rarer words) and the lowest slot to search. Rare words are searched
 * completely, common ones in their newest rows only.
 */
function weighed({ db }: StoreContext, words: readonly number[]): readonly (readonly number[])[] {
  const counted = words.flatMap((word) => {
    const some = db.select({ one: sql`1` }).from(factWords).where(eq(factWords.word, word)).limit(COMMON)
    const n = db.select({ n: sql<number>`count(*)` }).from(some.as('some')).get()?.n ?? 0
    return n === 0 ? [] : [{ word, n, weight: Math.log(1 + (2 * COMMON) / n) }]
  })
  const common = counted.filter(({ n }) => n === COMMON)
  const rare = counted.reduce((sum, { n }) => (n === COMMON ? sum : sum + n), 0)
  const share = Math.max(COMMON, Math.floor((READ - rare) / Math.max(1, common.length)))
  return counted.map(({ word, n, weight }) => {
    const last = n < COMMON ? undefined : slotAt(db, word, Math.min(share, READ))
    return [word, weight, last ?? 0]
  })
}

/** Slot of the nth newest fact with this word. */
function slotAt(db: StoreContext['db'], word: number, nth: number): number | undefined {
  return db
    .select({ slot: factWords.slot })
    .from(factWords)
    .where(eq(factWords.word, word))
    .orderBy(desc(factWords.slot))
    .limit(1)
    .offset(nth)
    .get()?.slot
}

interface Indexed {
  readonly id: string
  readonly principal: string
  readonly label: Label
}

/** Call inside a transaction. */
function addToIndex({ db }: StoreContext, { id, principal, label }: Indexed, words: IndexedWords): void {
  const slot = nextSlot(db)
  const guard = db
    .insert(factGuards)
    .values({ principal, guard: words.guard, holds: JSON.stringify(label), facts: 1 })
    .onConflictDoUpdate({
      target: [factGuards.principal, factGuards.guard],
      set: { facts: sql`${factGuards.facts} + 1` },
    })
    .returning({ id: factGuards.id })
    .get().id
  const each = [...new Set(words.words)]
  db.update(facts)
    .set({ guard, slot, words: JSON.stringify(each) })
    .where(eq(facts.id, id))
    .run()
  db.run(sql`insert into ${factWords} select value, ${slot} from json_each(${JSON.stringify(each)})`)
}

function nextSlot(db: StoreContext['db']): number {
  const last = db
    .select({ slot: facts.slot })
    .from(facts)
    .where(sql`${facts.slot} is not null`)
    .orderBy(desc(facts.slot))
    .limit(1)
    .get()
  return (last?.slot ?? 0) + 1
}

/** Marks the row as indexed, without a guard, so that nothing finds it. */
function addUnreadable({ db }: StoreContext, id: string): void {
  db.update(facts)
    .set({ slot: nextSlot(db), words: '[]' })
    .where(eq(facts.id, id))
    .run()
}

/** Removes a fact and all its words from the index. Call inside a transaction. */
export function unindex({ db }: StoreContext, principal: string, id: string): void {
  const known = db
    .select({ slot: facts.slot, guard: facts.guard, words: facts.words })
    .from(facts)
    .where(and(eq(facts.principal, principal), eq(facts.id, id)))
    .get()
  if (known === undefined || known.slot === null) return
  db.run(
    sql`delete from ${factWords} where slot = ${known.slot} and word in (select value from json_each(${known.words}))`,
  )
  db.update(facts).set({ guard: null, slot: null, words: null }).where(eq(facts.id, id)).run()
  if (known.guard === null) return
  db.update(factGuards)
    .set({ facts: sql`${factGuards.facts} - 1` })
    .where(eq(factGuards.id, known.guard))
    .run()
  db.delete(factGuards)
    .where(and(eq(factGuards.id, known.guard), eq(factGuards.facts, 0)))
    .run()
}
