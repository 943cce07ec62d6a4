/**
 * What each model's own counting has taught of its tokens (N-13, O-35), as long as the process lives: an estimate may
 * begin anew after a restart. Must not decide what is allowed. Called by the router, and by who asks how full a window is.
 */
import type { PromptText } from '../prompt/carried.ts'
import { type Calibration, calibrate, estimateTokens, UNCALIBRATED } from '../prompt/tokens.ts'
import type { ModelPort } from './provider.ts'

/** Which of its ports is asked changes nothing. */
type Counting = Pick<ModelPort<never>, 'reader'>

const learned = new WeakMap<Counting, Calibration>()

export function calibrationOf(provider: Counting): Calibration {
  return learned.get(provider) ?? UNCALIBRATED
}

/** `reported`: input tokens that the provider counted for this prompt; zero from one that counts none. */
export function learnFrom(provider: Counting, prompt: PromptText, reported: number): void {
  if (!(reported > 0)) return
  const estimated = estimateTokens(prompt.system) + estimateTokens(prompt.user)
  learned.set(provider, calibrate(calibrationOf(provider), { estimated, reported }))
}
