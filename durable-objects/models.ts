/**
 * The models that the edge calls itself, with retries and breakers (D-08, D-14, D-20); principal/remote-models.ts has those that
 * home runs for it. All are cloud models, cleared for at most `internal`, as the edge is. KernelObject holds the breakers for all
 * principals; an object caches their state for seconds, so that a message need not wait. Called by powers.ts and KernelObject.
 */
import { createAnthropicModel } from '../integrations/models/anthropic/model.ts'
import type { ModelConnection, ModelSettings } from '../integrations/models/connection.ts'
import { createOpenAiModel } from '../integrations/models/openai/model.ts'
import { ok, type Result } from '../kernel/flow/verdict.ts'
import { MODEL_BREAKERS, MODEL_NEWS, type ModelBreakers, type Patience } from '../kernel/inference/attempt.ts'
import { type ModelOf, readerId } from '../kernel/inference/chain.ts'
import type { ModelProvider } from '../kernel/inference/provider.ts'
import { type BreakerState, createBreakers, IN_ORDER, type Meaning } from '../kernel/powers/breaker.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import type { EdgeSettings } from './platform/env.ts'
import { createFetchTransport } from './platform/fetch-transport.ts'
import type { EdgeModels, EdgeProvider } from './platform/models-setting.ts'

/** Milliseconds for which an object caches a breaker's state. A model that fails meanwhile costs the object one call. */
const BELIEF = 10_000

type Ways = Pick<EdgeSettings, 'models' | 'localOrigins' | 'modelOrigins'>

/** Inserts home's models where the owner's setting puts them (`EdgeModels.homeAt`). */
export function withRemoteModels(
  own: readonly ModelProvider[],
  remoteModels: readonly ModelProvider[],
  { homeAt }: Pick<EdgeModels, 'homeAt'>,
): readonly ModelProvider[] {
  return homeAt === null ? own : own.toSpliced(homeAt, 0, ...remoteModels)
}

export function edgeProviders(settings: Ways): readonly ModelProvider[] {
  const { providers, chain } = settings.models
  return providers
    .filter(({ name }) => chain.includes(name))
    .map((provider) => modelFor(provider, null, settings))
}

export function edgeModelOf(settings: Ways): ModelOf {
  return (name, model) => {
    const provider = settings.models.providers.find((one) => one.name === name)
    return provider === undefined ? null : modelFor(provider, model, settings)
  }
}

function modelFor(provider: EdgeProvider, other: string | null, ways: Ways): ModelProvider {
  const { name, kind, model, key, baseUrl, window, system_role, starts_reasoning } = provider
  const settings: ModelSettings = {
    reader: { id: readerId(name, other), locality: 'cloud', level: 'internal', compartments: [] },
    model: other ?? model,
    ...(window !== undefined && { window }),
    ...(system_role !== undefined && { systemRole: system_role }),
    ...(starts_reasoning !== undefined && { startsReasoning: starts_reasoning }),
  }
  const connection: ModelConnection = {
    ...{ baseUrl, transport: createFetchTransport() },
    exemptOrigins: [...ways.localOrigins, ...ways.modelOrigins],
    key: key === null ? null : async () => ok(key),
  }
  return kind === 'anthropic'
    ? createAnthropicModel(settings, connection)
    : createOpenAiModel(settings, connection)
}

/** KernelObject's answer: whether to call the model, and the breaker's state. */
export interface Admitted {
  readonly entered: Result<true>
  readonly state: BreakerState
}

interface SharedBreakers {
  enterModel(provider: string): Promise<Admitted>
  leaveModel(provider: string, meaning: Meaning): Promise<BreakerState>
}

export function edgePatience(kernel: () => SharedBreakers, now: () => number): Patience {
  return { pause, chance: Math.random, breakers: believing(kernel, now) }
}

/**
 * The only timer of an object besides its readers' deadlines. It delays a model call that is in progress, and is lost together
 * with it.
 */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface Belief {
  readonly state: BreakerState
  readonly until: number
}

function believing(kernel: () => SharedBreakers, now: () => number): ModelBreakers {
  const beliefs = new Map<string, Belief>()
  const believe = (name: string, state: BreakerState): void =>
    void beliefs.set(name, { state, until: now() + BELIEF })
  return {
    async enter(name) {
      const known = beliefs.get(name)
      if (known !== undefined && now() < known.until && isClean(known.state)) return ok(true)
      try {
        const { entered, state } = await kernel().enterModel(name)
        believe(name, state)
        return entered
      } catch {
        // When KernelObject cannot be reached, the call goes on: a breaker must not prevent an answer.
        return ok(true)
      }
    },
    async leave(name, meaning) {
      const known = beliefs.get(name)?.state ?? IN_ORDER
      if (meaning === 'works' && isClean(known)) return
      try {
        believe(name, await kernel().leaveModel(name, meaning))
      } catch {
        beliefs.delete(name)
      }
    },
  }
}

function isClean({ failed, since, refused }: BreakerState): boolean {
  return since === null && failed.length === 0 && !refused
}

const KEY = 'model:'
const TROUBLE = 'models-trouble'

interface ModelBreakersInput {
  readonly kv: DurableObjectStorage['kv']
  readonly models: EdgeModels
  readonly now: () => number
  /** Reports an invalid setting once, by its name. */
  readonly trouble: (setting: string) => Promise<unknown>
  readonly news: (model: string, code: ReasonCode, at: number) => Promise<unknown>
}

export interface EdgeModelBreakers {
  enter(provider: string): Admitted
  /**
   * Resolves after the owner was notified, if there was something to report: an eviction would lose work that
   * is not awaited.
   */
  leave(provider: string, meaning: Meaning): Promise<BreakerState>
  /**
   * When the edge uses the rules model because of an invalid setting, the owner is notified once per setting.
   */
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
    ...MODEL_BREAKERS,
    bounds: models.breaker,
    now,
    news: (model, code, at) => {
      telling = news(model, MODEL_NEWS[code], at)
    },
    store: {
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
