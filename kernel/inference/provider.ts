/**
 * The model port. A provider takes a `FinalPrompt`, which only `finalize` can make, so that no call skips the
 * boundary (invariant 5, D-01). There is no parameter for tools: a model has none (C-11, C-22).
 */
import type { ModelReader } from '../flow/policy.ts'
import type { Result } from '../flow/verdict.ts'
import type { FinalPrompt } from '../prompt/finalize.ts'

export interface ModelLimits {
  readonly maxTokens: number
  /** Milliseconds. */
  readonly timeout: number
}

export interface ModelAnswer {
  readonly text: string
  /** True when the token cap cut it: a cut plan is never run (B-37). */
  readonly cut: boolean
  readonly tokens: { readonly input: number; readonly output: number }
}

/** Refusals: model_failed, model_unavailable. Never throws. */
export interface ModelProvider {
  readonly reader: ModelReader
  complete(prompt: FinalPrompt, limits: ModelLimits): Promise<Result<ModelAnswer>>
}
