/**
 * Circuit breakers of home's models, kept in memory because a restart is a reason to try again, and the state that
 * `pfar models` shows. Names and states only. Called by powers.ts and by the private line's methods.
 */

import type { ModelView } from '../../kernel/features/models/port.ts'
import type { BreakerState } from '../../kernel/inference/breaker.ts'
import { admissionOf } from '../../kernel/inference/breaker.ts'
import type { BreakerShelf, Breakers } from '../../kernel/inference/breakers.ts'
import type { ModelBreakers } from '../../kernel/inference/patience.ts'
import type { ModelsConfig } from './models-config.ts'

export class MapShelf implements BreakerShelf {
  readonly #states = new Map<string, BreakerState>()

  load(provider: string): BreakerState | undefined {
    return this.#states.get(provider)
  }

  save(provider: string, state: BreakerState): void {
    this.#states.set(provider, state)
  }
}

/** Home is one process with one memory, so no coordination is needed. */
export function sharedBreakers(breakers: Breakers): ModelBreakers {
  return {
    enter: async (provider) => breakers.enter(provider),
    leave: async (provider, meaning) => breakers.leave(provider, meaning),
  }
}

export function viewsOf(config: ModelsConfig, breakers: Breakers, now: number): readonly ModelView[] {
  return config.providers.map(({ name, kind, model, locality, baseUrl }) => {
    const at = config.chain.indexOf(name)
    const clearance = locality === 'home' ? 'regulated' : 'internal, sensitive where you acknowledged it'
    return {
      ...{ name, kind, model, locality, clearance, place: at === -1 ? null : at + 1 },
      ...{ state: stateOf(config, breakers.state(name), now), host: new URL(baseUrl).host },
    }
  })
}

function stateOf({ breaker }: ModelsConfig, state: BreakerState, now: number): ModelView['state'] {
  if (state.refused) return 'misconfigured'
  const admission = admissionOf(state, now, breaker)
  return admission === 'free' ? 'works' : admission === 'probe' ? 'trying' : 'resting'
}
