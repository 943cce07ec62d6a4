/**
 * Daily spending caps across the edge (B-37). KernelObject grants each principal's object a share of one cap, in slices larger
 * than needed, so that most model calls need no request. Without a cap nothing is requested. An unused share is not returned that
 * day. Called by KernelObject (`createDayShares`) and powers.ts (`createDayShare`).
 */

import type { DayShare } from '../kernel/features/usage/port.ts'
import type { Budget, Spent } from '../kernel/inference/budget.ts'

/** Fraction of a cap that is granted beyond the need. About a hundred objects can hold an idle slice before the cap is used up. */
const SLICE = 1 / 100

const TOTAL = 'spend:'
const SHARE = 'share:'
const NOTHING: Spent = Object.freeze({ tokens: 0, cost: 0 })

export interface DayShares {
  /** Total that the object of this name may spend on `day`, after this grant. */
  reserve(name: string, day: string, need: Spent): Spent
}

export function createDayShares(
  kv: SyncKvStorage,
  { tokensPerDay, costPerDay }: Pick<Budget, 'tokensPerDay' | 'costPerDay'>,
): DayShares {
  /** Deletes totals of past days. Two days are kept, because objects do not change to the next day at the same moment. */
  const tidy = (): void => {
    const days = [...kv.list<Spent>({ prefix: TOTAL })].map(([key]) => key.slice(TOTAL.length)).toSorted()
    for (const day of days.slice(0, -2)) {
      kv.delete(TOTAL + day)
      for (const [key] of [...kv.list({ prefix: `${SHARE}${day}:` })]) kv.delete(key)
    }
  }
  return {
    reserve(name, day, need) {
      const known = kv.get<Spent>(TOTAL + day)
      const total = known ?? NOTHING
      const own = kv.get<Spent>(`${SHARE}${day}:${name}`) ?? NOTHING
      const more = {
        tokens: slice(tokensPerDay, { given: total.tokens, lacks: need.tokens - own.tokens }),
        cost: slice(costPerDay, { given: total.cost, lacks: need.cost - own.cost }),
      }
      if (more.tokens === 0 && more.cost === 0) return own
      const share = sum(own, more)
      kv.put(TOTAL + day, sum(total, more))
      kv.put(`${SHARE}${day}:${name}`, share)
      if (known === undefined) tidy()
      return share
    },
  }
}

function slice(
  cap: number | null,
  { given, lacks }: { readonly given: number; readonly lacks: number },
): number {
  if (cap === null || lacks <= 0) return 0
  return Math.max(0, Math.min(cap - given, Math.ceil(lacks + cap * SLICE)))
}

function sum(one: Spent, other: Spent): Spent {
  return { tokens: one.tokens + other.tokens, cost: one.cost + other.cost }
}

/** `ask` calls KernelObject. When that fails the share is zero, and paid models are not used until it succeeds. */
export function createDayShare(ask: (day: string, need: Spent) => Promise<Spent>): DayShare {
  let known: { readonly day: string; readonly share: Spent } | null = null
  const of = (day: string): Spent => (known?.day === day ? known.share : NOTHING)
  return {
    of,
    async reserve(day, need) {
      const { tokens, cost } = of(day)
      if (need.tokens <= tokens && need.cost <= cost) return
      const share = await ask(day, need).catch(() => null)
      if (share !== null) known = { day, share }
    },
  }
}
