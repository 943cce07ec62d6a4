/**
 * Converts the answers of search engines to the declared results, in the engine's order, without advertisements. Titles and excerpts are
 * outside text; an address is no authority. Pure; must not send requests. Called by engines.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { cleanLine, toDate, toLink } from '../../extractors/page-clean.ts'
import type { PageRows, RowClasses } from '../../extractors/page-rows.ts'
import { urlOf } from '../../extractors/url.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { SEARCH_LIMITS } from './engines.ts'

export interface SearchResult {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly date?: string
}

interface Found {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly date?: string
}

/** Class names of DuckDuckGo's page; the marks tell a page without results, and a puzzle that programs are shown, from one that has changed. */
export const DUCKDUCKGO_ROWS: RowClasses = Object.freeze({
  ...{ row: 'result', title: 'result__a', text: 'result__snippet', skip: 'result--ad' },
  marks: ['anomaly-modal', 'no-results', 'result--no-result'],
})

/** Refusals: remote_blocked for the puzzle, tool_result_invalid for a page of another form: neither is "nothing found". */
export function duckduckgoResults({ rows, marks }: PageRows): Result<readonly SearchResult[]> {
  const found = rows.flatMap(({ href, title, text }) => {
    const url = unwrapped(href)
    return url === null ? [] : [{ url, title, text }]
  })
  if (found.length > 0) return ok(resultsOf(found))
  if (marks.includes('anomaly-modal')) return err('remote_blocked')
  return marks.length > 0 ? ok([]) : err('tool_result_invalid', { rule: 'results' })
}

const DUCKDUCKGO_HOST = /^(?:[a-z0-9-]+\.)*duckduckgo\.com$/

/** The address within `//duckduckgo.com/l/?uddg=…`; null for other links to DuckDuckGo itself, which are advertisements. */
function unwrapped(href: string): string | null {
  const url = urlOf(href, 'https://html.duckduckgo.com')
  if (url === null || !DUCKDUCKGO_HOST.test(url.hostname)) return url === null ? null : href
  const inner = url.pathname === '/l/' ? urlOf(url.searchParams.get('uddg') ?? '') : null
  return inner === null || DUCKDUCKGO_HOST.test(inner.hostname) ? null : inner.href
}

export function searxngResults(answer: JsonRecord): Result<readonly SearchResult[]> {
  if (!Array.isArray(fieldOf(answer, 'results'))) return err('tool_result_invalid', { rule: 'results' })
  const found = recordsOf(answer, 'results').map((result) => ({
    url: stringOf(result, 'url'),
    title: stringOf(result, 'title'),
    text: stringOf(result, 'content'),
    date: stringOf(result, 'publishedDate'),
  }))
  // Engines behind it may all have failed: then nothing was searched.
  const failed = fieldOf(answer, 'unresponsive_engines')
  if (found.length === 0 && Array.isArray(failed) && failed.length > 0) return err('remote_unavailable')
  return ok(resultsOf(found))
}

/** `web` is absent where nothing was found. */
export function braveResults(answer: JsonRecord): Result<readonly SearchResult[]> {
  if (stringOf(answer, 'type') !== 'search') return err('tool_result_invalid', { rule: 'results' })
  const found = recordsOf(recordOf(answer, 'web'), 'results').map((result) => ({
    url: stringOf(result, 'url'),
    title: withoutTags(stringOf(result, 'title')),
    text: withoutTags(stringOf(result, 'description')),
    date: stringOf(result, 'page_age'),
  }))
  return ok(resultsOf(found))
}

/** `t` 0 is a result; others are related searches. */
export function kagiResults(answer: JsonRecord): Result<readonly SearchResult[]> {
  if (!Array.isArray(fieldOf(answer, 'data'))) return err('tool_result_invalid', { rule: 'results' })
  const found = recordsOf(answer, 'data')
    .filter((result) => fieldOf(result, 't') === 0)
    .map((result) => ({
      url: stringOf(result, 'url'),
      title: stringOf(result, 'title'),
      text: withoutTags(stringOf(result, 'snippet')),
      date: stringOf(result, 'published'),
    }))
  return ok(resultsOf(found))
}

function resultsOf(found: readonly Found[]): readonly SearchResult[] {
  const results = new Map<string, SearchResult>()
  for (const { url, title, text, date = '' } of found) {
    const link = toLink(url)
    if (link === null || results.has(link) || results.size >= SEARCH_LIMITS.page) continue
    const day = toDate(date) ?? toDate(date.slice(0, 'YYYY-MM-DD'.length))
    results.set(link, {
      url: link,
      title: cleanLine(title, SEARCH_LIMITS.title),
      text: cleanLine(text, SEARCH_LIMITS.text),
      ...(day !== null && { date: day }),
    })
  }
  return [...results.values()]
}

/** Words that were found are marked by tags, and some signs are written as references. */
function withoutTags(text: string): string {
  return text
    .slice(0, SEARCH_LIMITS.text * 4)
    .replace(/<\/?(?:strong|b|em)>/gi, '')
    .replace(/&(amp|lt|gt|quot|#x27|#39);/gi, (_, name: string) => SIGNS[name.toLowerCase()] ?? '')
}

const SIGNS: Readonly<Record<string, string>> = Object.freeze({
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" },
})
