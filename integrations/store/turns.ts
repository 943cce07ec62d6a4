/**
 * Turns of the conversation, by sealed reference (B-12), and the summary that replaces older ones (O-36). Every message reads and
 * extends the newest turns, so they are cached; the store has one writer. Must not mix two principals. Called by the session's
 * store.
 */
import { and, asc, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import { joinLabels, type Label } from '../../kernel/flow/label.ts'
import { once } from '../../kernel/flow/once.ts'
import type { Compaction, HistorySize, Turn, TurnStore } from '../../kernel/powers/stores.ts'
import type { SealedRef } from '../../kernel/task/task.ts'
import { atMost, type StoreContext, slots } from './database/database.ts'
import { createRecent } from './database/recent.ts'
import { compactions, turns } from './schema/schema.ts'
import { PART_BYTES } from './sealed.ts'

/** Cached references of recent turns: a history window for a few people. */
const RECENT_REFS = 48
/** Cached windows: the planner's and the writer's, for a few people. */
const RECENT_WINDOWS = 16

/** The last result of `recentTurns` for one principal and one limit. */
interface Window {
  readonly principal: string
  readonly limit: number
  readonly newest: readonly Turn[]
}

/** Size of both lines, in the same statement: every message needs it to estimate the prompt's size. */
const SEALED_BYTES = sql`(select coalesce(sum(length(s.bytes) + s.parts * ${sql.raw(`${PART_BYTES}`)}), 0)
  from sealed s where s.id in (${sql.placeholder('wordsId')}, ${sql.placeholder('answerId')}))`

/** As in the index definitions: with a placeholder SQLite would not use the indexes. */
const LIVE = sql`archived = 0`
const ARCHIVED = sql`archived = 1`

export function createTurns({ db, malformed, onUndone, turns: numbers, shared }: StoreContext): TurnStore {
  const append = once(() =>
    db
      .insert(turns)
      .values({ ...slots('principal', 'turn', 'task', 'words', 'answer', 'at'), bytes: SEALED_BYTES })
      .onConflictDoUpdate({
        target: [turns.principal, turns.turn],
        set: {
          words: sql`excluded.words`,
          answer: sql`excluded.answer`,
          at: sql`excluded.at`,
          bytes: sql`excluded.bytes`,
        },
        // A turn number belongs to one task: another task's line must not be overwritten.
        setWhere: sql`${turns.task} = excluded.task`,
      })
      .returning({ bytes: turns.bytes })
      .prepare(),
  )
  const recent = once(() =>
    db
      .select()
      .from(turns)
      .where(and(eq(turns.principal, sql.placeholder('principal')), LIVE))
      .orderBy(desc(turns.at), desc(turns.turn))
      .limit(atMost(sql.placeholder('limit')))
      .prepare(),
  )
  const size = once(() =>
    db
      .select({
        turns: sql<number>`count(*)`,
        bytes: sql<number>`coalesce(sum(bytes), 0)`,
        last: sql<number>`coalesce(max(turn), 0)`,
      })
      .from(turns)
      .where(and(eq(turns.principal, sql.placeholder('principal')), LIVE))
      .prepare(),
  )
  const marker = once(() =>
    db
      .select()
      .from(compactions)
      .where(eq(compactions.principal, sql.placeholder('principal')))
      .prepare(),
  )
  const last = once(() =>
    db
      .select({ turn: sql<number>`coalesce(max(${turns.turn}), 0)` })
      .from(turns)
      .where(eq(turns.principal, sql.placeholder('principal')))
      .prepare(),
  )
  const after = once(() =>
    db
      .select()
      .from(turns)
      .where(
        and(
          eq(turns.principal, sql.placeholder('principal')),
          // As one text: a Durable Object allows a hundred parameters in a statement.
          sql`(turn > ${sql.placeholder('after')} or turn in (select value from json_each(${sql.placeholder('also')})))`,
        ),
      )
      .orderBy(asc(turns.turn))
      .limit(atMost(sql.placeholder('limit')))
      .prepare(),
  )
  // Returns the same reference objects to the next turn, so that their values need not be opened again.
  const refs = createRecent<SealedRef>(RECENT_REFS)
  const windows = new Map<string, Window>()
  // Cached, because every message reads them, and few change them.
  const sizes = new Map<string, { readonly size: HistorySize; readonly last: number }>()
  const labels = new Map<string, Label>()
  const markers = new Map<string, typeof compactions.$inferSelect | undefined>()
  onUndone(() => {
    windows.clear()
    sizes.clear()
    labels.clear()
    markers.clear()
  })
  const kept = (of: string, ref: SealedRef): string => {
    const text = shared.refText(ref)
    refs.set(of, text, ref)
    return text
  }
  const known = (of: string, text: string, report: () => void): SealedRef | undefined => {
    const ref = refs.get(of, text) ?? shared.readRef(text, report)
    if (ref !== undefined) refs.set(of, text, ref)
    return ref
  }
  const read = (row: typeof turns.$inferSelect): readonly Turn[] => {
    const report = () => malformed({ table: 'turns', id: row.task })
    const words = known(`${row.task} words`, row.words, report)
    const answer = row.answer === null ? null : known(`${row.task} answer`, row.answer, report)
    const { bytes: _, archived: __, ...turn } = row
    return words === undefined ? [] : [{ ...turn, words, answer: answer ?? null }]
  }
  const running = (principal: string, limit = -1): readonly (typeof turns.$inferSelect)[] =>
    db
      .select()
      .from(turns)
      .where(and(eq(turns.principal, principal), LIVE))
      .orderBy(asc(turns.at), asc(turns.turn))
      .limit(limit)
      .all()
  const forget = (principal: string): void => {
    sizes.delete(principal)
    labels.delete(principal)
    markers.delete(principal)
    for (const [key, window] of windows) if (window.principal === principal) windows.delete(key)
  }
  const sizeOf = (principal: string): HistorySize => {
    const held = sizes.get(principal)
    if (held !== undefined) return held.size
    const { last, ...found } = size().get({ principal }) ?? { turns: 0, bytes: 0, last: 0 }
    if (sizes.size >= RECENT_WINDOWS) sizes.clear()
    sizes.set(principal, { size: found, last })
    return found
  }
  const labelOf = (principal: string): Label => {
    const held = labels.get(principal)
    if (held !== undefined) return held
    const found = joinLabels(...running(principal).flatMap(read).flatMap(labelsOf))
    if (labels.size >= RECENT_WINDOWS) labels.clear()
    labels.set(principal, found)
    return found
  }
  /** Only a turn after all others is certain to be a new row; after any other, size and label are queried when needed. */
  const grow = (turn: Turn, bytes: number | undefined): void => {
    const { principal } = turn
    const held = sizes.get(principal)
    if (held === undefined || bytes === undefined || turn.turn <= held.last) {
      sizes.delete(principal)
      labels.delete(principal)
      return
    }
    const { turns: count, bytes: all } = held.size
    sizes.set(principal, { size: { turns: count + 1, bytes: all + bytes }, last: turn.turn })
    const label = labels.get(principal)
    if (label !== undefined) labels.set(principal, joinLabels(label, ...labelsOf(turn)))
  }
  const markerOf = (principal: string): typeof compactions.$inferSelect | undefined => {
    if (markers.has(principal)) return markers.get(principal)
    const row = marker().get({ principal })
    if (markers.size >= RECENT_WINDOWS) markers.clear()
    markers.set(principal, row)
    return row
  }
  const compactionOf = (principal: string): Compaction | null => {
    const row = markerOf(principal)
    if (row === undefined) return null
    const report = () => malformed({ table: 'compactions', id: principal })
    const summary = known(`${principal} summary`, row.summary, report)
    return summary === undefined ? null : { ...row, summary }
  }
  return {
    appendTurn(turn) {
      const words = kept(`${turn.task} words`, turn.words)
      const answer = turn.answer === null ? null : kept(`${turn.task} answer`, turn.answer)
      const stored = append().get({ ...turn, words, answer, ...idsOf(turn) })
      const isStored = stored !== undefined
      grow(turn, stored?.bytes)
      numbers.recordStored(turn.principal, turn.turn)
      for (const [key, window] of windows) {
        if (window.principal !== turn.principal) continue
        const newest = isStored ? withTurn(window, turn) : undefined
        if (newest === undefined) windows.delete(key)
        else windows.set(key, { ...window, newest })
      }
    },
    recentTurns(principal, limit) {
      const key = `${limit} ${principal}`
      const held = windows.get(key)
      if (held !== undefined) return held.newest
      const newest = recent().all({ principal, limit }).reverse().flatMap(read)
      windows.set(key, { principal, limit, newest })
      const [oldest] = windows.keys()
      if (windows.size > RECENT_WINDOWS && oldest !== undefined) windows.delete(oldest)
      return newest
    },
    historySize: sizeOf,
    historyLabel: labelOf,
    runningTurns: (principal, limit) =>
      running(principal, limit).flatMap((row) => read(row).map((turn) => ({ ...turn, bytes: row.bytes }))),
    earlierTurns(principal, { limit, archivedOnly, before }) {
      const older =
        before === undefined
          ? undefined
          : or(lt(turns.at, before.at), and(eq(turns.at, before.at), lt(turns.turn, before.turn)))
      const found = (which: SQL): readonly Turn[] =>
        db
          .select()
          .from(turns)
          .where(and(eq(turns.principal, principal), which, older))
          .orderBy(desc(turns.at), desc(turns.turn))
          .limit(limit)
          .all()
          .flatMap(read)
      return [...(archivedOnly ? [] : found(LIVE)), ...found(ARCHIVED)].slice(0, limit)
    },
    lastTurn: (principal) => last().get({ principal })?.turn ?? 0,
    turnsAfter: (principal, { after: from, also, limit }) =>
      after()
        .all({ principal, after: from, also: JSON.stringify(also), limit })
        .flatMap(read),
    compaction: compactionOf,
    compact(compaction, archived) {
      const { principal } = compaction
      const former = compactionOf(principal)
      const row = { ...compaction, summary: shared.refText(compaction.summary) }
      db.insert(compactions).values(row).onConflictDoUpdate({ target: compactions.principal, set: row }).run()
      for (const { turn } of archived)
        db.update(turns)
          .set({ archived: true })
          .where(and(eq(turns.principal, principal), eq(turns.turn, turn)))
          .run()
      forget(principal)
      return former?.summary ?? null
    },
    beginAnew(principal) {
      const former = compactionOf(principal)
      db.update(turns)
        .set({ archived: true })
        .where(and(eq(turns.principal, principal), LIVE))
        .run()
      db.delete(compactions).where(eq(compactions.principal, principal)).run()
      forget(principal)
      return former?.summary ?? null
    },
    toldOfCompaction(principal) {
      db.update(compactions).set({ told: true }).where(eq(compactions.principal, principal)).run()
      markers.delete(principal)
    },
  }
}

function labelsOf({ words, answer }: Turn): readonly Label[] {
  return answer === null ? [words.label] : [words.label, answer.label]
}

function idsOf({ words, answer }: Turn): { readonly wordsId: string; readonly answerId: string } {
  return { wordsId: words.id, answerId: answer?.id ?? '' }
}

/**
 * The cached window extended by a turn that is the newest one. Any other case is read again, also a window that is not full: it may
 * lack rows that could not be parsed.
 */
function withTurn({ newest, limit }: Window, turn: Turn): readonly Turn[] | undefined {
  const last = newest.at(-1)
  const isNext = last !== undefined && turn.turn > last.turn && turn.at >= last.at
  return isNext && newest.length === limit ? [...newest, turn].slice(-limit) : undefined
}
