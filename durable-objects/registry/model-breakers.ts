/**
 * Circuit breakers of the edge's models, shared by all principals and kept through evictions (D-14): part of KernelObject's state.
 * The owner is notified once when one opens. Must not call a model. Called by KernelObject.
 */
import type { BreakerNews, BreakerState, Meaning } from '../../kernel/inference/breaker.ts'
import { createBreakers } from '../../kernel/inference/breakers.ts'
import type { EdgeModels } from '../../worker/models-setting.ts'
import type { Admitted } from '../models.ts'

const KEY = 'model:'
const TROUBLE = 'models-trouble'

export interface ModelBreakersInput {
  readonly kv: DurableObjectStorage['kv']
  readonly models: EdgeModels
  readonly now: () => number
  /** Reports an invalid setting once, by its name. */
  readonly trouble: (setting: string) => Promise<unknown>
  readonly news: (model: string, code: Exclude<BreakerNews, null>, at: number) => Promise<unknown>
}

export interface EdgeModelBreakers {
  enter(provider: string): Admitted
  /** Resolves after the owner was notified, if there was something to report: an eviction would lose work that is not awaited. */
  leave(provider: string, meaning: Meaning): Promise<BreakerState>
  /** When the edge uses the rules model because of an invalid setting, the owner is notified once per setting. */
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
