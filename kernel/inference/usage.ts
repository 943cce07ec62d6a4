/**
 * Token usage of model calls as providers count it (P-24): the figures of one call for its audit row, the cached share of many
 * calls, and what the counts teach the estimate (N-13, O-35). Numbers only. Called by the router, model-call.ts, and code that
 * reports them.
 */

import { type Calibration, calibrate, estimateTokens, UNCALIBRATED } from '../prompt/budget.ts'
import type { PromptText } from '../prompt/forwarded-prompt.ts'
import type { Purpose } from '../prompt/mode.ts'
import type { ModelPort, TokenUsage } from './provider.ts'

/** One answered call, for adding up. */
export interface ModelCost {
  readonly model: string
  readonly purpose: Purpose
  readonly tokens: TokenUsage
  /** Estimated tokens before the cache break, and the minimum that this model caches (P-23); null if it reports no minimum. */
  readonly fixed: { readonly tokens: number; readonly least: number } | null
}

/** Facts for the audit row; empty where the provider counted nothing. */
export function usageFacts({ input, output, cached }: TokenUsage): Readonly<Record<string, number>> {
  if (input === 0 && output === 0) return {}
  const kept = cached === undefined ? {} : { cacheRead: cached.read, cacheWritten: cached.written }
  return { tokensIn: input, tokensOut: output, ...kept }
}

export interface CacheShare {
  readonly calls: number
  /** Input tokens of all calls whose provider reports cached tokens. */
  readonly input: number
  readonly read: number
  readonly written: number
  /** `read` of `input`, 0 to 1; null before the first token. */
  readonly share: number | null
}

/** Sums up calls. Calls whose provider reports no cached tokens are skipped. */
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

/** Independent of which port of a model is called. */
type Counting = Pick<ModelPort<never>, 'reader'>

/** By model; in memory only: estimates may start again after a restart. */
const learned = new WeakMap<Counting, Calibration>()

export function calibrationOf(provider: Counting): Calibration {
  return learned.get(provider) ?? UNCALIBRATED
}

/** `reported`: input tokens that the provider counted for this prompt; zero from a provider that counts none. */
export function learnFrom(provider: Counting, prompt: PromptText, reported: number): void {
  if (!(reported > 0)) return
  const estimated = estimateTokens(prompt.system) + estimateTokens(prompt.user)
  learned.set(provider, calibrate(calibrationOf(provider), { estimated, reported }))
}
