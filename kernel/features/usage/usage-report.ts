/**
 * Cost report of the models of a place for its owner: by day, purpose, model and task (P-24, B-37). Numbers, ids and
 * names; must not read the content of a call. Called by own-commands.ts and by both places for `pfar usage`.
 */

import { NO_BUDGET } from '../../inference/budget.ts'
import type { AtPlace, Caps, Clock, OwnerFacts } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { localDay } from '../../wording/output.ts'
import type { UsageReport } from './port.ts'
import { USAGE_KEPT, USAGE_KEYS, type UsageStore } from './usage-port.ts'

/** Days covered by a report: default and maximum. */
export const USAGE_DAYS = Object.freeze({ usual: 7, most: USAGE_KEPT })

/** Rows of one list, most expensive first; for days, as many as requested. */
const MOST_ROWS = 20

const DAY = 86_400_000

export function usageReport(
  {
    place,
    store,
    now,
    profile,
    budget = NO_BUDGET,
  }: Clock & AtPlace & OwnerFacts & Caps & StoreOf<UsageStore>,
  days: number,
): UsageReport {
  const { timezone } = profile()
  const today = localDay(now(), timezone)
  // Counted in calendar days: a day in which the clocks change has 23 or 25 hours.
  const from = new Date(Date.parse(today) - (days - 1) * DAY).toISOString().slice(0, 10)
  const sums = USAGE_KEYS.map(
    (key) => [key, store.usageBy(key, from, key === 'day' ? days : MOST_ROWS)] as const,
  )
  return {
    ...{ place, from, currency: budget.currency },
    by: Object.fromEntries(sums) as UsageReport['by'],
    today: store.spentOn({ day: today }),
    caps: { tokens: budget.tokensPerDay, cost: budget.costPerDay, task: budget.tokensPerTask },
  }
}
