/**
 * What home's models are doing: each configured one asked for its name, and the Ollama of this machine for what it has
 * (Q-16, S-05). Must not send a prompt but through the boundary, and must not pass on a word of any of them. Called by the
 * private line for `pfar doctor`.
 */
import * as z from 'zod/mini'
import type { Transport } from '../../integrations/http/transport.ts'
import type { ModelConnection } from '../../integrations/models/connection.ts'
import { isOwnAddress } from '../../integrations/models/locality.ts'
import type { LocalModel } from '../../integrations/models/ollama/library.ts'
import { DEFAULT_URL } from '../../integrations/models/provider-settings.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { AskNamedPorts } from '../../kernel/pipeline/model-call.ts'
import type { Looker, Models } from '../../kernel/powers/ports.ts'
import { checkModel, type ModelCheck } from '../../kernel/runtime/model-check.ts'
import { isLoopback } from '../config.ts'
import { type Methods, method } from '../line/method.ts'
import type { HomeProvider, ModelsConfig } from '../models/models-config.ts'
import type { SpeechConfig } from '../speech/speech-config.ts'
import { chooseModels } from './local-advice.ts'

export interface LocalLook {
  readonly url: string
  /** Null: nothing that speaks as Ollama does answers there. */
  readonly models: readonly LocalModel[] | null
  /** The one that would be recommended, asked once; null where there is none. */
  readonly tried: ModelCheck | null
  /** Whether home is set up to ask one of them. */
  readonly used: boolean
  /** Minutes that a model stays loaded, as set up; null: as usual. */
  readonly keepAlive: number | null
}

export interface ModelLook {
  readonly configured: readonly ModelCheck[]
  readonly local: LocalLook
  /** A setting of `[models]` that is wrong: there are none then. */
  readonly trouble: ModelsConfig['trouble']
  /** The server that writes down recordings; absent where none is set up. */
  readonly speech?: { readonly url: string; readonly locality: 'home' | 'cloud'; readonly answers: boolean }
  /** The model that looks at pictures, asked for its name; absent where none is set up. */
  readonly vision?: Omit<ModelCheck, 'model'> & {
    readonly model: string
    /** Whether it takes pictures at all, as an Ollama says; null where nobody says. */
    readonly sees: boolean | null
  }
}

export interface LookInput {
  readonly powers: AskNamedPorts & Models & Looker
  /** Opened for a look: a home that has no local model holds no connection to one. */
  readonly transport: () => Transport
  /** Bytes of this machine. */
  readonly memory: number
  readonly config: Pick<ModelsConfig, 'providers' | 'trouble'>
  readonly speech: SpeechConfig | null
  readonly vision: HomeProvider | null
}

/** `ollama`: its origin, on this machine; null: where it is set up to be, or usually is. */
const asked = z.strictObject({
  ollama: z.nullable(z.string().check(z.maxLength(200), z.refine(isOrigin))),
})

export function createDoctorMethods(input: LookInput): Methods {
  return { doctor: method(asked, async ({ ollama }) => ok(await lookAtModels(input, ollama))) }
}

function isOrigin(value: string): boolean {
  return URL.parse(value)?.origin === value && isLoopback(value)
}

async function lookAtModels(input: LookInput, asked: string | null): Promise<ModelLook> {
  const { powers, config } = input
  // One at another company's address is no Ollama of this home's, whatever it speaks.
  const own = config.providers.find(({ kind, baseUrl }) => kind === 'ollama' && isOwnAddress(baseUrl))
  const url = asked ?? own?.baseUrl ?? DEFAULT_URL.ollama
  const configured: ModelCheck[] = []
  // One after the other: two models that load at once both look slow.
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
  // Its library is loaded for a look alone.
  const { listOllama } = await import('../../integrations/models/ollama/library.ts')
  const connection = { baseUrl: url, exemptOrigins: [new URL(url).origin], transport: transport(), key: null }
  const found = await listOllama(connection)
  if (!found.ok) return { models: null, tried: null }
  const { planner } = chooseModels(found.value, memory)
  const tried = planner === null ? null : await checkModel(powers, await modelOf(planner, connection))
  return { models: found.value, tried }
}

/** Tokens: a name needs few, and a large window takes long to be made room for. */
const TRIAL_WINDOW = 8_192

async function modelOf({ name, window }: LocalModel, connection: ModelConnection): Promise<ModelProvider> {
  const { createOllamaModel } = await import('../../integrations/models/ollama/model.ts')
  const reader = { id: `ollama:${name}`, locality: 'home', level: 'regulated', compartments: 'all' } as const
  return createOllamaModel(
    { reader, model: name, window: Math.min(window ?? TRIAL_WINDOW, TRIAL_WINDOW) },
    connection,
  )
}
