/**
 * What calls of models cost, as a place keeps it (P-24, D-11): a part of `Store`. A row a call, of numbers, ids and names
 * (D-19). Types alone. Implemented in integrations/store.
 */
import type { Spent } from '../../inference/budget.ts'
import type { TokenUsage } from '../../inference/provider.ts'
import type { Purpose } from '../../prompt/mode.ts'

/** One call. `tokens` and `cost` are what is held back for it until it is settled. */
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
  /** Whether it counts for the caps. */
  readonly metered: boolean
  readonly tokens: TokenUsage
  /** Millionths; null where there is no price. */
  readonly cost: number | null
}

export interface UsageSettled extends Pick<UsageRow, 'tokens' | 'cost'> {
  /** No answer came of it. */
  readonly failed: boolean
}

/** Rows are summed by one of these. */
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
  /** Millionths, of the calls that have a price. */
  readonly cost: number
  /** Calls in a cloud without one. */
  readonly unpriced: number
}

/** Days for which rows are kept: as many as a report shows at most (`USAGE_DAYS`). Older ones go, so that a table ends somewhere. */
export const USAGE_KEPT = 366

export interface UsageStore {
  /** The call's number. Not in a transaction of its own: one that is lost with the power had not been asked yet. */
  openUsage(row: UsageRow): number
  settleUsage(call: number, settled: UsageSettled): void
  /** A call that nothing was held back for, when it is over: one statement. */
  noteUsage(row: UsageRow, settled: UsageSettled): void
  /** What counts for the caps, what is held back included. */
  spentOn(of: { readonly day: string } | { readonly task: string }): Spent
  /** From that day on; days newest first, everything else the dearest first, at most so many. */
  usageBy(key: UsageKey, from: string, limit: number): readonly UsageSum[]
}
