/**
 * Share of a day's caps for one of several stores of a place (B-37), reserved in slices before each call that counts.
 * Types and one rule. Implemented at the edge, where each principal has its own store; called by spending.ts.
 */
import type { Budget, Spent } from '../../inference/budget.ts'

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
