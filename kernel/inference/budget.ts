/**
 * The owner's budget for models (B-37, D-11): limits, prices, and the tokens that an answer may still have.
 * Money is in whole millionths of a unit, rounded up, so that many small calls are never free. Pure; must not
 * count calls: the store does. Called by features/usage/spending.ts and by the readers of a configuration.
 */
import type { TokenUsage } from './provider.ts'

/** Price of a million tokens of each kind; equals millionths per token. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** Null: no limit. A limit applies to cloud models, and to every other model that has a price. */
export interface Budget {
  /** All calls of one task, input and output together. */
  readonly tokensPerTask: number | null
  readonly tokensPerDay: number | null
  /** Millionths of `currency`. */
  readonly costPerDay: number | null
  /** As the owner wrote it; never converted. */
  readonly currency: string
  /** By model id, or by the name of its provider, which is the id's first part. */
  readonly prices: Readonly<Record<string, Price>>
}

export const NO_BUDGET: Budget = Object.freeze({
  tokensPerTask: null,
  tokensPerDay: null,
  costPerDay: null,
  currency: 'USD',
  prices: {},
})

/** Counted usage, including reservations of running calls. */
export interface Spent {
  readonly tokens: number
  /** Millionths. Calls without a price add nothing. */
  readonly cost: number
}

/** Factor between a configured amount of money and the whole numbers used here. */
export const MILLIONTHS = 1_000_000

/** Separates provider and model in a model's id. */
const OF = ':'

/** Null for a model without a price. */
export function priceOf({ prices }: Pick<Budget, 'prices'>, model: string): Price | null {
  const [provider = model] = model.split(OF, 1)
  const name = [model, provider].find((key) => Object.hasOwn(prices, key))
  return name === undefined ? null : (prices[name] ?? null)
}

/** Millionths. If the provider does not report cached tokens, all input counts as uncached. */
export function costOf(price: Price, { input, output, cached }: TokenUsage): number {
  const { read, written } = cached ?? { read: 0, written: 0 }
  const anew = Math.max(0, input - read - written)
  return Math.ceil(
    anew * price.input + read * price.cacheRead + written * price.cacheWrite + output * price.output,
  )
}

/**
 * Maximum cost of a prompt with this many tokens, since it is not known in advance how much of it a cache
 * will serve.
 */
export function dearest(price: Price, input: number, output: number): number {
  const dear = Math.max(price.input, price.cacheRead, price.cacheWrite)
  return Math.ceil(input * dear + output * price.output)
}

export type Cap = 'tokens_per_task' | 'tokens_per_day' | 'cost_per_day' | 'price_missing'

export interface Wish {
  /** Estimated tokens of the prompt. */
  readonly input: number
  /** Maximum tokens of the answer. */
  readonly output: number
  readonly price: Price | null
  /** Null for a call outside of any task. */
  readonly task: Spent | null
  readonly day: Spent
}

/** Minimum tokens of an answer that is worth its prompt, unless a shorter one was requested. */
const LEAST_ANSWER = 64

/**
 * Tokens that the answer may have, at most the requested ones; otherwise the limit that leaves too few. A
 * model without a price is not called under a money limit, which it could not be held to.
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
