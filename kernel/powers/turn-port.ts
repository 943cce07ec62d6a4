/**
 * The port to a conversation's turns: those that run, those that a summary stands for, and that summary. A part of `Store`,
 * on its connection and synchronous like it. Implemented by integrations/store/turns.ts.
 */
import type { SealedRef } from '../task/task.ts'

/** One line of a conversation: sealed words and, when there was one, sealed answer (B-12, B-21). */
export interface Turn {
  readonly turn: number
  readonly principal: string
  readonly task: string
  readonly words: SealedRef
  readonly answer: SealedRef | null
  /** When it was said, epoch milliseconds: what puts the lines of both places in order. */
  readonly at: number
}

/** Of the running conversation. */
export interface HistorySize {
  readonly turns: number
  readonly bytes: number
}

/** What stands for the older part of a conversation: its summary, under the join of what it was made of (O-36, O-40). */
export interface Compaction {
  readonly principal: string
  readonly summary: SealedRef
  readonly at: number
  /** Whether the owner has been told. */
  readonly told: boolean
}

export interface TurnStore {
  appendTurn(turn: Turn): void
  /** Since the last compaction (O-39), by when they were said, newest last. */
  recentTurns(principal: string, limit: number): readonly Turn[]
  /** What is not archived: how many turns, and the bytes of their sealed lines. */
  historySize(principal: string): HistorySize
  /** The oldest of them first. */
  runningTurns(principal: string, limit: number): readonly (Turn & { readonly bytes: number })[]
  /** Turns that a summary stands for (O-41), or all, newest first. */
  earlierTurns(
    principal: string,
    asked: { readonly limit: number; readonly archivedOnly: boolean },
  ): readonly Turn[]
  compaction(principal: string): Compaction | null
  /**
   * Puts a summary in the place of the one before and archives the turns that it stands for; returns the former one's
   * reference, whose sealed row is the caller's to delete. In a transaction of the caller's.
   */
  compact(compaction: Compaction, turns: readonly Turn[]): SealedRef | null
  /** The owner knows of it. */
  toldOfCompaction(principal: string): void
}
