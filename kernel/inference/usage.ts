/**
 * What model calls cost, as providers count it (P-24): the figures of one call for its line of the audit, and the share of
 * many that was read from a cache. Numbers only. Called by pipeline/model-call.ts and by who reports the share.
 */
import type { Purpose } from '../prompt/mode.ts'
import type { TokenUsage } from './provider.ts'

/** One call that was answered, for whoever adds up. */
export interface ModelCost {
  readonly model: string
  readonly purpose: Purpose
  readonly tokens: TokenUsage
  /**
   * Estimated tokens before the cache break, and the least that this model keeps (P-23); null where it says nothing of it.
   */
  readonly fixed: { readonly tokens: number; readonly least: number } | null
}

/** What the audit keeps of a call; nothing where the provider counted nothing. */
export function usageFacts({ input, output, cached }: TokenUsage): Readonly<Record<string, number>> {
  if (input === 0 && output === 0) return {}
  const kept = cached === undefined ? {} : { cacheRead: cached.read, cacheWritten: cached.written }
  return { tokensIn: input, tokensOut: output, ...kept }
}

export interface CacheShare {
  readonly calls: number
  /** Input tokens of all calls whose provider says what it cached. */
  readonly input: number
  readonly read: number
  readonly written: number
  /** `read` of `input`, 0 to 1; null before the first token. */
  readonly share: number | null
}

/** Sums up calls; those whose provider says nothing of a cache do not count. */
export function cacheShare(usages: Iterable<TokenUsage>): CacheShare {
  let [calls, input, read, written] = [0, 0, 0, 0]
  for (const { input: all, cached } of usages) {
    if (cached === undefined) continue
    calls += 1
    input += all
    read += cached.read
    written += cached.written
  }
  return { calls, input, read, written, share: input === 0 ? null : read / input }
}
