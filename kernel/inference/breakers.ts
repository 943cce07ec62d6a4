/**
 * The breakers of a place's models: who asks enters and leaves, and their owner is told once (D-14). Keeps states where
 * the place says: home in its memory, the edge in one object for all principals. Must not ask a model. Called by home's
 * powers and by KernelObject.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import {
  admissionOf,
  afterCall,
  type BreakerBounds,
  type BreakerNews,
  type BreakerState,
  IN_ORDER,
  type Meaning,
  withProbe,
} from './breaker.ts'

export interface BreakerShelf {
  load(provider: string): BreakerState | undefined
  save(provider: string, state: BreakerState): void
}

export interface BreakersInput {
  readonly bounds: BreakerBounds
  readonly shelf: BreakerShelf
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Told of what its owner should know, once. */
  readonly news: (provider: string, news: Exclude<BreakerNews, null>, at: number) => void
}

export interface Breakers {
  /** Before a call. Refusal: model_resting. Who may go on must `leave`. */
  enter(provider: string): Result<true>
  leave(provider: string, meaning: Meaning): void
  state(provider: string): BreakerState
}

export function createBreakers({ bounds, shelf, now, news }: BreakersInput): Breakers {
  const state = (provider: string): BreakerState => shelf.load(provider) ?? IN_ORDER
  return {
    state,
    enter(provider) {
      const at = now()
      const before = state(provider)
      const admission = admissionOf(before, at, bounds)
      if (admission === 'resting') return err('model_resting', { model: provider })
      if (admission === 'probe') shelf.save(provider, withProbe(before, at))
      return ok(true)
    },
    leave(provider, meaning) {
      const at = now()
      const before = state(provider)
      const after = afterCall(before, { meaning, now: at, bounds })
      if (after.state !== before) shelf.save(provider, after.state)
      if (after.news !== null) news(provider, after.news, at)
    },
  }
}
