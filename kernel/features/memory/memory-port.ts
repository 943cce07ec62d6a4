/**
 * The port to what is remembered of finished tasks: working memory, what it pushed out, and facts. A part of `Store`, on its
 * connection and synchronous like it. Must not hold a value: each entry names its sealed row. Implemented by
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

/** Whether whoever asks may have something with this label. */
export type Readable = (label: Label) => boolean

export interface MemoryStore {
  /**
   * Keeps `tasks` tasks' entries in working memory and archives the ones they push out, of which the `archived`
   * newest stay; returns the entries that are gone for good (B-14).
   */
  pushMemory(
    entries: readonly MemoryEntry[],
    keep: { readonly tasks: number; readonly archived: number },
  ): readonly MemoryEntry[]
  /** Newest first. Here and below, what `may` refuses counts for no limit: it must not hide what lies behind it. */
  workingMemory(principal: string, limit: number, may?: Readable): readonly MemoryEntry[]
  /** What working memory pushed out, newest first. */
  archivedMemory(principal: string, limit: number, may?: Readable): readonly MemoryEntry[]
  /** By the id of its sealed record. */
  dropMemory(principal: string, record: string): void
}

export interface FactStore {
  saveFact(fact: Fact): void
  /** Newest first. */
  facts(principal: string, limit: number, may?: Readable): readonly Fact[]
  /** The reference of the fact that was there; its sealed row is the caller's to delete. */
  dropFact(principal: string, id: string): SealedRef | null
}

export interface Forgetting {
  /**
   * Nothing finds a forgotten entry any more but `forgotten`, until `until` (epoch ms), when `expireSealed` deletes it with its sealed row;
   * `remembered` brings it back, a fact under `as`.
   */
  forgetEntry(entry: Pick<ForgottenEntry, 'principal' | 'kind' | 'id' | 'until'>): void
  /** Those that may still be brought back, the last one to be forgotten first. */
  forgotten(principal: string, now: number): readonly ForgottenEntry[]
  remembered(entry: ForgottenEntry, as?: string): void
}

/** By which the owner names what is remembered. */
export interface EntryNumbers {
  /** The number of each entry, in their order; one that has none yet gets the next, which nothing ever had. */
  numbersOf(principal: string, entries: readonly string[]): readonly number[]
  /** The entry that was shown under this number, whatever became of it. */
  entryAt(principal: string, number: number): string | null
  /** What takes the place of an entry keeps its number. */
  renumber(principal: string, from: string, to: string): void
}

/** An entry that was forgotten, by the id of a fact or of a result's sealed record. */
export interface ForgottenEntry {
  readonly principal: string
  readonly kind: 'fact' | 'result'
  readonly id: string
  readonly ref: SealedRef
  /** Which tool a result came from, and in which task; null for a fact. */
  readonly tool: string | null
  readonly task: string | null
  readonly at: number
  readonly until: number
}
