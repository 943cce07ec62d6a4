/**
 * One attempt at one model, as whoever keeps the budget sees it: asked before each attempt, told after it, whatever came of
 * it (D-11). Ends an answer that goes on past what it was given, where it can be watched (B-37). Must not know a store.
 * Called by router.ts; filled by pipeline/spending.ts.
 */
import type { Result } from '../flow/verdict.ts'
import type { PromptText } from '../prompt/carried.ts'
import { estimateTokens } from '../prompt/tokens.ts'
import type { ModelAnswer, ModelLimits, ModelLive, ModelPort } from './provider.ts'
import { createStop } from './stop.ts'

/** Refusal: model_budget_spent. What is allowed is held back until `settle` is called, and for ever if it never is. */
export interface Spend {
  (attempt: Attempt): Result<Spending>
  /** Before it, where what may be spent must be asked for first. Never rejects. */
  readonly ready?: (attempt: Attempt) => Promise<void>
}

export interface Attempt {
  readonly provider: Pick<ModelPort<never>, 'reader' | 'reads'>
  readonly prompt: PromptText
  readonly limits: ModelLimits
}

export interface Spending {
  /** With as many tokens of an answer as are left. */
  readonly limits: ModelLimits
  /** Once, with what the provider said. */
  settle(answer: Result<ModelAnswer>): void
}

/** How far an estimate may be off before an answer counts as longer than it was allowed to be. */
const TOLERANCE = 1.5

/** `live` of a call that is watched, which hears no more than that many tokens: then it is stopped, and the answer is cut. */
export function watched(live: ModelLive | undefined, maxTokens: number): ModelLive | undefined {
  const { heard, signal } = live ?? {}
  if (heard === undefined) return live
  const stop = createStop(signal)
  let tokens = 0
  return {
    signal: stop.signal,
    heard(text) {
      if (stop.signal.aborted) return
      tokens += estimateTokens(text)
      heard(text)
      if (tokens > maxTokens * TOLERANCE) stop.now()
    },
  }
}
