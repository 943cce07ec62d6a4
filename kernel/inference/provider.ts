/**
 * The model port. A provider takes a `FinalPrompt`, which only `finalize` can make, so that no call skips the
 * boundary (invariant 5, D-01). There is no parameter for tools: a model has none (C-11, C-22).
 */
import type { Json } from '../flow/json.ts'
import type { ModelReader } from '../flow/policy.ts'
import type { Result } from '../flow/verdict.ts'
import type { PromptText } from '../prompt/carried.ts'
import type { FinalPrompt } from '../prompt/finalize.ts'

export interface ModelLimits {
  readonly maxTokens: number
  /** Milliseconds, from the request to the answer's end. */
  readonly timeout: number
  /** What the answer must be, where it is data: given to a provider that can keep a model to it, and checked in any case. */
  readonly schema?: AnswerSchema
}

/** A JSON Schema with a name: what a planner or a choice is answered in. */
export interface AnswerSchema {
  /** Lower-case letters and `_`. */
  readonly name: string
  readonly schema: Readonly<Record<string, Json>>
}

/** Of a call that somebody watches. */
export interface ModelLive {
  /** Told of the answer as it comes, each time of what is new. What it hears has passed no guard. */
  readonly heard?: (text: string) => void
  /** Ends the call; the answer is then a refusal, or what had come, marked as cut. */
  readonly signal?: StopSignal
}

/** What of a platform's `AbortSignal` a provider needs, which the kernel has no type of. */
export interface StopSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface ModelAnswer {
  readonly text: string
  /** True when the token cap cut it: a cut plan is never run (B-37). */
  readonly cut: boolean
  readonly tokens: TokenUsage
}

/** What a call cost, as the provider counted it (P-24); zeros where it does not count. */
export interface TokenUsage {
  /** All of the prompt, whatever of it was cached. */
  readonly input: number
  readonly output: number
  /** Of `input`: read from the provider's cache, and put there for later calls. Absent where a provider does not say. */
  readonly cached?: { readonly read: number; readonly written: number }
}

/**
 * `P`: what it reads. Refusals, without a word of what the provider said: model_overloaded (`after`: milliseconds it asked to be left alone),
 * model_misconfigured (its key, its name or the request is refused: no fault of the service), model_timeout, model_garbled
 * (it answered, and no answer is in it), model_failed, model_unavailable, task_stopped (by the signal, before a word had
 * come). Never throws.
 */
export interface ModelPort<P> {
  readonly reader: ModelReader
  /** `parts`: it reads a prompt's typed parts alone. Text, where nothing is said. */
  readonly reads?: 'parts' | 'text'
  /** Tokens that it reads and writes together, as the model itself says (N-17); `DEFAULT_WINDOW` where it does not. */
  readonly window?: number
  /** Tokens below which it keeps no beginning of a prompt for later calls (P-23); absent where it keeps none, or any. */
  readonly cacheMinimum?: number
  /** A property and no method, so that what reads less is no substitute for what reads more. */
  readonly complete: (prompt: P, limits: ModelLimits, live?: ModelLive) => Promise<Result<ModelAnswer>>
}

/** What a chain consists of: asked with prompts of this place's `finalize` alone. */
export type ModelProvider = ModelPort<FinalPrompt>

/** One that reads nothing but text, so that home may hand it a prompt of the edge's. */
export type TextModel = ModelPort<PromptText>
