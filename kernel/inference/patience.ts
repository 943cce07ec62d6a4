/**
 * What a place has for models that fail (D-13 – D-15): its breakers, pauses between tries, and chance, which the kernel has
 * none of. Plain ports. Called by attempt.ts; built by both places.
 */
import type { Result } from '../flow/verdict.ts'
import type { Meaning } from './breaker.ts'

/** Shared by all principals of a place. Never rejects: a breaker that cannot be asked keeps no answer back. */
export interface ModelBreakers {
  /** Before a call. Refusal: model_resting. Who may go on must `leave`. */
  enter(provider: string): Promise<Result<true>>
  leave(provider: string, meaning: Meaning): Promise<void>
}

export interface Patience {
  /** Resolves after these milliseconds. */
  readonly pause: (ms: number) => Promise<void>
  /** At random, from 0 up to 1: so that those who failed together do not come back together. */
  readonly chance: () => number
  readonly breakers: ModelBreakers
}
