/**
 * The model port, and the signal that stops a call. A provider takes a `FinalPrompt`, which only `finalize` can make, so that no
 * call bypasses it (invariant 5, D-01). Must not have a parameter for tools: a model has none (C-11, C-22).
 */
import type { Json } from '../flow/json.ts'
import type { ModelReader } from '../flow/policy.ts'
import type { Result } from '../flow/verdict.ts'
import type { FinalPrompt } from '../prompt/finalize.ts'
import type { PromptText } from '../prompt/forwarded-prompt.ts'

export interface ModelLimits {
  readonly maxTokens: number
  /** Milliseconds from the request to the end of the answer. */
  readonly timeout: number
  /** Schema of an answer that is data. Sent to providers that can enforce it, and checked in any case. */
  readonly schema?: AnswerSchema
}

/** A named JSON Schema for the answer of a planner or a choice. */
export interface AnswerSchema {
  /** Lower-case letters and `_`. */
  readonly name: string
  readonly schema: Readonly<Record<string, Json>>
}

/** Streaming and stopping of a call. */
export interface ModelLive {
  /** Called with each new part of the answer. The text has not passed the output guard. */
  readonly onText?: (text: string) => void
  /** Stops the call. The result is then a refusal, or the text so far, marked as cut. */
  readonly signal?: StopSignal
}

/** The subset of `AbortSignal` that a provider needs; the kernel has no platform types. */
export interface StopSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface ModelAnswer {
  readonly text: string
  /** True when the token limit cut the answer. A cut plan is never run (B-37). */
  readonly cut: boolean
  readonly tokens: TokenUsage
}

/** Token usage as the provider counted it (P-24); zeros where it does not count. */
export interface TokenUsage {
  /** The whole prompt, cached or not. */
  readonly input: number
  readonly output: number
  /**
   * Part of `input`: tokens read from the provider's cache and tokens written to it. Absent where a provider does not report
   * it.
   */
  readonly cached?: { readonly read: number; readonly written: number }
}

/**
 * `P`: the prompt type it reads. Refusals, without any text of the provider's: model_overloaded (`after`: milliseconds to
 * wait), model_misconfigured (key, name or request is refused: no fault of the service), model_timeout, model_garbled (the
 * response contains no answer), model_failed, model_unavailable, task_stopped (by the signal, before any text). Never throws.
 */
export interface ModelPort<P> {
  readonly reader: ModelReader
  /** Identifies the service and model behind `reader.id`, so that a change is noticed; absent if it cannot change. */
  readonly version?: string
  /** `parts`: reads a prompt's typed parts only. Default: text. */
  readonly reads?: 'parts' | 'text'
  /** Tokens of prompt and answer together, as the model reports (N-17); default `DEFAULT_WINDOW`. */
  readonly window?: number
  /** Minimum tokens of a prompt prefix that it caches (P-23); absent if it caches none, or any. */
  readonly cacheMinimum?: number
  /** A property, not a method, so that a provider with a narrower prompt type is not assignable to a wider one. */
  readonly complete: (prompt: P, limits: ModelLimits, live?: ModelLive) => Promise<Result<ModelAnswer>>
}

/** A member of a chain. Called only with prompts of this place's `finalize`. */
export type ModelProvider = ModelPort<FinalPrompt>

/** A model that reads text only, so that home may give it a prompt of the edge's. */
export type TextModel = ModelPort<PromptText>

export interface Stop {
  readonly signal: StopSignal
  /** Stops. Later calls have no effect. */
  now(): void
}

/** Aborted by `now`, or together with `before`. */
export function createStop(before?: StopSignal): Stop {
  const listeners = new Set<() => void>()
  let isAborted = before?.aborted ?? false
  const now = (): void => {
    if (isAborted) return
    isAborted = true
    for (const listener of listeners) listener()
    listeners.clear()
  }
  before?.addEventListener('abort', now)
  const signal: StopSignal = {
    get aborted() {
      return isAborted
    },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  }
  return { signal, now }
}

/** Resolves when the signal aborts, at once if it is aborted already. Never rejects. */
export function stopped(signal: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}
