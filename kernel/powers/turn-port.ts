/**
 * The port to a conversation's turns: running ones, ones replaced by a summary, and the summary. Part of `Store`, on its
 * connection and synchronous. Implemented by integrations/store/turns.ts.
 */
import type { SealedRef } from '../task/task.ts'

/** One turn of a conversation: the person's words and the answer, if there was one, both sealed (B-12, B-21). */
export interface Turn {
  readonly turn: number
  readonly principal: string
  readonly task: string
  readonly words: SealedRef
  readonly answer: SealedRef | null
  /** When it was written, epoch milliseconds. Orders the turns of both places. */
  readonly at: number
}

/** Size of the running conversation. */
export interface HistorySize {
  readonly turns: number
  readonly bytes: number
}

/** The summary of the older part of a conversation, with the joined label of its sources (O-36, O-40). */
export interface Compaction {
  readonly principal: string
  readonly summary: SealedRef
  readonly at: number
  /** Whether the owner has been notified. */
  readonly told: boolean
}

export interface TurnStore {
  appendTurn(turn: Turn): void
  /** Turns since the last compaction (O-39), by time, newest last. */
  recentTurns(principal: string, limit: number): readonly Turn[]
  /** Number of turns that are not archived, and the bytes of their sealed lines. */
  historySize(principal: string): HistorySize
  /** Turns that are not archived, oldest first. */
  runningTurns(principal: string, limit: number): readonly (Turn & { readonly bytes: number })[]
  /** Turns that a summary replaced (O-41), or all turns, newest first. */
  earlierTurns(
    principal: string,
    asked: { readonly limit: number; readonly archivedOnly: boolean },
  ): readonly Turn[]
  compaction(principal: string): Compaction | null
  /**
   * Replaces the previous summary and archives the turns that the new one covers. Returns the previous summary's reference; the
   * caller deletes its sealed row. Call within a transaction.
   */
  compact(compaction: Compaction, turns: readonly Turn[]): SealedRef | null
  /** Records that the owner was notified of the compaction. */
  toldOfCompaction(principal: string): void
}
