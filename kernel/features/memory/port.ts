/**
 * Memory: what an operation may do with entries (E-20), how one is shown to its owner, and the stores of working memory,
 * its archive and facts. The stores are part of `Store`, synchronous, and hold no value: each entry references its
 * sealed row. Types and one bound only.
 */

import type { Label } from '../../flow/label.ts'
import type { Result } from '../../flow/verdict.ts'
import type { SealedRef } from '../../task/task.ts'

/** Maximum entries of one page, in the list and in an answer about a topic: what fits a phone. */
export const ENTRIES_A_PAGE = 12

/** One memory entry, as shown to its owner. */
export interface EntryView {
  readonly id: string
  /** From 1. Permanent, and never reused for another entry. */
  readonly number: number
  readonly kind: 'fact' | 'result'
  /** Tool that a result came from; null for a fact. */
  readonly tool: string | null
  readonly text: string
  /** Text of `describeLabel`. */
  readonly label: string
  /** True for a copy of something said on the open line. */
  readonly told: boolean
  /** Epoch milliseconds. */
  readonly at: number
}

/** Whose memory, and the sink through which it is viewed. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

export interface MemoryEntries {
  /** Newest first, facts before results; entries that `sink` is not cleared for are left out. */
  list(asking: Asking): Promise<readonly EntryView[]>
  /** Facts with any of these words, those with most of them first, without entries that `sink` is not cleared for. */
  about(asking: Asking, words: string): Promise<readonly EntryView[]>
  /**
   * `which`: an id, a number, words of a fact, or `that` for the entry answered or saved last. Refusals: memory_unknown;
   * memory_gone for the number of an entry that no longer exists; memory_several if the words fit more than one.
   */
  find(asking: Asking, which: string): Promise<Result<EntryView>>
  /** Can be undone within `UNDO_WITHIN`. Refusal: memory_unknown. */
  forget(asking: Asking, id: string): Promise<Result<{ readonly told: boolean }>>
  /**
   * Asks by a card whether to forget everything about a topic: facts as `about` finds them, and results that name it. Refusal:
   * memory_unknown.
   */
  askForget(
    asking: Asking,
    words: string,
  ): Promise<Result<{ readonly approval: string; readonly facts: number; readonly results: number }>>
  /** Restores the entry forgotten last, or the one with this number. Refusal: memory_gone, when there is none. */
  undo(asking: Asking, number: number | null): Promise<Result<EntryView>>
  /**
   * Refusals: memory_unknown, also for a result, whose text the owner cannot change; tool_arguments_invalid for a
   * text that is empty or too long.
   */
  correct(asking: Asking, id: string, text: string): Promise<Result<{ readonly id: string }>>
  /**
   * New text of a fact after a sentence that corrects it; null if the sentence does not concern the fact, undefined for a
   * sentence that corrects nothing, and away from home.
   */
  reword(fact: string, said: string): string | null | undefined
}

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
  /** Entries that these tasks left, oldest first, without forgotten ones. */
  memoryOf(principal: string, tasks: readonly string[]): readonly MemoryEntry[]
  /** Moves all of working memory out of it. */
  archiveMemory(principal: string): void
  /** By the id of its sealed record. */
  dropMemory(principal: string, record: string): void
}

/** Between two moments, epoch milliseconds: from the first on, before the second. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Keyed hashes of a fact's words, and the guard under whose key they were made (`guardText`). */
export interface IndexedWords {
  readonly guard: string
  readonly words: readonly number[]
}

/** Facts of one principal that bear exactly this label. */
export interface GuardedFacts {
  readonly id: number
  readonly guard: string
  readonly label: Label
  /** Number of these facts, from 1. */
  readonly facts: number
}

/** Query under one guard. `span`: null for any time. */
interface Wanted {
  readonly limit: number
  readonly span: Span | null
}

/** Remembered facts, and the index by which they are found. */
export interface FactStore extends FactIndex {
  /**
   * A fact without `words` waits for indexing (`indexFacts`); meanwhile a search opens it if it is among the newest that wait.
   */
  saveFact(fact: Fact, words?: IndexedWords): void
  /** Newest first. */
  facts(principal: string, limit: number, may?: Readable): readonly Fact[]
  /** Reference of the removed fact; the caller deletes its sealed row. */
  dropFact(principal: string, id: string): SealedRef | null
  /** Null also for a forgotten one. */
  fact(principal: string, id: string): Fact | null
}

/**
 * The word index: which facts of one guard share a word with a question. Stores keyed hashes and no words. A forgotten fact is
 * removed at once.
 */
export interface FactIndex {
  /** Labels of a principal's indexed facts. A caller that may not read a label must not use its guard in a later call. */
  guardsOf(principal: string): readonly GuardedFacts[]
  /** Newest first. */
  factsUnder(guard: number, wanted: Wanted): readonly Fact[]
  /** Facts with any of these words, those with the rarest first, then the newest. */
  factsWith(
    guard: number,
    words: readonly number[],
    wanted: Wanted,
  ): readonly { readonly fact: Fact; readonly rank: number }[]
  /** Like `facts`, of those that are not indexed yet. */
  unindexedFacts(principal: string, limit: number, may?: Readable): readonly Fact[]
  /** Facts of all principals that are not indexed yet, oldest first. */
  oldestUnindexed(limit: number): readonly Fact[]
  /** Number of facts that wait for indexing. */
  unindexed(): number
  /** Does nothing if the fact was changed, forgotten or indexed meanwhile. */
  indexFact(fact: Fact, words: IndexedWords): void
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
