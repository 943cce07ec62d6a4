/**
 * Store of the cost of model calls (P-24, D-11); part of `Store`. One row per call, of numbers, ids and names (D-19).
 * Types only. Implemented in integrations/store.
 */
import type { Spent } from '../../inference/budget.ts'
import type { TokenUsage } from '../../inference/provider.ts'
import type { Purpose } from '../../prompt/mode.ts'

/** One call. `tokens` and `cost` are the reservation until it is settled. */
export interface UsageRow {
  /** Epoch milliseconds. */
  readonly at: number
  /** `YYYY-MM-DD` in the owner's time zone. */
  readonly day: string
  readonly task: string | null
  readonly principal: string | null
  readonly template: string | null
  readonly purpose: Purpose
  readonly model: string
  /** Whether it counts towards the caps. */
  readonly metered: boolean
  readonly tokens: TokenUsage
  /** Millionths; null when no price is known. */
  readonly cost: number | null
}

export interface UsageSettled extends Pick<UsageRow, 'tokens' | 'cost'> {
  /** The call gave no answer. */
  readonly failed: boolean
}

/** Keys by which rows can be summed. */
export const USAGE_KEYS = Object.freeze(['day', 'task', 'purpose', 'model'] as const)
export type UsageKey = (typeof USAGE_KEYS)[number]

export interface UsageSum {
  /** Null: calls that belong to no task. */
  readonly name: string | null
  readonly calls: number
  readonly failed: number
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWritten: number
  /** Millionths, over calls with a known price. */
  readonly cost: number
  /** Cloud calls without a known price. */
  readonly unpriced: number
}

/** Days that rows are kept: the longest range of a report (`USAGE_DAYS`). Older rows are deleted to bound the table. */
export const USAGE_KEPT = 366

export interface UsageStore {
  /**
   * Returns the call's number. Not in its own transaction: a row lost in a power cut is one whose call had not been
   * sent yet.
   */
  openUsage(row: UsageRow): number
  settleUsage(call: number, settled: UsageSettled): void
  /** Records a finished call without a reservation, in one statement. */
  noteUsage(row: UsageRow, settled: UsageSettled): void
  /** Amount that counts towards the caps, including reservations. */
  spentOn(of: { readonly day: string } | { readonly task: string }): Spent
  /** Sums from that day on, at most `limit`: days newest first, other keys most expensive first. */
  usageBy(key: UsageKey, from: string, limit: number): readonly UsageSum[]
}
