/** The search engines: where each is, and its key. How each is asked is in asking.ts, which home alone has. Called by manifest.ts and run.ts. */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const ENGINES = Object.freeze(['duckduckgo', 'searxng', 'brave', 'kagi'] as const)
export type EngineName = (typeof ENGINES)[number]

/** The owner's choice. `url`: address of a SearXNG of their own; any other engine has its own. */
export interface SearchSetting {
  readonly engine: EngineName
  readonly url: string | null
}

export const DEFAULT_SEARCH: SearchSetting = Object.freeze({ engine: 'duckduckgo', url: null })

/** Most results of one answer, and of one page of an engine; UTF-16 units of a title and an excerpt. */
export const SEARCH_LIMITS = Object.freeze({ results: 10, page: 60, title: 200, text: 400 })

export interface Engine {
  /** Null: wherever the owner runs it. */
  readonly origin: string | null
  readonly key: { readonly credential: string; readonly connect: ConnectSpec } | null
}

const BRAVE: Engine = {
  origin: 'https://api.search.brave.com',
  key: {
    credential: 'brave',
    connect: {
      title: 'Brave Search',
      where:
        'Sign in at https://api-dashboard.search.brave.com, choose a plan for Web Search, and give me the key that "API Keys" shows.',
      shape: '[A-Za-z0-9_-]{20,100}',
    },
  },
}

const KAGI: Engine = {
  origin: 'https://kagi.com',
  key: {
    credential: 'kagi',
    connect: {
      title: 'Kagi',
      where: 'Sign in at https://kagi.com/settings?p=api, make an API token there, and give it to me.',
      shape: '[\\w.-]{20,200}',
    },
  },
}

const BY_NAME: Readonly<Record<EngineName, Engine>> = Object.freeze({
  duckduckgo: { origin: 'https://html.duckduckgo.com', key: null },
  searxng: { origin: null, key: null },
  ...{ brave: BRAVE, kagi: KAGI },
})

export function engineOf({ engine }: SearchSetting): Engine {
  return BY_NAME[engine]
}

/** Base address of the chosen engine, without a slash at its end. A SearXNG without an address has none, which the configuration refuses. */
export function originOf(setting: SearchSetting): string {
  return (setting.url ?? engineOf(setting).origin ?? '').replace(/\/+$/, '')
}
