/**
 * The search engines (Brave: https://api-dashboard.search.brave.com/documentation, Kagi: https://help.kagi.com/kagi/api/search.html,
 * SearXNG: https://docs.searxng.org/dev/search_api.html; DuckDuckGo's page without scripts has no documentation): where each is, its key,
 * its request, and which results its answer has. Must not send. Called by manifest.ts and run.ts.
 */
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import type { ConnectSpec, Credential, HttpRequest, HttpResponse } from '../../../kernel/tool/manifest.ts'
import type { RowReader } from '../../extractors/page-rows.ts'
import { checkStatus, parseRecord } from '../remote.ts'
import {
  braveResults,
  DUCKDUCKGO_ROWS,
  duckduckgoResults,
  kagiResults,
  type SearchResult,
  searxngResults,
} from './shape.ts'

export const ENGINES = Object.freeze(['duckduckgo', 'searxng', 'brave', 'kagi'] as const)
export type EngineName = (typeof ENGINES)[number]

/** The owner's choice. `url`: address of a SearXNG of their own; any other engine has its own. */
export interface SearchSetting {
  readonly engine: EngineName
  readonly url: string | null
}

export const DEFAULT_SEARCH: SearchSetting = Object.freeze({ engine: 'duckduckgo', url: null })

export interface Engine {
  /** Null: wherever the owner runs it. */
  readonly origin: string | null
  readonly key: { readonly credential: string; readonly connect: ConnectSpec } | null
  readonly request: (words: string, of: EngineCall) => HttpRequest
  readonly results: (answer: HttpResponse, rows: RowReader) => Promise<Result<readonly SearchResult[]>>
}

interface EngineCall {
  readonly origin: string
  readonly credential: Credential | null
}

/** Results that are asked for, where an engine lets one say. */
const COUNT = '10'
const JSON_ANSWER = { accept: 'application/json' }

const DUCKDUCKGO: Engine = {
  origin: 'https://html.duckduckgo.com',
  key: null,
  // As the form of the page sends it, so that the words stand in no address.
  request: (words, { origin }) => ({
    method: 'POST',
    url: `${origin}/html/`,
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ q: words }).toString(),
  }),
  async results(answer, rows) {
    // It answers 202 with a puzzle where it takes the caller for a program.
    if (answer.status === 202 || answer.status === 403)
      return err('remote_blocked', { status: answer.status })
    const status = checkStatus(answer)
    return status.ok ? duckduckgoResults(await rows(answer.body, DUCKDUCKGO_ROWS)) : status
  },
}

const SEARXNG: Engine = {
  origin: null,
  key: null,
  request: (words, { origin }) => get(`${origin}/search`, { q: words, format: 'json' }, {}),
  results: async (answer) => fromJson(answer, searxngResults),
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
  request: (words, { origin, credential }) =>
    get(
      `${origin}/res/v1/web/search`,
      { q: words, count: COUNT },
      { 'x-subscription-token': credential?.value ?? '' },
    ),
  results: async (answer) => fromJson(answer, braveResults),
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
  request: (words, { origin, credential }) =>
    get(
      `${origin}/api/v0/search`,
      { q: words, limit: COUNT },
      { authorization: `Bot ${credential?.value ?? ''}` },
    ),
  results: async (answer) => fromJson(answer, kagiResults),
}

const BY_NAME: Readonly<Record<EngineName, Engine>> = Object.freeze({
  ...{ duckduckgo: DUCKDUCKGO, searxng: SEARXNG, brave: BRAVE, kagi: KAGI },
})

export function engineOf({ engine }: SearchSetting): Engine {
  return BY_NAME[engine]
}

/** Base address of the chosen engine, without a slash at its end. A SearXNG without an address has none, which the configuration refuses. */
export function originOf(setting: SearchSetting): string {
  return (setting.url ?? engineOf(setting).origin ?? '').replace(/\/+$/, '')
}

function get(
  url: string,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): HttpRequest {
  return {
    method: 'GET',
    url: `${url}?${new URLSearchParams(query)}`,
    headers: { ...JSON_ANSWER, ...headers },
  }
}

function fromJson(
  answer: HttpResponse,
  shape: (record: Readonly<Record<string, unknown>>) => Result<readonly SearchResult[]>,
): Result<readonly SearchResult[]> {
  const status = checkStatus(answer)
  const record = status.ok ? parseRecord(answer.body) : status
  return record.ok ? shape(record.value) : record
}
