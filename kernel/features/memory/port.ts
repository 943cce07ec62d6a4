/**
 * What an operation may do with memory entries (E-20), and how one is shown to its owner. Types only. Called by the
 * operations on memory.
 */
import type { Result } from '../../flow/verdict.ts'

/** One memory entry, as shown to its owner. */
export interface Keepsake {
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

export interface Keepsakes {
  /** Newest first, facts before results; entries that `sink` is not cleared for are left out. */
  list(asking: Asking): Promise<readonly Keepsake[]>
  /** By id or number. Refusals: memory_unknown; memory_gone for the number of an entry that no longer exists. */
  find(asking: Asking, which: string): Promise<Result<Keepsake>>
  /** Can be undone within `UNDO_WITHIN`. Refusal: memory_unknown. */
  forget(asking: Asking, id: string): Promise<Result<{ readonly told: boolean }>>
  /** Restores the entry forgotten last, or the one with this number. Refusal: memory_gone, when there is none. */
  undo(asking: Asking, number: number | null): Promise<Result<Keepsake>>
  /**
   * Refusals: memory_unknown, also for a result, whose text the owner cannot change; tool_arguments_invalid for a
   * text that is empty or too long.
   */
  correct(asking: Asking, id: string, text: string): Promise<Result<{ readonly id: string }>>
}
