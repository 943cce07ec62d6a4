/**
 * Turns of the conversation, by sealed reference (B-12). The newest of a principal are asked for with every message and
 * added to by every message, so they are kept in memory as well: the store has one writer. Must not mix two principals.
 * Called by the session's store.
 */
import { desc, eq, sql } from 'drizzle-orm'
import type { Store, Turn } from '../../kernel/powers/ports.ts'
import type { SealedRef } from '../../kernel/task/task.ts'
import { readRef } from './columns.ts'
import { lazy, type StoreContext, slots } from './database.ts'
import { createRecent } from './recent.ts'
import { turns } from './schema.ts'

/** References of recent turns that are kept in memory: a window of history for a few people. */
const RECENT_REFS = 48
/** Windows that are kept in memory: the planner's and the writer's of a few people. */
const RECENT_WINDOWS = 16

/** What `recentTurns` gave last, for one principal and one limit. */
interface Window {
  readonly principal: string
  readonly limit: number
  readonly newest: readonly Turn[]
}

export function createTurns({
  db,
  malformed,
  onUndone,
  turns: numbers,
}: StoreContext): Pick<Store, 'appendTurn' | 'recentTurns'> {
  const append = lazy(() =>
    db
      .insert(turns)
      .values(slots('principal', 'turn', 'task', 'words', 'answer', 'at'))
      .onConflictDoUpdate({
        target: [turns.principal, turns.turn],
        set: { words: sql`excluded.words`, answer: sql`excluded.answer`, at: sql`excluded.at` },
        // A turn number is one task's: another task's line must not be overwritten.
        setWhere: sql`${turns.task} = excluded.task`,
      })
      .returning({ turn: turns.turn })
      .prepare(),
  )
  const recent = lazy(() =>
    db
      .select()
      .from(turns)
      .where(eq(turns.principal, sql.placeholder('principal')))
      .orderBy(desc(turns.at), desc(turns.turn))
      .limit(sql.placeholder('limit'))
      .prepare(),
  )
  // The next turn reads these again: the same reference, so that what it names need not be opened anew.
  const refs = createRecent<SealedRef>(RECENT_REFS)
  const windows = new Map<string, Window>()
  onUndone(() => windows.clear())
  const kept = (of: string, ref: SealedRef): string => {
    const text = JSON.stringify(ref)
    refs.set(of, text, ref)
    return text
  }
  const known = (of: string, text: string, report: () => void): SealedRef | undefined => {
    const ref = refs.get(of, text) ?? readRef(text, report)
    if (ref !== undefined) refs.set(of, text, ref)
    return ref
  }
  const read = (row: typeof turns.$inferSelect): readonly Turn[] => {
    const report = () => malformed({ table: 'turns', id: row.task })
    const words = known(`${row.task} words`, row.words, report)
    const answer = row.answer === null ? null : known(`${row.task} answer`, row.answer, report)
    return words === undefined ? [] : [{ ...row, words, answer: answer ?? null }]
  }
  return {
    appendTurn(turn) {
      const words = kept(`${turn.task} words`, turn.words)
      const answer = turn.answer === null ? null : kept(`${turn.task} answer`, turn.answer)
      const isStored = append().get({ ...turn, words, answer }) !== undefined
      numbers.took(turn.principal, turn.turn)
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
  }
}

/**
 * The window after a turn that is simply the newest one. Anything else is read again, and so is what is not full: it may
 * be short of rows that could not be read.
 */
function withTurn({ newest, limit }: Window, turn: Turn): readonly Turn[] | undefined {
  const last = newest.at(-1)
  const isNext = last !== undefined && turn.turn > last.turn && turn.at >= last.at
  return isNext && newest.length === limit ? [...newest, turn].slice(-limit) : undefined
}
