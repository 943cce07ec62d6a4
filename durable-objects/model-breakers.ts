/**
 * The breakers of the edge's models, for all principals and through evictions (D-14): part of KernelObject's state. Its owner
 * hears of a model that is left alone, once. Must not ask a model. Called by KernelObject.
 */
import type { BreakerNews, BreakerState, Meaning } from '../kernel/inference/breaker.ts'
import { createBreakers } from '../kernel/inference/breakers.ts'
import type { EdgeModels } from '../worker/models-setting.ts'
import type { Admitted } from './models.ts'

const KEY = 'model:'

export interface ModelBreakersInput {
  readonly kv: DurableObjectStorage['kv']
  readonly models: EdgeModels
  readonly now: () => number
  readonly news: (model: string, code: Exclude<BreakerNews, null>, at: number) => void
}

export interface EdgeModelBreakers {
  enter(provider: string): Admitted
  leave(provider: string, meaning: Meaning): BreakerState
}

export function createModelBreakers({ kv, models, now, news }: ModelBreakersInput): EdgeModelBreakers {
  const breakers = createBreakers({
    ...{ bounds: models.breaker, now, news },
    shelf: {
      load: (name) => kv.get<BreakerState>(KEY + name),
      save: (name, state) => kv.put(KEY + name, state),
    },
  })
  return {
    enter(provider) {
      const entered = breakers.enter(provider)
      return { entered, state: breakers.state(provider) }
    },
    leave(provider, meaning) {
      breakers.leave(provider, meaning)
      return breakers.state(provider)
    },
  }
}
