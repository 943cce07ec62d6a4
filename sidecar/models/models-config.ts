/**
 * `[models]`, `[speech]` and `[vision]` of home's configuration (S-05): providers, their order, their breakers. A wrong setting
 * of `[models]` disables the models and does not stop the start: home then answers by rules and reports the setting. Must not
 * read files or keys. Called by config.ts.
 */

import * as z from 'zod/mini'
import {
  boundsOf,
  breakerEntry,
  inOrder,
  isOwnAddress,
  localityOf,
  type ProviderEntry,
  providerEntry,
  providerList,
  unreachable,
  urlOf,
} from '../../integrations/models/provider-settings.ts'
import { type BreakerBounds, DEFAULT_BREAKER } from '../../kernel/powers/breaker.ts'
import { VAULT_SCHEME } from '../secrets/secret.ts'

export interface HomeProvider extends Omit<ProviderEntry, 'base_url' | 'cloud'> {
  readonly baseUrl: string
  /** Locality of the configured model. Another model of the same provider may differ (`localityOf`). */
  readonly locality: 'home' | 'cloud'
  readonly localityOf: (model: string) => 'home' | 'cloud'
  /** Name of a secret; null if the server needs none. */
  readonly key: string | null
  /** The local edge of `npm start` gets this provider and its key. */
  readonly edge: boolean
  /** Loaded at home's start and kept loaded; Ollama only. */
  readonly warm: boolean
}

export interface ModelsConfig {
  /** All configured providers, those of the chain first and in its order. */
  readonly providers: readonly HomeProvider[]
  /** Names in the order in which they are tried. */
  readonly chain: readonly string[]
  readonly breaker: BreakerBounds
  /** Whether the edge may use those of the chain that are the owner's own. */
  readonly lends: boolean
  /** The wrong setting, if any; `providers` is then empty. */
  readonly trouble: { readonly key: string; readonly problem: string } | null
}

export const NO_MODELS: ModelsConfig = Object.freeze({
  ...{ providers: [], chain: [], breaker: DEFAULT_BREAKER, lends: true, trouble: null },
})

const REFERENCE = /^vault:[a-z0-9][a-z0-9_./-]{0,99}$/

const VAULT_KEY = z.string().check(
  z.refine((value) => REFERENCE.test(value), {
    error:
      'must be a reference such as "vault:name"; the key itself goes into the vault with `pfar secret set`',
  }),
)

const entry = z.extend(providerEntry, {
  key: z.optional(VAULT_KEY),
  edge: z._default(z.boolean(), false),
  warm: z._default(z.boolean(), false),
})

const schema = z.strictObject({
  chain: z.optional(z.array(z.string()).check(z.maxLength(16))),
  breaker: z.optional(breakerEntry),
  lend_to_edge: z._default(z.boolean(), true),
  providers: z._default(providerList(entry), []),
})

type Problem = (issue: z.core.$ZodIssue) => { readonly key: string; readonly problem: string }

/** `say`: returns the name of a setting and the problem, never its value. */
export function modelsConfig(input: unknown, say: Problem): ModelsConfig {
  if (input === undefined) return NO_MODELS
  const parsed = z.safeParse(schema, input)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const wrong = issue === undefined ? { key: '', problem: 'is malformed' } : say(issue)
    return troubled(['models', wrong.key].filter((part) => part !== '').join('.'), wrong.problem)
  }
  const { chain, breaker, lend_to_edge: lends } = parsed.data
  const providers = parsed.data.providers.map(homeProvider)
  for (const { name, baseUrl } of providers) {
    const problem = unreachable(baseUrl, isOwnAddress(baseUrl) ? [new URL(baseUrl).origin] : [])
    if (problem !== null) return troubled(`models.providers.${name}.base_url`, problem)
  }
  const cold = providers.find(
    ({ warm, kind, locality }) => warm && (kind !== 'ollama' || locality !== 'home'),
  )
  if (cold !== undefined)
    return troubled(`models.providers.${cold.name}.warm`, 'is for an Ollama of your own')
  const asked = inOrder(providers, chain)
  if (asked === null) return troubled('models.chain', 'names a provider that is not set up')
  if (new Set(asked).size < asked.length) return troubled('models.chain', 'names a provider twice')
  const others = providers.filter((one) => !asked.includes(one))
  return {
    providers: [...asked, ...others],
    chain: asked.map(({ name }) => name),
    breaker: boundsOf(breaker),
    lends,
    trouble: null,
  }
}

function homeProvider(parsed: z.output<typeof entry>): HomeProvider {
  const { base_url: _url, cloud: _cloud, key, ...own } = parsed
  return {
    ...own,
    baseUrl: urlOf(parsed),
    locality: localityOf(parsed),
    localityOf: (model) => localityOf({ ...parsed, model }),
    key: key?.slice(VAULT_SCHEME.length) ?? null,
  }
}

function troubled(key: string, problem: string): ModelsConfig {
  return { ...NO_MODELS, trouble: { key, problem } }
}

export interface SpeechConfig {
  /** Base URL with its path, such as `http://127.0.0.1:8000/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly locality: 'home' | 'cloud'
  /** Name of a secret; null if the server needs none. */
  readonly key: string | null
  /** Spoken language (ISO 639-1); null: the server detects it. */
  readonly language: string | null
}

/** Reader id, and the owner of its key in the vault. */
export const SPEECH = 'speech'

/** UTF-16 units. */
const MAX_TEXT = 200
const text = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT))

export const speechSchema = z.strictObject({
  base_url: text.check(
    z.refine(isBaseUrl, { error: 'must be an address such as http://127.0.0.1:8000/v1' }),
    z.refine((url) => !isBaseUrl(url) || unreachable(url, ownOrigin(url)) === null, {
      error: 'must be https at its usual port, unless it is an address of your own network',
    }),
  ),
  model: text,
  key: z.optional(
    z.string().check(
      z.regex(/^vault:[a-z0-9][a-z0-9_./-]{0,99}$/, {
        error: 'must be a reference such as "vault:name"; the key itself goes into the vault',
      }),
    ),
  ),
  language: z.optional(z.string().check(z.regex(/^[a-z]{2}$/, { error: 'must be two letters, such as en' }))),
  /** True if the server passes recordings on to another company, wherever it runs. */
  cloud: z._default(z.boolean(), false),
})

export function speechConfig(entry: z.output<typeof speechSchema> | undefined): SpeechConfig | null {
  if (entry === undefined) return null
  const { base_url, model, key, cloud, language } = entry
  return {
    ...{ baseUrl: base_url.replace(/\/+$/, ''), model },
    locality: localityOf({ kind: 'openai', base_url, model, cloud }),
    key: key?.slice(VAULT_SCHEME.length) ?? null,
    language: language ?? null,
  }
}

/** The owner's own address may be private and use plain http; that of a company may not. */
export function ownOrigin(url: string): readonly string[] {
  return isOwnAddress(url) ? [new URL(url).origin] : []
}

function isBaseUrl(value: string): boolean {
  const url = URL.parse(value)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  )
}

/** Reader id, and the owner of its key in the vault. */
export const VISION = 'vision'

const visionEntry = z.pick(providerEntry, { model: true, window: true, keep_alive: true, system_role: true })

export const visionSchema = z
  .strictObject({
    ...visionEntry.shape,
    base_url: providerEntry.shape.base_url,
    kind: z._default(z.enum(['ollama', 'openai']), 'ollama'),
    key: z.optional(VAULT_KEY),
  })
  .check(
    z.refine((own) => localityOf({ ...own, cloud: false }) === 'home', {
      error:
        'must be a model of your own, by an address of this machine or of your network: pictures are looked at at home or not at all',
    }),
  )

export function visionConfig(parsed: z.output<typeof visionSchema> | undefined): HomeProvider | null {
  if (parsed === undefined) return null
  return homeProvider({ ...parsed, name: VISION, cloud: false, edge: false, warm: false })
}
