/**
 * The breakers of the edge's models, for all principals and through evictions (D-14): part of KernelObject's state. Its owner
 * hears of a model that is left alone, once. Must not ask a model. Called by KernelObject.
 */
import type { BreakerNews, BreakerState, Meaning } from '../kernel/inference/breaker.ts'
import { createBreakers } from '../kernel/inference/breakers.ts'
import type { EdgeModels } from '../worker/models-setting.ts'
import type { Admitted } from './models.ts'

const KEY = 'model:'
const TROUBLE = 'models-trouble'

export interface ModelBreakersInput {
  readonly kv: DurableObjectStorage['kv']
  readonly models: EdgeModels
  readonly now: () => number
  /** Told once of a setting that is wrong, by its name. */
  readonly trouble: (setting: string) => Promise<unknown>
  readonly news: (model: string, code: Exclude<BreakerNews, null>, at: number) => Promise<unknown>
}

export interface EdgeModelBreakers {
  enter(provider: string): Admitted
  /** Over when its owner was told, if there was something to tell: an eviction would lose what nobody waits for. */
  leave(provider: string, meaning: Meaning): Promise<BreakerState>
  /** Where the edge answers by rules because of a wrong setting, its owner hears of it once for each. */
  tellTrouble(): Promise<void>
}

export function createModelBreakers({
  kv,
  models,
  now,
  news,
  trouble,
}: ModelBreakersInput): EdgeModelBreakers {
  let telling: Promise<unknown> = Promise.resolve()
  const breakers = createBreakers({
    ...{ bounds: models.breaker, now },
    news: (model, code, at) => {
      telling = news(model, code, at)
    },
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
    async tellTrouble() {
      if ((kv.get<string>(TROUBLE) ?? null) === models.trouble) return
      if (models.trouble === null) return void kv.delete(TROUBLE)
      kv.put(TROUBLE, models.trouble)
      await trouble(models.trouble)
    },
    async leave(provider, meaning) {
      breakers.leave(provider, meaning)
      await telling
      return breakers.state(provider)
    },
  }
}
