/**
 * Schema of the owner's model providers (S-05, S-06), the same in home's `[models]` and in the edge's variable, and the rule by
 * which a provider counts as the owner's own. Names no model. Must not hold a key, only its name. Called by
 * sidecar/models/models-config.ts and durable-objects/platform/models-setting.ts.
 */

import ipaddr from 'ipaddr.js'
import * as z from 'zod/mini'
import type { ModelReader } from '../../kernel/flow/policy.ts'
import { type BreakerBounds, DEFAULT_BREAKER } from '../../kernel/powers/breaker.ts'
import { withoutBrackets } from '../http/address.ts'
import { checkTarget } from '../http/target.ts'

export const PROVIDER_KINDS = ['anthropic', 'openai', 'ollama'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** Base URL of each kind, unless the settings have one. */
export const DEFAULT_URL: Readonly<Record<ProviderKind, string>> = Object.freeze({
  anthropic: 'https://api.anthropic.com',
  openai: 'https://api.openai.com/v1',
  ollama: 'http://127.0.0.1:11434',
})

/** Maximum number of providers; nobody needs more. */
const MAX_PROVIDERS = 16
/** Maximum length of a text, in UTF-16 code units. */
const MAX_TEXT = 200
/** Context window in tokens: no prompt fits below the minimum, no model has more than the maximum. */
const WINDOW = { least: 2_048, most: 10_000_000 } as const
/** Minutes that Ollama keeps a model loaded; negative: without limit. */
const KEEP_ALIVE = { least: -1, most: 10_080 } as const
const SECOND = 1_000
const MOST_SECONDS = 86_400

/** Name for home's models in the edge's `chain`. */
export const HOME = 'home'

/** Reserved names: they mean something else where a provider can be named. */
const TAKEN: readonly string[] = ['rules', 'chain', HOME]

const name = z.string().check(
  z.regex(/^[a-z][a-z0-9_]{0,31}$/),
  z.refine((value) => !TAKEN.includes(value), { error: 'is a name that is taken' }),
)
const text = z.string().check(z.minLength(1), z.maxLength(MAX_TEXT))
const baseUrl = text.check(
  z.refine(isBaseUrl, { error: 'must be an address such as https://api.example.com/v1' }),
)

export const providerEntry = z.strictObject({
  name,
  kind: z.enum(PROVIDER_KINDS),
  base_url: z.optional(baseUrl),
  model: text,
  window: z.optional(z.int().check(z.minimum(WINDOW.least), z.maximum(WINDOW.most))),
  system_role: z.optional(z.boolean()),
  starts_reasoning: z.optional(z.boolean()),
  keep_alive: z.optional(z.int().check(z.minimum(KEEP_ALIVE.least), z.maximum(KEEP_ALIVE.most))),
  /**
   * True for a proxy that forwards prompts to another company, wherever it runs. It can only lower trust: no setting makes a
   * cloud provider local.
   */
  cloud: z._default(z.boolean(), false),
})

const seconds = z.int().check(z.minimum(1), z.maximum(MOST_SECONDS))

export const breakerEntry = z.strictObject({
  failures: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  within_seconds: z.optional(seconds),
  rest_seconds: z.optional(seconds),
})

export const providerList = <T extends typeof providerEntry>(entry: T) =>
  z.array(entry).check(
    z.maxLength(MAX_PROVIDERS),
    z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      error: 'must each have a name of their own',
    }),
  )

export type ProviderEntry = z.output<typeof providerEntry>

export function boundsOf(entry: z.output<typeof breakerEntry> | undefined): BreakerBounds {
  const { failures, within_seconds: within, rest_seconds: rest } = entry ?? {}
  return {
    failures: failures ?? DEFAULT_BREAKER.failures,
    window: within === undefined ? DEFAULT_BREAKER.window : within * SECOND,
    rest: rest === undefined ? DEFAULT_BREAKER.rest : rest * SECOND,
  }
}

/**
 * Providers in the order of calls: those named by `chain`. Without it, cloud providers before local ones, because they answer
 * better, and each kind in the order of the file (D-12: Anthropic, OpenAI, local). Null if `chain` names an unknown provider.
 */
export function inOrder<T extends { readonly name: string; readonly kind: ProviderKind }>(
  providers: readonly T[],
  chain: readonly string[] | undefined,
): readonly T[] | null {
  if (chain === undefined)
    return providers.toSorted((a, b) => PROVIDER_KINDS.indexOf(a.kind) - PROVIDER_KINDS.indexOf(b.kind))
  const named = chain.map((one) => providers.find(({ name }) => name === one))
  return named.includes(undefined) ? null : named.filter((one) => one !== undefined)
}

export function urlOf({ kind, base_url: url }: Pick<ProviderEntry, 'kind' | 'base_url'>): string {
  return (url ?? DEFAULT_URL[kind]).replace(/\/+$/, '')
}

/** Message about the setting if `checkTarget`, which guards every call, would refuse this URL; null if it would not. */
export function unreachable(url: string, exemptOrigins: readonly string[]): string | null {
  const target = checkTarget(url, { hosts: ['*'], exemptOrigins })
  if (target.ok) return null
  return (
    UNREACHABLE[String(target.reason.facts['rule'])] ?? 'must be a public address, or one of your own network'
  )
}

const UNREACHABLE: Readonly<Record<string, string>> = Object.freeze({
  https_only: 'must be https, unless it is an address of your own network',
  port: 'must have no port of its own (https is asked at 443), unless it is an address of your own network',
})

function isBaseUrl(value: string): boolean {
  const url = URL.parse(value)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  )
}

/*
 * Whether a provider is the owner's own (DESIGN §1, D-02 – D-04). Derived from its address, never declared.
 *
 * Data: prompts. Readers: whoever runs the server. Rationale: an address of this machine or a private network is the owner's. A
 * host name may resolve elsewhere tomorrow, and any other address belongs to a company. A local proxy that forwards prompts to a
 * company looks local, so the owner can mark it as `cloud`. Two cases are known: Anthropic's API has no local server, and Ollama
 * runs some models in its cloud.
 */
const OWN_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal']

/** Names of models that Ollama runs in its cloud: `name:cloud`, `name:120b-cloud`. */
const ELSEWHERE = /[:-]cloud$/i

/** Locality as seen from home. For the edge every provider is a cloud. */
export function localityOf(
  entry: Pick<ProviderEntry, 'kind' | 'base_url' | 'model' | 'cloud'>,
): 'home' | 'cloud' {
  const { kind, model, cloud } = entry
  // Checked for every kind: Ollama also offers other providers' APIs.
  if (cloud || kind === 'anthropic' || ELSEWHERE.test(model.trim())) return 'cloud'
  return isOwnAddress(urlOf(entry)) ? 'home' : 'cloud'
}

/** True for an IP address of this machine or of a private network, and for `localhost`; false for any other host name. */
export function isOwnAddress(url: string): boolean {
  const host = withoutBrackets(URL.parse(url)?.hostname ?? '')
  if (host === 'localhost') return true
  return !host.includes('%') && ipaddr.isValid(host) && OWN_RANGES.includes(ipaddr.parse(host).range())
}

/** The highest label the provider may read; for a cloud, `sensitive` needs the owner's acknowledgement. */
export function readerOf(id: string, locality: 'home' | 'cloud'): ModelReader {
  return locality === 'home'
    ? { id, locality, level: 'regulated', compartments: 'all' }
    : { id, locality, level: 'sensitive', compartments: [] }
}
