/**
 * Client of Cloudflare's API v4 (https://developers.cloudflare.com/api), and of its GraphQL API for figures, over the HTTP client
 * of one call: envelopes, pages, refusals. Must not retry, or put Cloudflare's text into a reason. Called by the reads and writes
 * of this folder.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, nextPart, recordOf, recordsOf } from '../reading.ts'
import { callJson, type JsonRequest } from '../remote.ts'

export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly call: Pick<ToolCall, 'credential' | 'http'>
}

export type Query = Readonly<Record<string, string | number>>

export interface Rows {
  readonly rows: readonly JsonRecord[]
  readonly more: boolean
}

export interface PartOfRows extends Rows {
  /** Number of the next part, if there is one. */
  readonly next?: number
}

const PAGE_ROWS = 50
const MAX_PAGES = 2

export async function getRecord(api: Api, path: string): Promise<Result<JsonRecord>> {
  const answer = await ask(api, path, {})
  if (!answer.ok) return answer
  const result = fieldOf(answer.value, 'result')
  return isPlainRecord(result) ? ok(result) : err('tool_result_invalid', { rule: 'json_record' })
}

/** Part of a list, counted from 1, page after page; omits items that are no objects. */
export async function getRows(
  api: Api,
  path: string,
  query: Query = {},
  part = 1,
): Promise<Result<PartOfRows>> {
  const rows: JsonRecord[] = []
  const before = (part - 1) * MAX_PAGES
  for (let page = before + 1; page <= before + MAX_PAGES; page += 1) {
    const answer = await ask(api, path, { ...query, page, per_page: PAGE_ROWS })
    if (!answer.ok) return answer
    const result = fieldOf(answer.value, 'result')
    if (!Array.isArray(result)) return err('tool_result_invalid', { rule: 'json_list' })
    rows.push(...result.filter(isPlainRecord))
    const pages = fieldOf(recordOf(answer.value, 'result_info'), 'total_pages')
    if (typeof pages !== 'number' || page >= pages) return ok({ rows, more: false })
  }
  return ok({ rows, more: true, ...nextPart(part, true) })
}

/** A list that Cloudflare returns whole, without pages. */
export async function getAll(
  api: Api,
  path: string,
  query: Query = {},
): Promise<Result<readonly JsonRecord[]>> {
  const answer = await ask(api, path, query)
  if (!answer.ok) return answer
  return Array.isArray(fieldOf(answer.value, 'result'))
    ? ok(recordsOf(answer.value, 'result'))
    : err('tool_result_invalid', { rule: 'json_list' })
}

export function patch(api: Api, path: string, body: JsonRecord): Promise<Result<JsonRecord>> {
  return write(api, { method: 'PATCH', path, body })
}

export function post(api: Api, path: string, body: JsonRecord): Promise<Result<JsonRecord>> {
  return write(api, { method: 'POST', path, body })
}

export function remove(api: Api, path: string): Promise<Result<JsonRecord>> {
  return write(api, { method: 'DELETE', path })
}

async function write(
  { base, call }: Api,
  { path, ...request }: Pick<JsonRequest, 'method' | 'body'> & { readonly path: string },
): Promise<Result<JsonRecord>> {
  const answer = await callJson(call, { ...request, url: base + path })
  const read = answer.ok ? successOf(answer.value) : answer
  return read.ok ? ok(recordOf(read.value, 'result')) : read
}

/** Refusals: those of `callJson`, and remote_rejected for an answer with errors. */
export async function graphql(
  { base, call }: Api,
  query: string,
  variables: JsonRecord,
): Promise<Result<JsonRecord>> {
  const body = { query, variables }
  const answer = await callJson(call, { method: 'POST', url: `${base}/graphql`, body })
  if (!answer.ok) return answer
  const errors = fieldOf(answer.value, 'errors')
  if (Array.isArray(errors) && errors.length > 0) return err('remote_rejected', { rule: 'graphql' })
  const data = fieldOf(answer.value, 'data')
  return isPlainRecord(data) ? ok(data) : err('tool_result_invalid', { rule: 'data' })
}

async function ask({ base, call }: Api, path: string, query: Query): Promise<Result<JsonRecord>> {
  const params = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const url = `${base}${path}${params.size === 0 ? '' : `?${params}`}`
  const answer = await callJson(call, { method: 'GET', url })
  return answer.ok ? successOf(answer.value) : answer
}

function successOf(answer: JsonRecord): Result<JsonRecord> {
  const success = fieldOf(answer, 'success')
  if (success === true) return ok(answer)
  return success === false ? err('remote_rejected') : err('tool_result_invalid', { rule: 'success' })
}
