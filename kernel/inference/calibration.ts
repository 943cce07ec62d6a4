/**
 * Token calibration per model, learned from its own counts (N-13, O-35). Kept in memory only: estimates may start again after a
 * restart. Must not decide what is allowed. Called by the router, and by code that asks how full a window is.
 */
import type { PromptText } from '../prompt/carried.ts'
import { type Calibration, calibrate, estimateTokens, UNCALIBRATED } from '../prompt/tokens.ts'
import type { ModelPort } from './provider.ts'

/** Independent of which port of a model is called. */
type Counting = Pick<ModelPort<never>, 'reader'>

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
