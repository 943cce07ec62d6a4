/**
 * What one store of a place may spend on a day, where several share its caps (B-37): asked for before a call that a cap of the day
 * counts for, in slices. Types and one rule. Implemented at the edge, whose principals have a store each; called by
 * pipeline/spending.ts.
 */
import type { Budget, Spent } from '../../inference/budget.ts'

export interface DayShare {
  /** So much that `need`, all that the store has spent and is to spend on that day, fits, or as much as there is. Never rejects. */
  reserve(day: string, need: Spent): Promise<void>
  /** What may be spent on that day as far as it was reserved; nothing where nobody could be asked. */
  of(day: string): Spent
}

/** The caps of a store: its share of those of the day. */
export function capsWithin<T extends Pick<Budget, 'tokensPerDay' | 'costPerDay'>>(caps: T, share: Spent): T {
  const { tokensPerDay, costPerDay } = caps
  return {
    ...caps,
    tokensPerDay: tokensPerDay === null ? null : Math.min(tokensPerDay, share.tokens),
    costPerDay: costPerDay === null ? null : Math.min(costPerDay, share.cost),
  }
}
