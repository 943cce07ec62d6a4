/**
 * The database behind the stores: any synchronous drizzle SQLite, a Durable Object's at the edge and
 * node:sqlite at home. Must not open one: places do. Called by every store.
 */
import { type Placeholder, sql } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { EffectRow, SealedRef, Task } from '../../../kernel/task/task.ts'
import type { MalformedReporter } from './columns.ts'

/** The result type of `run` differs by driver, and nothing here reads it. */
export type SyncDatabase = BaseSQLiteDatabase<'sync', unknown>

/** Numbers the turns of principals (turns.ts). */
export interface TurnNumbers {
  next(principal: string): number
  /** Records that a row with this number is stored. */
  recordStored(principal: string, turn: number): void
}

/** Stored JSON form of references and tasks (shared.ts). A damaged one is reported, and the result is undefined. */
export interface Shared {
  refText(ref: SealedRef): string
  readRef(text: string, malformed: () => void): SealedRef | undefined
  /** Whether the row holds this reference, in the present or an older stored form. */
  isSameRef(text: string, ref: SealedRef): boolean
  taskText(task: Task): string
  rowsText(open: readonly EffectRow[]): string
  readTask(text: string, malformed: () => void): Task | undefined
  /** `task`: id of the task that the rows belong to. */
  readRows(text: string, task: string, malformed: () => void): readonly EffectRow[] | undefined
}

export interface StoreContext {
  readonly db: SyncDatabase
  readonly malformed: MalformedReporter
  /** Atomic. Nested in a transaction it becomes part of that one, which any failure rolls back as a whole. */
  readonly atomically: <T>(work: () => T) => T
  /** Registers a callback for a rollback, to drop cached rows that no longer exist. */
  readonly onUndone: (forget: () => void) => void
  readonly turns: TurnNumbers
  readonly shared: Shared
}

/**
 * The rows of a small table that every message reads: cached until `changed` is called, or a transaction is
 * rolled back.
 */
export function cachedRows<T>(
  { onUndone }: Pick<StoreContext, 'onUndone'>,
  read: () => readonly T[],
): { readonly all: () => readonly T[]; readonly changed: () => void } {
  let known: readonly T[] | null = null
  const changed = (): void => {
    known = null
  }
  onUndone(changed)
  const all = (): readonly T[] => {
    known ??= read()
    return known
  }
  return { all, changed }
}

/**
 * A limit that SQLite cannot inspect. For a bare `limit ?` it does, and plans a prepared statement anew at each run, which takes
 * seven times as long as a small read.
 */
export function atMost(limit: number | Placeholder): Placeholder {
  return sql`${limit} + 0` as unknown as Placeholder
}

/** Placeholders for the columns of a prepared insert, by their own names. */
export function slots<K extends string>(...names: readonly K[]): { readonly [N in K]: Placeholder<N> } {
  const entries = names.map((name) => [name, sql.placeholder(name)])
  return Object.fromEntries(entries) as { readonly [N in K]: Placeholder<N> }
}
