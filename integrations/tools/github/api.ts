/**
 * GitHub's REST API (https://docs.github.com/rest, version 2022-11-28) over the client of one call: GET and POST, a list's next
 * page, and the meaning of its refusals. Must not retry, or put GitHub's text into a reason. Called by look.ts, ci.ts and
 * write.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import type { JsonRecord } from '../reading.ts'
import { callAnyJson, type JsonAnswer } from '../remote.ts'

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

export type Query = Readonly<Record<string, string | number>>

export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly call: ToolCall
}

export interface Page {
  readonly rows: readonly JsonRecord[]
  /** Whether GitHub has a further page. */
  readonly more: boolean
}

/** One object. Refusals: those of `callAnyJson`. */
export async function getRecord(api: Api, path: string, query: Query = {}): Promise<Result<JsonRecord>> {
  const answer = await ask(api, path, query)
  return answer.ok ? recordIn(answer.value) : answer
}

/** One page of a list; items that are no objects are left out. Refusals: as above. */
export async function getPage(api: Api, path: string, query: Query = {}): Promise<Result<Page>> {
  const answer = await ask(api, path, query)
  return answer.ok ? pageIn(answer.value, answer.value.json) : answer
}

/** One page of a list that lies in a field of an object, such as `items`. */
export async function getPageOf(
  api: Api,
  path: string,
  field: string,
  query: Query = {},
): Promise<Result<Page>> {
  const answer = await ask(api, path, query)
  if (!answer.ok) return answer
  const { json } = answer.value
  return pageIn(answer.value, isPlainRecord(json) && Object.hasOwn(json, field) ? json[field] : null)
}

export async function post({ base, call }: Api, path: string, body: JsonRecord): Promise<Result<JsonRecord>> {
  const answer = await callAnyJson(call, { method: 'POST', url: base + path, body, headers: HEADERS })
  return answer.ok ? recordIn(answer.value) : answer
}

function ask({ base, call }: Api, path: string, query: Query): Promise<Result<JsonAnswer>> {
  const params = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const url = `${base}${path}${params.size === 0 ? '' : `?${params}`}`
  return callAnyJson(call, { method: 'GET', url, headers: HEADERS })
}

function recordIn({ json }: JsonAnswer): Result<JsonRecord> {
  return isPlainRecord(json) ? ok(json) : err('tool_result_invalid', { rule: 'json_record' })
}

function pageIn({ headers }: JsonAnswer, rows: unknown): Result<Page> {
  if (!Array.isArray(rows)) return err('tool_result_invalid', { rule: 'json_list' })
  return ok({ rows: rows.filter(isPlainRecord), more: /\brel="?next"?/.test(headers['link'] ?? '') })
}
