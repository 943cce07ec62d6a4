/**
 * The port between model calls and the budget: called before and after each attempt, whatever its result
 * (D-11). Also stops a streamed answer that exceeds its limit (B-37). Must not know a store. Called by
 * router.ts; implemented by features/usage/spending.ts.
 */
import type { Result } from '../flow/verdict.ts'
import { estimateTokens } from '../prompt/budget.ts'
import type { PromptText } from '../prompt/forwarded-prompt.ts'
import { createStop, type ModelAnswer, type ModelLimits, type ModelLive, type ModelPort } from './provider.ts'

/**
 * Refusal: model_budget_spent. The amount stays reserved until `settle` is called, even if that never
 * happens.
 */
export interface Spend {
  (attempt: Attempt): Result<Spending>
  /** Called before an attempt at a place where the allowance must be requested first. Never rejects. */
  readonly ready?: (attempt: Attempt) => Promise<void>
}

export interface Attempt {
  readonly provider: Pick<ModelPort<never>, 'reader' | 'reads'>
  readonly prompt: PromptText
  readonly limits: ModelLimits
}

export interface Spending {
  /** Limits of the call, with the answer limited to the remaining tokens. */
  readonly limits: ModelLimits
  /** Call once, with the provider's result. */
  settle(answer: Result<ModelAnswer>): void
}

/** Tolerated factor between the estimated length and the limit, before an answer is stopped. */
const TOLERANCE = 1.5

/** A `live` that passes on at most `maxTokens`; then it stops the call, and the answer is marked as cut. */
export function watched(live: ModelLive | undefined, maxTokens: number): ModelLive | undefined {
  const { onText, signal } = live ?? {}
  if (onText === undefined) return live
  const stop = createStop(signal)
  let tokens = 0
  return {
    signal: stop.signal,
    onText(text) {
      if (stop.signal.aborted) return
      tokens += estimateTokens(text)
      onText(text)
      if (tokens > maxTokens * TOLERANCE) stop.now()
    },
  }
}
