/**
 * Running sum of one day's spending: computed once from its rows, then updated with each of them, so that the check before every
 * call costs no query. One store has one writer; after any failure the rows are summed again. Must not write. Called by usage.ts.
 */
import type { Spent } from '../../kernel/inference/budget.ts'

/** The columns of a row that count for a cap. */
export interface Counted extends Spent {
  readonly day: string
}

export interface DaySum {
  of(day: string): Spent
  /** A row was added, or replaced one with the figures `before`. */
  moved(before: Counted | null, after: Counted): void
  /** Drops the sum: the next read sums the rows. */
  forget(): void
}

export function createDaySum(sum: (day: string) => Spent): DaySum {
  let known: Counted | null = null
  return {
    of(day) {
      if (known?.day !== day) known = { day, ...sum(day) }
      return { tokens: known.tokens, cost: known.cost }
    },
    moved(before, after) {
      if (known?.day !== after.day) return
      const { day, tokens, cost } = known
      known = {
        day,
        tokens: tokens + after.tokens - (before?.tokens ?? 0),
        cost: cost + after.cost - (before?.cost ?? 0),
      }
    },
    forget() {
      known = null
    },
  }
}
