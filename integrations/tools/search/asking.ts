/**
 * How each search engine is asked (Brave: https://api-dashboard.search.brave.com/documentation, Kagi: https://help.kagi.com/kagi/api/search.html,
 * SearXNG: https://docs.searxng.org/dev/search_api.html; DuckDuckGo's page without scripts has no documentation): its request, and which
 * results its answer has. Must not send. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Credential, HttpRequest, HttpResponse } from '../../../kernel/tool/manifest.ts'
import type { RowReader } from '../../extractors/page-rows.ts'
import { fieldOf, type JsonRecord, recordOf } from '../reading.ts'
import { checkStatus, parseRecord } from '../remote.ts'
import type { EngineName } from './engines.ts'
import { duckduckgoFields, duckduckgoNext, MOST_PAGES, numberOf } from './place.ts'
import {
  braveResults,
  DUCKDUCKGO_ROWS,
  duckduckgoResults,
  kagiResults,
  type SearchResult,
  searxngResults,
} from './shape.ts'

export interface Asking {
  readonly request: (words: string, of: EngineCall) => HttpRequest
  /** `page`: the mark of the page that was asked for. */
  readonly results: (answer: HttpResponse, rows: RowReader, page: string) => Promise<Result<SearchPage>>
}

export interface SearchPage {
  readonly results: readonly SearchResult[]
  /** Mark of the next page; null where there is none, or the engine names none. */
  readonly next: string | null
}

interface EngineCall {
  readonly origin: string
  readonly credential: Credential | null
  /** Mark of the page; empty for the first one. */
  readonly page: string
}

/** Results that are asked for, where an engine lets one say. */
const COUNT = '10'
const JSON_ANSWER = { accept: 'application/json' }

const DUCKDUCKGO: Asking = {
  // As the form of the page sends it, so that the words stand in no address.
  request: (words, { origin, page }) => ({
    method: 'POST',
    url: `${origin}/html/`,
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ q: words, ...duckduckgoFields(page) }).toString(),
  }),
  async results(answer, rows, page) {
    // It answers 202 with a puzzle where it takes the caller for a program.
    if (answer.status === 202 || answer.status === 403)
      return err('remote_blocked', { status: answer.status })
    const status = checkStatus(answer)
    if (!status.ok) return status
    const found = duckduckgoResults(await rows(answer.body, DUCKDUCKGO_ROWS))
    return found.ok ? ok({ results: found.value, next: duckduckgoNext(answer.body, page) }) : found
  },
}

const SEARXNG: Asking = {
  request: (words, { origin, page }) => {
    const query = { q: words, format: 'json' }
    return get(`${origin}/search`, page === '' ? query : { ...query, pageno: `${numberOf(page) + 1}` }, {})
  },
  // It does not say whether there are more; a page without results is the last one.
  results: async (answer, _, page) =>
    fromJson(answer, searxngResults, (_record, { length }) => (length === 0 ? null : pageBehind(page))),
}

const BRAVE: Asking = {
  request: (words, { origin, credential, page }) => {
    const query = { q: words, count: COUNT }
    return get(
      `${origin}/res/v1/web/search`,
      page === '' ? query : { ...query, offset: `${numberOf(page)}` },
      { 'x-subscription-token': credential?.value ?? '' },
    )
  },
  results: async (answer, _, page) =>
    fromJson(answer, braveResults, (record) =>
      fieldOf(recordOf(record, 'query'), 'more_results_available') === true ? pageBehind(page) : null,
    ),
}

const KAGI: Asking = {
  request: (words, { origin, credential }) =>
    get(
      `${origin}/api/v0/search`,
      { q: words, limit: COUNT },
      { authorization: `Bot ${credential?.value ?? ''}` },
    ),
  // Its interface has no further page (https://help.kagi.com/kagi/api/search.html).
  results: async (answer) => fromJson(answer, kagiResults, () => null),
}

export const ASKING: Readonly<Record<EngineName, Asking>> = Object.freeze({
  ...{ duckduckgo: DUCKDUCKGO, searxng: SEARXNG, brave: BRAVE, kagi: KAGI },
})

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

function pageBehind(page: string): string | null {
  const next = numberOf(page) + 1
  return next > MOST_PAGES ? null : `${next}`
}

function fromJson(
  answer: HttpResponse,
  shape: (record: JsonRecord) => Result<readonly SearchResult[]>,
  nextIn: (record: JsonRecord, results: readonly SearchResult[]) => string | null,
): Result<SearchPage> {
  const status = checkStatus(answer)
  const record = status.ok ? parseRecord(answer.body) : status
  if (!record.ok) return record
  const found = shape(record.value)
  return found.ok ? ok({ results: found.value, next: nextIn(record.value, found.value) }) : found
}
