/**
 * When a model is left alone (D-14, D-15, S001 §11.3): failures close together, and it rests; then one call may try it.
 * Counts for all principals, as the trouble is the service's. Pure: states in, states out; the clock is an argument. Must
 * not ask a model. Called by breakers.ts and by the edge's copy of the states.
 */

export interface BreakerBounds {
  readonly failures: number
  /** Milliseconds in which they count. */
  readonly window: number
  /** Milliseconds without a call. */
  readonly rest: number
}

export const DEFAULT_BREAKER: BreakerBounds = Object.freeze({ failures: 3, window: 60_000, rest: 300_000 })

/** Milliseconds after which a trying call that never came back, by a crash or an eviction, holds up no other. */
export const PROBE_LIFE = 300_000

export interface BreakerState {
  /** Moments of failures, the oldest first (epoch milliseconds). */
  readonly failed: readonly number[]
  /** Since when it rests; null while it does not. */
  readonly since: number | null
  /** When one call began to try it again; null while none does. */
  readonly probe: number | null
  /** It refuses how it is set up, and its owner was told. */
  readonly refused: boolean
}

export const IN_ORDER: BreakerState = Object.freeze({ failed: [], since: null, probe: null, refused: false })

/**
 * What one call says of its model. `refused`: of its settings, which no rest would mend (D-15). `neither`: who asked gave
 * up himself.
 */
export type Meaning = 'works' | 'fails' | 'refused' | 'neither'

/** What its owner is told, once, and not again before it has worked. */
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
  // The trying call failed: it rests once more, and that is no news. One that began before the rest says nothing new.
  if (state.since !== null)
    return { state: state.probe === null ? state : { ...state, since: now, probe: null }, news: null }
  const failed = [...state.failed, now].filter((at) => at > now - window).slice(-failures)
  if (failed.length < failures) return { state: { ...state, failed }, news: null }
  return { state: { ...state, failed: [], since: now, probe: null }, news: 'model_degraded' }
}
