/**
 * Builds home's models from its configuration (D-08, D-09, S-05). Each loads its client with its first call. Must not decide
 * which model may read what. Called by powers.ts.
 */

import type { Transport } from '../../integrations/http/transport.ts'
import { createAnthropicModel } from '../../integrations/models/anthropic/model.ts'
import type { ModelConnection, ModelSettings } from '../../integrations/models/connection.ts'
import { createOllamaModel } from '../../integrations/models/ollama/model.ts'
import { createOpenAiModel } from '../../integrations/models/openai/model.ts'
import { isOwnAddress, readerOf } from '../../integrations/models/provider-settings.ts'
import type { ModelView } from '../../kernel/features/models/port.ts'
import { type ModelOf, readerId } from '../../kernel/inference/chain.ts'
import type { TextModel } from '../../kernel/inference/provider.ts'
import { admissionOf, type BreakerState, type Breakers } from '../../kernel/powers/breaker.ts'
import type { ModelKeys } from '../secrets/service-tokens.ts'
import type { WarmModel } from './keep-warm.ts'
import type { HomeProvider, ModelsConfig } from './models-config.ts'

/** Context window, in tokens, of a local model without a configured one: what most are run with on a small machine. */
const LOCAL_WINDOW = 8_192

export interface HomeModelsInput {
  readonly config: ModelsConfig
  readonly transport: Transport
  readonly keys: ModelKeys
}

export interface HomeModels {
  /** In the order of the chain. */
  readonly models: readonly TextModel[]
  /** The owner's own models, if the edge may use them; otherwise empty. */
  readonly lent: readonly TextModel[]
  readonly modelOf: ModelOf
  readonly warm: readonly WarmModel[]
}

export function createHomeModels({ config, ...ways }: HomeModelsInput): HomeModels {
  const { providers, chain } = config
  const variants = new Map<string, TextModel>()
  const models = providers.filter(({ name }) => chain.includes(name)).map((one) => modelFor(one, null, ways))
  return {
    models,
    warm: providers.filter(({ warm }) => warm).map((one) => warmModel(one, ways)),
    lent: config.lends ? models.filter(({ reader }) => reader.locality === 'home') : [],
    modelOf(name, model) {
      const provider = providers.find((one) => one.name === name)
      if (provider === undefined) return null
      const id = readerId(name, model)
      const made = variants.get(id) ?? modelFor(provider, model, ways)
      variants.set(id, made)
      return made
    },
  }
}

type Ways = Omit<HomeModelsInput, 'config'>

/** `other`: a model of this provider that a template names in place of the configured one. */
export function modelFor(provider: HomeProvider, other: string | null, ways: Ways): TextModel {
  const { kind, baseUrl, model } = provider
  return { ...clientFor(provider, other, ways), version: [kind, baseUrl, other ?? model].join(' ') }
}

function clientFor(provider: HomeProvider, other: string | null, ways: Ways): TextModel {
  const settings = settingsOf(provider, other)
  const connection = connectionTo(provider, ways)
  switch (provider.kind) {
    case 'anthropic':
      return createAnthropicModel(settings, connection)
    case 'openai':
      return createOpenAiModel(settings, connection)
    case 'ollama':
      return createOllamaModel({ ...settings, window: settings.window ?? LOCAL_WINDOW }, connection)
  }
}

/** Minutes; the adapter's default. */
const USUAL_KEEP_ALIVE = 30

function warmModel(provider: HomeProvider, ways: Ways): WarmModel {
  const settings = { ...settingsOf(provider, null), window: provider.window ?? LOCAL_WINDOW }
  return {
    keepAlive: provider.keep_alive ?? USUAL_KEEP_ALIVE,
    async load() {
      const { warmOllama } = await import('../../integrations/models/ollama/library.ts')
      return warmOllama(settings, connectionTo(provider, ways))
    },
  }
}

function settingsOf(
  provider: HomeProvider,
  other: string | null,
): ModelSettings & { readonly keepAlive?: number } {
  const { name, kind, model, localityOf, system_role, starts_reasoning, keep_alive } = provider
  const window = provider.window ?? (kind === 'ollama' ? LOCAL_WINDOW : undefined)
  return {
    reader: readerOf(readerId(name, other), localityOf(other ?? model)),
    model: other ?? model,
    ...(window !== undefined && { window }),
    ...(system_role !== undefined && { systemRole: system_role }),
    ...(starts_reasoning !== undefined && { startsReasoning: starts_reasoning }),
    ...(keep_alive !== undefined && { keepAlive: keep_alive }),
  }
}

function connectionTo({ name, baseUrl, key }: HomeProvider, { transport, keys }: Ways): ModelConnection {
  const { origin, host } = new URL(baseUrl)
  return {
    ...{ baseUrl, transport },
    // The owner's own address may be private and use plain http; that of a company may not.
    exemptOrigins: isOwnAddress(baseUrl) ? [origin] : [],
    key: key === null ? null : (call) => keys.issue({ provider: name, name: key, host }, call),
    settled: keys.settle,
  }
}

/** As `pfar models` shows them: names and states only. */
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
