/**
 * What one day has spent, as a running sum: summed up once from its rows, then moved along with each of them, so that a cap is
 * looked at before every call for nothing. One store has one writer, and whatever goes wrong has the rows summed anew. Must not
 * write. Called by usage.ts.
 */
import type { Spent } from '../../kernel/inference/budget.ts'

/** A row as far as it counts for a cap. */
export interface Counted extends Spent {
  readonly day: string
}

export interface DaySum {
  of(day: string): Spent
  /** A row was added, or holds other figures than `before`. */
  moved(before: Counted | null, after: Counted): void
  /** Something is not known: the next look sums the rows. */
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
