/**
 * What the models at home cost since it started (P-24), and which of them cannot keep the beginning of its prompts (P-23):
 * noted as each call returns, for `pfar status`. Numbers and names only. Must not call a model. Called by powers.ts and
 * runtime.ts.
 */
import type { TokenUsage } from '../kernel/inference/provider.ts'
import { cacheShare, type ModelCost } from '../kernel/inference/usage.ts'

/** Calls that the share is taken of, the newest: a change of a prompt must show. */
const MOST_CALLS = 500

export interface ModelLedger {
  /** `Powers.noteCost`. */
  note(cost: ModelCost): void
  /** For `pfar status`: a line each; none before a model says what it keeps. */
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
