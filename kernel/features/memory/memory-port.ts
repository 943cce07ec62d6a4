/**
 * Store of what remains of finished tasks: working memory, its archive, and facts. Part of `Store`: on its
 * connection, synchronous. Must not hold a value: each entry references its sealed row. Implemented by
 * integrations/store/session.ts.
 */
import type { Label } from '../../flow/label.ts'
import type { SealedRef } from '../../task/task.ts'

/** Structured outputs of a finished task, by sealed reference (B-14 – B-16). */
export interface MemoryEntry {
  readonly turn: number
  readonly principal: string
  readonly task: string
  readonly action: string
  readonly ref: SealedRef
  readonly at: number
}

/** A remembered fact: its sealed text (I-23). */
export interface Fact {
  readonly id: string
  readonly principal: string
  readonly ref: SealedRef
  readonly at: number
}

/** Whether the requester may read data with this label. */
export type Readable = (label: Label) => boolean

export interface MemoryStore {
  /**
   * Keeps the entries of `tasks` tasks in working memory and archives the rest, of which the `archived` newest stay.
   * Returns the entries that were deleted (B-14).
   */
  pushMemory(
    entries: readonly MemoryEntry[],
    keep: { readonly tasks: number; readonly archived: number },
  ): readonly MemoryEntry[]
  /**
   * Newest first. Here and below, entries that `may` rejects do not count towards the limit, so they hide nothing
   * behind them.
   */
  workingMemory(principal: string, limit: number, may?: Readable): readonly MemoryEntry[]
  /** Entries moved out of working memory, newest first. */
  archivedMemory(principal: string, limit: number, may?: Readable): readonly MemoryEntry[]
  /** By the id of its sealed record. */
  dropMemory(principal: string, record: string): void
}

export interface FactStore {
  saveFact(fact: Fact): void
  /** Newest first. */
  facts(principal: string, limit: number, may?: Readable): readonly Fact[]
  /** Reference of the removed fact; the caller deletes its sealed row. */
  dropFact(principal: string, id: string): SealedRef | null
}

export interface Forgetting {
  /**
   * Hides an entry from everything except `forgotten` until `until` (epoch ms); then `expireSealed` deletes it with
   * its sealed row. `remembered` restores it; a fact gets the id `as`.
   */
  forgetEntry(entry: Pick<ForgottenEntry, 'principal' | 'kind' | 'id' | 'until'>): void
  /** Entries that can still be restored, most recently forgotten first. */
  forgotten(principal: string, now: number): readonly ForgottenEntry[]
  remembered(entry: ForgottenEntry, as?: string): void
}

/** Numbers by which the owner names memory entries. */
export interface EntryNumbers {
  /** The number of each entry, in the given order. A new entry gets the next number, which was never used before. */
  numbersOf(principal: string, entries: readonly string[]): readonly number[]
  /** The entry that was shown under this number, even if it no longer exists. */
  entryAt(principal: string, number: number): string | null
  /** A replacement takes over the number of the entry. */
  renumber(principal: string, from: string, to: string): void
}

/** A forgotten entry, by the id of a fact or of a result's sealed record. */
export interface ForgottenEntry {
  readonly principal: string
  readonly kind: 'fact' | 'result'
  readonly id: string
  readonly ref: SealedRef
  /** Tool and task that a result came from; null for a fact. */
  readonly tool: string | null
  readonly task: string | null
  readonly at: number
  readonly until: number
}
