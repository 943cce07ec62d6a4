/**
 * The edge's own models (S-05, D-20): a variable with the same list of providers as home's `[models]`, and one secret for
 * each key. A wrong one costs the models and not the edge, which then answers by rules. Must not name a value in what it
 * says. Called by env.ts.
 */
import * as z from 'zod/mini'
import {
  boundsOf,
  breakerEntry,
  HOME,
  inOrder,
  type ProviderEntry,
  providerEntry,
  providerList,
  unreachable,
  urlOf,
} from '../integrations/models/provider-settings.ts'
import { type BreakerBounds, DEFAULT_BREAKER } from '../kernel/inference/breaker.ts'

export interface EdgeProvider extends Omit<ProviderEntry, 'base_url' | 'cloud' | 'keep_alive'> {
  readonly baseUrl: string
  /** Null for a server that wants none. */
  readonly key: string | null
}

export interface EdgeModels {
  /** All that are set up. */
  readonly providers: readonly EdgeProvider[]
  /** Names, in the order in which they are asked; any other is asked where a template names it. */
  readonly chain: readonly string[]
  readonly breaker: BreakerBounds
  /** How many of them are asked before the models that home lends; null where those are not asked. */
  readonly homeAt: number | null
  /** What is wrong with the setting; there are no providers then. */
  readonly trouble: string | null
}

export const NO_EDGE_MODELS: EdgeModels = Object.freeze({
  ...{ providers: [], chain: [], breaker: DEFAULT_BREAKER, homeAt: 0, trouble: null },
})

const schema = z.strictObject({
  chain: z.optional(z.array(z.string()).check(z.maxLength(16))),
  breaker: z.optional(breakerEntry),
  providers: z._default(providerList(providerEntry), []),
})

/** UTF-16 units of a key. */
const MOST_KEY = 8_192

/** The secret that holds a provider's key: `MODEL_KEY_ANTHROPIC`. */
export function keyBinding(provider: string): string {
  return `MODEL_KEY_${provider.toUpperCase()}`
}

/**
 * `env`: the bindings, of which `MODELS` may be JSON text or what the platform decoded. `exemptOrigins`: what may be plain or
 * private.
 */
export function edgeModels(
  env: Readonly<Record<string, unknown>>,
  exemptOrigins: readonly string[] = [],
): EdgeModels {
  const { MODELS: setting } = env
  if (setting === undefined || setting === '') return NO_EDGE_MODELS
  const parsed = z.safeParse(schema, typeof setting === 'string' ? decode(setting) : setting)
  if (!parsed.success) return troubled(placeOf(parsed.error.issues[0]))
  const { chain, breaker, providers } = parsed.data
  const asked = inOrder(
    providers,
    chain?.filter((name) => name !== HOME),
  )
  if (asked === null) return troubled('MODELS.chain')
  const made: EdgeProvider[] = []
  const others = providers.filter((one) => !asked.includes(one))
  for (const { base_url, cloud, keep_alive, ...own } of [...asked, ...others]) {
    // Ollama is home's: from here every address is a company's, and none of them runs it for the owner.
    if (own.kind === 'ollama') return troubled(`MODELS.providers.${own.name}.kind`)
    const baseUrl = urlOf({ kind: own.kind, ...(base_url !== undefined && { base_url }) })
    if (unreachable(baseUrl, exemptOrigins) !== null) return troubled(`MODELS.providers.${own.name}.base_url`)
    const key = env[keyBinding(own.name)] ?? null
    if (key !== null && !isKey(key)) return troubled(keyBinding(own.name))
    made.push({ ...own, baseUrl, key })
  }
  // Clouds answer better, so that without an order home comes after them, as it does at home (D-12).
  const at = chain === undefined ? asked.length : chain.indexOf(HOME)
  const [names, homeAt] = [asked.map(({ name }) => name), at === -1 ? null : at]
  return { providers: made, chain: names, breaker: boundsOf(breaker), homeAt, trouble: null }
}

/** One word, as it will stand in a header. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_KEY && /^[\x21-\x7e]{8,}$/.test(value)
}

function placeOf(issue: z.core.$ZodIssue | undefined): string {
  return ['MODELS', ...(issue?.path ?? []).map(String)].join('.')
}

function troubled(trouble: string): EdgeModels {
  return { ...NO_EDGE_MODELS, homeAt: null, trouble }
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
