/**
 * The breakers of a place's models: callers enter and leave; the owner is notified once (D-14). The place supplies the storage:
 * home its memory, the edge one object for all principals. Must not call a model. Called by home's powers and by KernelObject.
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
  /** Receives each notification for the owner, once. */
  readonly news: (provider: string, news: Exclude<BreakerNews, null>, at: number) => void
}

export interface Breakers {
  /** Call before a model call. Refusal: model_resting. After `ok` the caller must call `leave`. */
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
