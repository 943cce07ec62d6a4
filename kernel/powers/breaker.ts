/**
 * Circuit breaker of services, one for each model and tool (D-14, D-15, I-07, S001 §11.3, §14.2): opens after several
 * failures within a window; after a rest it lets one trial call through. Shared by all principals, since the fault is the
 * service's. Clock and storage are passed in. Must not call a service. Called by both places and integrations/tools/port.ts.
 */
import { ok, type Refusal, type Result } from '../flow/verdict.ts'

export interface BreakerBounds {
  readonly failures: number
  /** Window in which failures are counted, milliseconds. */
  readonly window: number
  /** Time without calls once the breaker is open, milliseconds. */
  readonly rest: number
}

/** Bounds for a model. */
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
 * What a call says about its service. `refused`: its configuration was refused, which waiting does not fix (D-15). `neither`: the
 * caller gave up.
 */
export type Meaning = 'works' | 'fails' | 'refused' | 'neither'

/** Notification for the owner, sent once and not again before the service has worked. */
export type BreakerNews = 'degraded' | 'refused'

export interface BreakersInput {
  readonly bounds: BreakerBounds
  /** Whether a success clears earlier failures while the breaker is closed. False for a tool, because its actions differ. */
  readonly successClears: boolean
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Default: in memory, because a restart is a reason to try again. */
  readonly store?: {
    load(service: string): BreakerState | undefined
    save(service: string, state: BreakerState): void
  }
  /** The refusal of a call while the breaker is open. */
  readonly resting: (service: string) => { readonly ok: false; readonly reason: Refusal }
  /** Receives each notification for the owner, once. */
  readonly news: (service: string, news: BreakerNews, at: number) => void
}

export interface Breakers {
  /** Call before a call of the service. Refusal: `resting`. After `ok` the caller must call `leave`. */
  enter(service: string): Result<true>
  leave(service: string, meaning: Meaning): void
  state(service: string): BreakerState
}

export function createBreakers(input: BreakersInput): Breakers {
  const { bounds, now, resting, news, store = memoryStore() } = input
  const state = (service: string): BreakerState => store.load(service) ?? IN_ORDER
  return {
    state,
    enter(service) {
      const at = now()
      const before = state(service)
      const admission = admissionOf(before, at, bounds)
      if (admission === 'resting') return resting(service)
      if (admission === 'probe') store.save(service, { ...before, probe: at })
      return ok(true)
    },
    leave(service, meaning) {
      const at = now()
      const before = state(service)
      const after = afterCall(before, { ...input, meaning, at })
      if (after.state !== before) store.save(service, after.state)
      if (after.news !== null) news(service, after.news, at)
    },
  }
}

function memoryStore(): Required<BreakersInput>['store'] {
  const states = new Map<string, BreakerState>()
  return {
    load: (service) => states.get(service),
    save: (service, state) => void states.set(service, state),
  }
}

export function admissionOf(
  { since, probe }: BreakerState,
  now: number,
  { rest }: BreakerBounds,
): 'free' | 'probe' | 'resting' {
  if (since === null) return 'free'
  if (now < since + rest) return 'resting'
  return probe !== null && now < probe + PROBE_LIFE ? 'resting' : 'probe'
}

interface AfterCall {
  readonly state: BreakerState
  readonly news: BreakerNews | null
}

interface Left extends Pick<BreakersInput, 'bounds' | 'successClears'> {
  readonly meaning: Meaning
  readonly at: number
}

function afterCall(state: BreakerState, { meaning, at, bounds, successClears }: Left): AfterCall {
  switch (meaning) {
    case 'works':
      return { state: state.since === null && !successClears ? state : IN_ORDER, news: null }
    case 'neither':
      return { state: { ...state, probe: null }, news: null }
    case 'refused':
      return { state: { ...state, probe: null, refused: true }, news: state.refused ? null : 'refused' }
    case 'fails':
      return afterFailure(state, at, bounds)
  }
}

function afterFailure(state: BreakerState, now: number, { failures, window }: BreakerBounds): AfterCall {
  // A failed trial call starts the rest again, without a notification. A call that began before the breaker opened changes
  // nothing.
  if (state.since !== null)
    return { state: state.probe === null ? state : { ...state, since: now, probe: null }, news: null }
  const failed = [...state.failed, now].filter((at) => at > now - window).slice(-failures)
  if (failed.length < failures) return { state: { ...state, failed }, news: null }
  return { state: { ...state, failed: [], since: now, probe: null }, news: 'degraded' }
}
