/**
 * What an operation may do with what is remembered (E-20), and how an entry is seen by its owner. Types only. Called by the operations on memory.
 */
import type { Result } from '../../flow/verdict.ts'

/** One thing that is remembered, as its owner sees it. */
export interface Keepsake {
  readonly id: string
  /** Names the same entry for ever, and no other one ever; from 1. */
  readonly number: number
  readonly kind: 'fact' | 'result'
  /** Which tool a result came from; null for a fact. */
  readonly tool: string | null
  readonly text: string
  /** `describeLabel`. */
  readonly label: string
  /** Whether it was said on the open line, and is a copy here. */
  readonly told: boolean
  /** Epoch milliseconds. */
  readonly at: number
}

/** Whose memory, and through which of their own sinks it is looked at. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

export interface Keepsakes {
  /** Newest first, facts before results; what `sink` is not cleared for is not there. */
  list(asking: Asking): Promise<readonly Keepsake[]>
  /** By id or number. Refusals: memory_unknown, memory_gone for the number of one that is no longer there. */
  find(asking: Asking, which: string): Promise<Result<Keepsake>>
  /** Can be undone for `UNDO_WITHIN`. Refusal: memory_unknown. */
  forget(asking: Asking, id: string): Promise<Result<{ readonly told: boolean }>>
  /** Brings back what was forgotten last, or under this number. Refusal: memory_gone, where there is none any more. */
  undo(asking: Asking, number: number | null): Promise<Result<Keepsake>>
  /** Refusals: memory_unknown, also for a result, which is not theirs to word; tool_arguments_invalid for a text that is empty or too long. */
  correct(asking: Asking, id: string, text: string): Promise<Result<{ readonly id: string }>>
}
