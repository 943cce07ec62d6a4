/**
 * Settings of the edge's own models (S-05, D-20): a variable with the same list of providers as home's `[models]`, and one secret
 * for each key. An invalid setting disables these models, and the edge answers by rules. Must not report a value. Called by env.ts.
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
} from '../../integrations/models/provider-settings.ts'
import { type BreakerBounds, DEFAULT_BREAKER } from '../../kernel/powers/breaker.ts'

export interface EdgeProvider extends Omit<ProviderEntry, 'base_url' | 'cloud' | 'keep_alive'> {
  readonly baseUrl: string
  /** Null for a server that needs no key. */
  readonly key: string | null
}

export interface EdgeModels {
  /** All configured providers. */
  readonly providers: readonly EdgeProvider[]
  /** Names of providers in the order in which they are called; others are called only when a template names them. */
  readonly chain: readonly string[]
  readonly breaker: BreakerBounds
  /** How many of them are called before home's models; null when home's are not called. */
  readonly homeAt: number | null
  /** Name of the invalid setting; there are then no providers. */
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

/** Longest API key, in UTF-16 units. */
const MOST_KEY = 8_192

/** Name of the secret that holds a provider's key: `MODEL_KEY_ANTHROPIC`. */
export function keyBinding(provider: string): string {
  return `MODEL_KEY_${provider.toUpperCase()}`
}

/**
 * `env`: the bindings; `MODELS` may be JSON text or already decoded. `exemptOrigins`: origins that may use plain HTTP or private
 * addresses.
 */
export function edgeModels(
  env: Readonly<Record<string, unknown>>,
  exemptOrigins: readonly string[] = [],
): EdgeModels {
  const { MODELS: setting } = env
  if (setting === undefined || setting === '') return NO_EDGE_MODELS
  const parsed = z.safeParse(jsonOf(schema), setting)
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
    // Ollama runs at home only: an address reachable from here belongs to a company, and no company runs it for the owner.
    if (own.kind === 'ollama') return troubled(`MODELS.providers.${own.name}.kind`)
    const baseUrl = urlOf({ kind: own.kind, ...(base_url !== undefined && { base_url }) })
    if (unreachable(baseUrl, exemptOrigins) !== null) return troubled(`MODELS.providers.${own.name}.base_url`)
    const key = env[keyBinding(own.name)] ?? null
    if (key !== null && !isKey(key)) return troubled(keyBinding(own.name))
    made.push({ ...own, baseUrl, key })
  }
  // Without a configured order home comes last, as it does at home, because cloud models answer better (D-12).
  const at = chain === undefined ? asked.length : chain.indexOf(HOME)
  const [names, homeAt] = [asked.map(({ name }) => name), at === -1 ? null : at]
  return { providers: made, chain: names, breaker: boundsOf(breaker), homeAt, trouble: null }
}

/** One token without spaces, because it is sent in a header. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_KEY && /^[\x21-\x7e]{8,}$/.test(value)
}

function placeOf(issue: z.core.$ZodIssue | undefined): string {
  return ['MODELS', ...(issue?.path ?? []).map(String)].join('.')
}

function troubled(trouble: string): EdgeModels {
  return { ...NO_EDGE_MODELS, homeAt: null, trouble }
}

/** A JSON binding: text, or the value itself where the platform has decoded it. */
export function jsonOf<T extends z.ZodMiniType>(inner: T) {
  const decoded = z.transform((input) => (typeof input === 'string' ? decode(input) : input))
  return z.pipe(z.pipe(z.unknown(), decoded), inner)
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
