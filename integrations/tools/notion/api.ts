/**
 * Notion's REST API (https://developers.notion.com/reference/versioning, version 2026-03-11, the newest that is stable) over the client of one call: one
 * object, one page of a list. Must not retry, or put Notion's text into a reason. Called by the reads and writes of this folder.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'

export const HEADERS = Object.freeze({ 'notion-version': '2026-03-11' })

export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly call: ToolCall
}

export interface Page {
  readonly rows: readonly JsonRecord[]
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null
  /** Whether there is a next page, even if its cursor is unknown. */
  readonly more: boolean
}

/**
 * Notion's cursors are opaque; a longer text, or one with other characters, is invalid. With a number after it, it is a place
 * within a page.
 */
const CURSOR = /^[\x21-\x7e]{1,240}$/

/** One object. Refusals: those of `callJson`. */
export function getRecord(api: Api, path: string): Promise<Result<JsonRecord>> {
  return callJson(api.call, { method: 'GET', url: api.base + path, headers: HEADERS })
}

/** One page of the blocks of a page or block. */
export async function getBlocks(
  api: Api,
  id: string,
  size: number,
  from: string | null,
): Promise<Result<Page>> {
  const query = new URLSearchParams({ page_size: String(size), ...(from !== null && { start_cursor: from }) })
  return pageIn(await getRecord(api, `/v1/blocks/${id}/children?${query}`))
}

/** One page of the open comments on a page, oldest first. */
export async function getComments(
  api: Api,
  id: string,
  size: number,
  from: string | null,
): Promise<Result<Page>> {
  const query = new URLSearchParams({
    ...{ block_id: id, page_size: String(size) },
    ...(from !== null && { start_cursor: from }),
  })
  return pageIn(await getRecord(api, `/v1/comments?${query}`))
}

/** One page of the results of a search or a query. */
export async function postForPage(api: Api, path: string, body: JsonRecord): Promise<Result<Page>> {
  return pageIn(await send(api, 'POST', path, body))
}

export function send(
  api: Api,
  method: 'POST' | 'PATCH',
  path: string,
  body: JsonRecord,
): Promise<Result<JsonRecord>> {
  return callJson(api.call, { method, url: api.base + path, body, headers: HEADERS })
}

function pageIn(answer: Result<JsonRecord>): Result<Page> {
  if (!answer.ok) return answer
  if (!Array.isArray(fieldOf(answer.value, 'results')))
    return err('tool_result_invalid', { rule: 'json_list' })
  const cursor = stringOf(answer.value, 'next_cursor')
  const more = fieldOf(answer.value, 'has_more') === true
  const next = more && CURSOR.test(cursor) ? cursor : null
  return ok({ rows: recordsOf(answer.value, 'results'), next, more })
}
