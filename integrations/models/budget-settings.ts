/**
 * Parses `[budget]` for both places (B-37, S-05): caps, and prices of each provider per million tokens. The owner sets the
 * prices, because they change without notice and are on the owner's bill. Pure. Called by home's configuration,
 * durable-objects/platform/env.ts and scripts/start/edge.ts.
 */
import * as z from 'zod/mini'
import { type Budget, MILLIONTHS, NO_BUDGET, type Price } from '../../kernel/inference/budget.ts'

/** Maximum token cap; a larger number is a typing error. */
const MOST_TOKENS = 10_000_000_000
/** Maximum amount of money, both for a cap and for a price per million tokens. */
const MOST_MONEY = 1_000_000
const MAX_CURRENCY = 12

const tokens = z.int().check(z.nonnegative(), z.maximum(MOST_TOKENS))
const money = z.number().check(z.nonnegative(), z.maximum(MOST_MONEY))

const price = z.strictObject({
  input: money,
  output: money,
  /** `cache_read` and `cache_write` default to the price of `input`. */
  cache_read: z.optional(money),
  cache_write: z.optional(money),
})

export const budgetEntry = z.strictObject({
  tokens_per_task: z.optional(tokens),
  tokens_per_day: z.optional(tokens),
  cost_per_day: z.optional(money),
  currency: z.optional(z.string().check(z.regex(/^[\p{L}\p{Sc}]+$/u), z.maxLength(MAX_CURRENCY))),
  /** Keyed by the provider's name, or by `name:model` for one of its models. */
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

/** The inverse of `budgetOf`, to send a budget to the other place. */
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
