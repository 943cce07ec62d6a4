/**
 * What the owner allows to be spent on models (B-37, D-11): caps, prices, and how long an answer may still be. Money is in
 * millionths of a unit, whole, and rounded up, so that no sum of small calls is free. Pure; must not count calls: the store
 * does. Called by pipeline/spending.ts and by whoever reads a configuration.
 */
import type { TokenUsage } from './provider.ts'

/** Money for a million tokens of each kind, which is millionths for one. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** Null: no cap. A cap is for models in a cloud, and for any other that has a price. */
export interface Budget {
  /** All calls of one task, what they read and what they wrote. */
  readonly tokensPerTask: number | null
  readonly tokensPerDay: number | null
  /** Millionths, in `currency`. */
  readonly costPerDay: number | null
  /** As the owner writes it; nothing is converted. */
  readonly currency: string
  /** By a model's id, or by the name of its provider, which the id begins with. */
  readonly prices: Readonly<Record<string, Price>>
}

export const NO_BUDGET: Budget = Object.freeze({
  tokensPerTask: null,
  tokensPerDay: null,
  costPerDay: null,
  currency: 'USD',
  prices: {},
})

/** What was counted, or is held back for a call that runs. */
export interface Spent {
  readonly tokens: number
  /** Millionths; calls without a price add nothing. */
  readonly cost: number
}

/** Of a price of one millionth, so that what a configuration gives as money is a whole number here. */
export const MILLIONTHS = 1_000_000

/** Stands in a model's id between its provider and the model. */
const OF = ':'

/** Null for a model that nobody has priced. */
export function priceOf({ prices }: Pick<Budget, 'prices'>, model: string): Price | null {
  const [provider = model] = model.split(OF, 1)
  const name = [model, provider].find((key) => Object.hasOwn(prices, key))
  return name === undefined ? null : (prices[name] ?? null)
}

/** Millionths. Of a provider that does not say what it cached, everything is read anew. */
export function costOf(price: Price, { input, output, cached }: TokenUsage): number {
  const { read, written } = cached ?? { read: 0, written: 0 }
  const anew = Math.max(0, input - read - written)
  return Math.ceil(
    anew * price.input + read * price.cacheRead + written * price.cacheWrite + output * price.output,
  )
}

/** What a prompt of so many tokens costs at most: nobody knows before what a cache will keep of it. */
export function dearest(price: Price, input: number, output: number): number {
  const dear = Math.max(price.input, price.cacheRead, price.cacheWrite)
  return Math.ceil(input * dear + output * price.output)
}

export type Cap = 'tokens_per_task' | 'tokens_per_day' | 'cost_per_day' | 'price_missing'

export interface Wish {
  /** Estimated tokens of the prompt. */
  readonly input: number
  /** Tokens that the answer may have. */
  readonly output: number
  readonly price: Price | null
  /** Null for a call that belongs to no task. */
  readonly task: Spent | null
  readonly day: Spent
}

/** Tokens below which an answer is not worth its prompt; one that was to be shorter may be. */
const LEAST_ANSWER = 64

/**
 * Tokens that the answer may have, at most those that were wished for, or the cap that leaves too few. A model without a
 * price cannot be held to a cap in money, so it is not asked under one.
 */
export function roomIn(
  { tokensPerTask, tokensPerDay, costPerDay }: Omit<Budget, 'currency' | 'prices'>,
  { input, output, price, task, day }: Wish,
): { readonly tokens: number } | { readonly cap: Cap } {
  if (costPerDay !== null && price === null) return { cap: 'price_missing' }
  const byCost = (): number => {
    if (costPerDay === null || price === null) return output
    const left = costPerDay - day.cost - dearest(price, input, 0)
    if (left < 0) return -1
    return price.output === 0 ? output : Math.floor(left / price.output)
  }
  const rooms: readonly (readonly [Cap, number])[] = [
    [
      'tokens_per_task',
      tokensPerTask === null || task === null ? output : tokensPerTask - task.tokens - input,
    ],
    ['tokens_per_day', tokensPerDay === null ? output : tokensPerDay - day.tokens - input],
    ['cost_per_day', byCost()],
  ]
  const least = Math.min(output, LEAST_ANSWER)
  const spent = rooms.find(([, tokens]) => tokens < least)
  return spent === undefined
    ? { tokens: Math.min(output, ...rooms.map(([, tokens]) => tokens)) }
    : { cap: spent[0] }
}
