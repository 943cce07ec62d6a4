/**
 * The port to what is remembered of finished tasks: working memory, what it pushed out, and facts. A part of `Store`, on its
 * connection and synchronous like it. Must not hold a value: each entry names its sealed row. Implemented by
 * integrations/store/session.ts.
 */
import type { Label } from '../flow/label.ts'
import type { SealedRef } from '../task/task.ts'

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

  saveFact(fact: Fact): void
  /** Newest first. */
  facts(principal: string, limit: number, may?: Readable): readonly Fact[]
  /** The reference of the fact that was there; its sealed row is the caller's to delete. */
  dropFact(principal: string, id: string): SealedRef | null
  /** By the id of its sealed record. */
  dropMemory(principal: string, record: string): void
}
