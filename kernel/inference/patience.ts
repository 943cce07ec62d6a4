/**
 * Ports for failing models (D-13 – D-15): breakers, pauses between tries, and randomness, which the kernel lacks. Called by
 * attempt.ts; built by both places.
 */
import type { Result } from '../flow/verdict.ts'
import type { Meaning } from './breaker.ts'

/** Shared by all principals of a place. Never rejects: an unreachable breaker must not block an answer. */
export interface ModelBreakers {
  /** Call before a model call. Refusal: model_resting. After `ok` the caller must call `leave`. */
  enter(provider: string): Promise<Result<true>>
  leave(provider: string, meaning: Meaning): Promise<void>
}

export interface Patience {
  /** Resolves after `ms` milliseconds. */
  readonly pause: (ms: number) => Promise<void>
  /**
   * Random number from 0 up to, but not including, 1. Spreads retries, so that callers that failed together do not retry
   * together.
   */
  readonly chance: () => number
  readonly breakers: ModelBreakers
}
