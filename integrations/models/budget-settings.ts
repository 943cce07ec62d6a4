/**
 * `[budget]`, as both places read it (B-37, S-05): caps, and the prices of each provider, in money for a million tokens. What
 * a model costs is the owner's to say: it is on his bill, and changes without notice. Pure. Called by home's configuration
 * and by worker/env.ts.
 */
import * as z from 'zod/mini'
import { type Budget, MILLIONTHS, NO_BUDGET, type Price } from '../../kernel/inference/budget.ts'

/** Tokens: above, a slip of the pen. */
const MOST_TOKENS = 10_000_000_000
/** Money, and money for a million tokens. */
const MOST_MONEY = 1_000_000
const MAX_CURRENCY = 12

const tokens = z.int().check(z.nonnegative(), z.maximum(MOST_TOKENS))
const money = z.number().check(z.nonnegative(), z.maximum(MOST_MONEY))

const price = z.strictObject({
  input: money,
  output: money,
  /** As dear as `input` where they are left out. */
  cache_read: z.optional(money),
  cache_write: z.optional(money),
})

export const budgetEntry = z.strictObject({
  tokens_per_task: z.optional(tokens),
  tokens_per_day: z.optional(tokens),
  cost_per_day: z.optional(money),
  currency: z.optional(z.string().check(z.regex(/^[\p{L}\p{Sc}]+$/u), z.maxLength(MAX_CURRENCY))),
  /** By the name of a provider, or of one model of it: `name:model`. */
  prices: z.optional(z.record(z.string().check(z.regex(/^[a-z0-9][\w.:/-]{0,119}$/)), price)),
})

export type BudgetEntry = z.output<typeof budgetEntry>

export function budgetOf(entry: BudgetEntry = {}): Budget {
  const { tokens_per_task, tokens_per_day, cost_per_day, currency, prices = {} } = entry
  return {
    tokensPerTask: tokens_per_task ?? null,
    tokensPerDay: tokens_per_day ?? null,
    costPerDay: cost_per_day === undefined ? null : Math.round(cost_per_day * MILLIONTHS),
    currency: currency ?? NO_BUDGET.currency,
    prices: Object.fromEntries(Object.entries(prices).map(([name, each]) => [name, priceFrom(each)])),
  }
}

function priceFrom({ input, output, cache_read, cache_write }: z.output<typeof price>): Price {
  return { input, output, cacheRead: cache_read ?? input, cacheWrite: cache_write ?? input }
}

/** The way back, for a place that is told by another. */
export function entryOf({ tokensPerTask, tokensPerDay, costPerDay, currency, prices }: Budget): BudgetEntry {
  return {
    ...(tokensPerTask !== null && { tokens_per_task: tokensPerTask }),
    ...(tokensPerDay !== null && { tokens_per_day: tokensPerDay }),
    ...(costPerDay !== null && { cost_per_day: costPerDay / MILLIONTHS }),
    currency,
    prices: Object.fromEntries(
      Object.entries(prices).map(([name, { cacheRead, cacheWrite, ...each }]) => [
        name,
        { ...each, cache_read: cacheRead, cache_write: cacheWrite },
      ]),
    ),
  }
}
