/**
 * A circuit breaker per model (D-14, D-15, S001 §11.3): it opens after several failures within a window; after a rest one trial
 * call is let through. Shared by all principals, since the fault is the service's. Pure: state in, state out; the clock is an
 * argument. Must not call a model. Called by breakers.ts and by the edge's copy of the states.
 */

export interface BreakerBounds {
  readonly failures: number
  /** Milliseconds in which the failures count. */
  readonly window: number
  /** Milliseconds during which no call is made. */
  readonly rest: number
}

export const DEFAULT_BREAKER: BreakerBounds = Object.freeze({ failures: 3, window: 60_000, rest: 300_000 })

/** Milliseconds after which a trial call that never returned, because of a crash or an eviction, no longer blocks another. */
export const PROBE_LIFE = 300_000

export interface BreakerState {
  /** Times of failures, oldest first (epoch milliseconds). */
  readonly failed: readonly number[]
  /** When the breaker opened; null while it is closed. */
  readonly since: number | null
  /** When a trial call began; null if none is running. */
  readonly probe: number | null
  /** True after it refused its configuration and the owner was notified. */
  readonly refused: boolean
}

export const IN_ORDER: BreakerState = Object.freeze({ failed: [], since: null, probe: null, refused: false })

/**
 * What a call says about its model. `refused`: its configuration was refused, which waiting does not fix (D-15). `neither`: the
 * caller gave up.
 */
export type Meaning = 'works' | 'fails' | 'refused' | 'neither'

/** Notification for the owner, sent once and not again before the model has worked. */
export type BreakerNews = 'model_degraded' | 'model_misconfigured' | null

export type Admission = 'free' | 'probe' | 'resting'

export function admissionOf(state: BreakerState, now: number, { rest }: BreakerBounds): Admission {
  if (state.since === null) return 'free'
  if (now < state.since + rest) return 'resting'
  return state.probe !== null && now < state.probe + PROBE_LIFE ? 'resting' : 'probe'
}

export function withProbe(state: BreakerState, now: number): BreakerState {
  return { ...state, probe: now }
}

export interface AfterCall {
  readonly state: BreakerState
  readonly news: BreakerNews
}

export function afterCall(
  state: BreakerState,
  {
    meaning,
    now,
    bounds,
  }: { readonly meaning: Meaning; readonly now: number; readonly bounds: BreakerBounds },
): AfterCall {
  switch (meaning) {
    case 'works':
      return { state: IN_ORDER, news: null }
    case 'neither':
      return { state: { ...state, probe: null }, news: null }
    case 'refused': {
      const news = state.refused ? null : 'model_misconfigured'
      return { state: { ...state, probe: null, refused: true }, news }
    }
    case 'fails':
      return afterFailure(state, now, bounds)
  }
}

function afterFailure(state: BreakerState, now: number, { failures, window }: BreakerBounds): AfterCall {
  // A failed trial call starts the rest again, without a notification. A call that began before the breaker opened changes
  // nothing.
  if (state.since !== null)
    return { state: state.probe === null ? state : { ...state, since: now, probe: null }, news: null }
  const failed = [...state.failed, now].filter((at) => at > now - window).slice(-failures)
  if (failed.length < failures) return { state: { ...state, failed }, news: null }
  return { state: { ...state, failed: [], since: now, probe: null }, news: 'model_degraded' }
}
