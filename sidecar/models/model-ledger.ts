/**
 * Cache hits of home's models since the start (P-24), and the models whose minimum cacheable prefix is longer than the
 * fixed part of a prompt (P-23); updated after each call, shown by `pfar status`. Numbers and names only. Must not call
 * a model. Called by powers.ts and runtime.ts.
 */
import type { TokenUsage } from '../../kernel/inference/provider.ts'
import { cacheShare, type ModelCost } from '../../kernel/inference/usage.ts'

/** The share is taken of the newest calls only, so that a change of a prompt becomes visible. */
const MOST_CALLS = 500

export interface ModelLedger {
  /** `Powers.noteCost`. */
  note(cost: ModelCost): void
  /** Lines for `pfar status`. Empty until a model reports cache use. */
  status(): { readonly modelCache?: string; readonly modelWarnings?: readonly string[] }
}

export function createModelLedger(): ModelLedger {
  const usages: TokenUsage[] = []
  const short = new Map<string, string>()
  return {
    note({ model, purpose, tokens, fixed }) {
      usages.push(tokens)
      if (usages.length > MOST_CALLS) usages.shift()
      const isShort = fixed !== null && fixed.tokens < fixed.least
      const key = `${model} ${purpose}`
      if (isShort) short.set(key, warning({ model, purpose, fixed }))
      else short.delete(key)
    },
    status: () => {
      const { calls, share } = cacheShare(usages)
      const modelCache =
        share === null ? null : `${Math.round(share * 100)} % read from cache in ${calls} calls`
      return {
        ...(modelCache === null ? {} : { modelCache }),
        ...(short.size === 0 ? {} : { modelWarnings: [...short.values()] }),
      }
    },
  }
}

function warning({ model, purpose, fixed }: Omit<ModelCost, 'tokens'>): string {
  const { tokens, least } = fixed ?? { tokens: 0, least: 0 }
  return `${model} keeps no beginning of a prompt below ${least} tokens; the fixed part to ${purpose} has about ${tokens}`
}
