/**
 * `[models]` of home's configuration (S-05): providers, their order, their breakers. A wrong setting disables the
 * models and does not stop the start: home then answers by rules and reports the setting. Must not read files or keys.
 * Called by config.ts.
 */
import * as z from 'zod/mini'
import { isOwnAddress, localityOf } from '../../integrations/models/locality.ts'
import {
  boundsOf,
  breakerEntry,
  inOrder,
  type ProviderEntry,
  providerEntry,
  providerList,
  unreachable,
  urlOf,
} from '../../integrations/models/provider-settings.ts'
import { type BreakerBounds, DEFAULT_BREAKER } from '../../kernel/inference/breaker.ts'
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

export const VAULT_KEY = z.string().check(
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

export function homeProvider(parsed: z.output<typeof entry>): HomeProvider {
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
