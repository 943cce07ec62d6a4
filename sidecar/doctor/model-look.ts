/**
 * Checks home's models: asks each configured one a trivial question, and the local Ollama for its list (Q-16, S-05).
 * Must not send a prompt around the boundary, or pass on any model's words. Called by the private line for `pfar
 * doctor`.
 */
import * as z from 'zod/mini'
import type { Transport } from '../../integrations/http/transport.ts'
import type { ModelConnection } from '../../integrations/models/connection.ts'
import type { LocalModel } from '../../integrations/models/ollama/library.ts'
import { createOllamaModel } from '../../integrations/models/ollama/model.ts'
import { DEFAULT_URL, isOwnAddress } from '../../integrations/models/provider-settings.ts'
import { checkModel, type ModelCheck } from '../../kernel/features/models/model-check.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { AskNamedPorts } from '../../kernel/model-call/model-call.ts'
import type { Looker, Models } from '../../kernel/powers/ports.ts'
import { isLoopback } from '../config/config.ts'
import { type Methods, method } from '../line/method.ts'
import type { HomeProvider, ModelsConfig, SpeechConfig } from '../models/models-config.ts'
import type { AccountCheck } from './account-look.ts'
import { chooseModels } from './local-advice.ts'

export interface LocalLook {
  readonly url: string
  /** Null: no Ollama answers there. */
  readonly models: readonly LocalModel[] | null
  /** Check of the model that would be recommended; null if there is none. */
  readonly tried: ModelCheck | null
  /** Whether home is configured to use one of them. */
  readonly used: boolean
  /** Minutes that a model stays loaded, as configured; null: the default. */
  readonly keepAlive: number | null
}

export interface ModelLook {
  readonly configured: readonly ModelCheck[]
  readonly local: LocalLook
  /** The wrong setting of `[models]`, if any; no model is configured then. */
  readonly trouble: ModelsConfig['trouble']
  /** The server that transcribes recordings; absent if not configured. */
  readonly speech?: { readonly url: string; readonly locality: 'home' | 'cloud'; readonly answers: boolean }
  /** Servers of the owner's accounts; absent from an older home. */
  readonly accounts?: readonly AccountCheck[]
  /** The model that describes pictures; absent if not configured. */
  readonly vision?: Omit<ModelCheck, 'model'> & {
    readonly model: string
    /** Whether the model accepts pictures, as Ollama reports; null if unknown. */
    readonly sees: boolean | null
  }
}

export interface LookInput {
  readonly powers: AskNamedPorts & Models & Looker
  /** Called only for a check: a home without a local model keeps no connection to one. */
  readonly transport: () => Transport
  /** Memory of this machine, bytes. */
  readonly memory: number
  readonly config: Pick<ModelsConfig, 'providers' | 'trouble'>
  readonly speech: SpeechConfig | null
  readonly vision: HomeProvider | null
  readonly accounts: () => Promise<readonly AccountCheck[]>
}

/** `ollama`: its origin, on this machine; null: the configured or the default one. */
const asked = z.strictObject({
  ollama: z.nullable(z.string().check(z.maxLength(200), z.refine(isOrigin))),
})

export function createDoctorMethods(input: LookInput): Methods {
  return {
    doctor: method(asked, async ({ ollama }) => {
      const [look, accounts] = await Promise.all([lookAtModels(input, ollama), input.accounts()])
      return ok({ ...look, accounts })
    }),
  }
}

function isOrigin(value: string): boolean {
  return URL.parse(value)?.origin === value && isLoopback(value)
}

async function lookAtModels(input: LookInput, asked: string | null): Promise<ModelLook> {
  const { powers, config } = input
  // A server at another company's address is not this home's, even if it speaks Ollama's protocol.
  const own = config.providers.find(({ kind, baseUrl }) => kind === 'ollama' && isOwnAddress(baseUrl))
  const url = asked ?? own?.baseUrl ?? DEFAULT_URL.ollama
  const configured: ModelCheck[] = []
  // One at a time: two models that load concurrently both look slow.
  for (const model of powers.models.filter(({ reads }) => reads !== 'parts'))
    configured.push(await checkModel(powers, model))
  const look = await lookAtOllama(input, url)
  const local = { url, ...look, used: own !== undefined, keepAlive: own?.keep_alive ?? null }
  return {
    configured,
    local,
    trouble: config.trouble,
    ...(await lookAtSpeech(input)),
    ...(await lookAtVision(input)),
  }
}

async function lookAtSpeech({ speech, transport }: LookInput): Promise<Pick<ModelLook, 'speech'>> {
  if (speech === null) return {}
  const { speechAnswers } = await import('../speech/speech-reader.ts')
  const { baseUrl: url, locality } = speech
  return { speech: { url, locality, answers: await speechAnswers(speech, transport()) } }
}

async function lookAtVision({ powers, vision, transport }: LookInput): Promise<Pick<ModelLook, 'vision'>> {
  if (vision === null || powers.sees === undefined) return {}
  const { kind, model, baseUrl } = vision
  const check = await checkModel(powers, powers.sees)
  if (kind !== 'ollama' || check.trouble !== null) return { vision: { ...check, model, sees: null } }
  const { seesPictures } = await import('../../integrations/models/ollama/library.ts')
  const { origin } = new URL(baseUrl)
  const sees = await seesPictures(
    { baseUrl, exemptOrigins: [origin], transport: transport(), key: null },
    model,
  )
  return { vision: { ...check, model, sees: sees.ok ? sees.value : null } }
}

async function lookAtOllama(
  { powers, transport, memory }: LookInput,
  url: string,
): Promise<Pick<LocalLook, 'models' | 'tried'>> {
  // Loaded only for this check.
  const { listOllama } = await import('../../integrations/models/ollama/library.ts')
  const connection = { baseUrl: url, exemptOrigins: [new URL(url).origin], transport: transport(), key: null }
  const found = await listOllama(connection)
  if (!found.ok) return { models: null, tried: null }
  const { planner } = chooseModels(found.value, memory)
  const tried = planner === null ? null : await checkModel(powers, modelOf(planner, connection))
  return { models: found.value, tried }
}

/** Tokens. The question is short, and allocating a large context window takes long. */
const TRIAL_WINDOW = 8_192

function modelOf({ name, window }: LocalModel, connection: ModelConnection): ModelProvider {
  const reader = { id: `ollama:${name}`, locality: 'home', level: 'regulated', compartments: 'all' } as const
  return createOllamaModel(
    { reader, model: name, window: Math.min(window ?? TRIAL_WINDOW, TRIAL_WINDOW) },
    connection,
  )
}
