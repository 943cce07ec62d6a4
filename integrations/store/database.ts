/**
 * The database that the stores of this folder drive: any synchronous drizzle SQLite, which is a Durable Object's at
 * the edge and node:sqlite at home. Must not open one: places do. Called by every store here.
 */
import { type Placeholder, sql } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { MalformedReporter } from './columns.ts'

/** Result type of `run` differs by driver and nothing here reads it. */
export type SyncDatabase = BaseSQLiteDatabase<'sync', unknown>

/** Numbers the turns of principals (turn-numbers.ts). */
export interface TurnNumbers {
  next(principal: string): number
  /** A row with this number is stored. */
  took(principal: string, turn: number): void
}

export interface StoreContext {
  readonly db: SyncDatabase
  readonly malformed: MalformedReporter
  /** All of it or nothing. Inside a transaction it is a part of that one, which any failure undoes whole. */
  readonly atomically: <T>(work: () => T) => T
  /** Registers what must be forgotten when a transaction is undone: memory of rows that are not there. */
  readonly onUndone: (forget: () => void) => void
  readonly turns: TurnNumbers
}

/** Builds a prepared statement when it is first needed: an object that wakes for one message pays for what it uses. */
export function lazy<T>(prepare: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: prepare() }
    return made.value
  }
}

/** Placeholders for the columns of a prepared insert, by their own names. */
export function slots<K extends string>(...names: readonly K[]): { readonly [N in K]: Placeholder<N> } {
  const entries = names.map((name) => [name, sql.placeholder(name)])
  return Object.fromEntries(entries) as { readonly [N in K]: Placeholder<N> }
}
