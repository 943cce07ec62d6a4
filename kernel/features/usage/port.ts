/**
 * Cost of model calls (P-24, D-11): as shown to the owner, its store with one row a call, of numbers, ids and names
 * (D-19), and the share of a day's caps of one of several stores of a place (B-37). Types and one rule.
 */
import type { Place } from '../../flow/place.ts'
import type { Budget, Spent } from '../../inference/budget.ts'
import type { TokenUsage } from '../../inference/provider.ts'
import type { Purpose } from '../../prompt/mode.ts'
import type { Counted, PlanReport } from './plan.ts'

export interface UsageReport {
  readonly place: Place
  /** First day of the report, in the owner's time zone. */
  readonly from: string
  readonly currency: string
  readonly by: Readonly<Record<UsageKey, readonly UsageSum[]>>
  /** Amount that counts towards the caps today, and the caps; null: no cap. Money in millionths. */
  readonly today: Spent
  readonly caps: {
    readonly tokens: number | null
    readonly cost: number | null
    readonly task: number | null
  }
  /** Capacity of the plan of the place's provider; null at a place without a plan. */
  readonly plan: PlanReport | null
}

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
export const USAGE_SPAN = 366

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
  /**
   * Tokens of all calls of a principal since `from` (epoch milliseconds), metered or not, including reservations, but without
   * those of task `but`.
   */
  tokensSince(of: { readonly principal: string; readonly from: number; readonly but: string | null }): number
  /**
   * Tokens of all calls of each of these tasks, metered or not, reservations included. `from`: when the first of them
   * was made, epoch milliseconds.
   */
  tokensOf(tasks: readonly string[], from: number): ReadonlyMap<string, number>
  /** Tasks that ended since `at` (epoch milliseconds), and what was counted for them (`Metering`). */
  countedSince(at: number): Counted
  /** Sums from that day on, at most `limit`: days newest first, other keys most expensive first. */
  usageBy(key: UsageKey, from: string, limit: number): readonly UsageSum[]
}

export interface DayShare {
  /**
   * Reserves enough for `need`, which is everything the store has spent and will spend on that day, or as much as is
   * left. Never rejects.
   */
  reserve(day: string, need: Spent): Promise<void>
  /** Reserved share of that day; zero when the reservation failed. */
  of(day: string): Spent
}

/** The caps of a store: its share of the day's caps. */
export function capsWithin<T extends Pick<Budget, 'tokensPerDay' | 'costPerDay'>>(caps: T, share: Spent): T {
  const { tokensPerDay, costPerDay } = caps
  return {
    ...caps,
    tokensPerDay: tokensPerDay === null ? null : Math.min(tokensPerDay, share.tokens),
    costPerDay: costPerDay === null ? null : Math.min(costPerDay, share.cost),
  }
}
