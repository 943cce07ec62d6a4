/**
 * Slack's Web API (https://docs.slack.dev/reference/methods) over the client of one call: reads by GET, pages by cursor. An answer that is not ok is a
 * refusal, by its code. Must not retry, wait, or put Slack's text into a reason. Called by look.ts, unanswered.ts, people.ts and run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'

export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly call: Pick<ToolCall, 'credential' | 'http'>
}

export type Query = Readonly<Record<string, string | number>>

type Method =
  | ('auth.test' | 'users.conversations' | 'users.info' | 'users.list' | 'search.messages')
  | ('conversations.list' | 'conversations.info' | 'conversations.history' | 'conversations.replies')

export interface Rows {
  readonly rows: readonly JsonRecord[]
  /** Slack has a further page. */
  readonly more: boolean
  /** Where that begins, in Slack's own words; null where nothing that can be kept says it. */
  readonly next: string | null
}

const CODES: ReadonlyMap<string, ReasonCode> = new Map<string, ReasonCode>([
  ...(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'] as const).map(
    (code) => [code, 'remote_unauthorized'] as const,
  ),
  ...(['channel_not_found', 'thread_not_found', 'message_not_found', 'user_not_found'] as const).map(
    (code) => [code, 'remote_not_found'] as const,
  ),
  ...(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'] as const).map(
    (code) => [code, 'remote_unavailable'] as const,
  ),
  ['ratelimited', 'remote_rate_limited'],
])

/** One answer. Refusals: those of `callJson`, and of an answer that is not ok. */
export async function ask(
  { base, call }: Api,
  method: Method,
  query: Query = {},
): Promise<Result<JsonRecord>> {
  const params = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const url = `${base}/api/${method}${params.size === 0 ? '' : `?${params}`}`
  const answer = await callJson(call, { method: 'GET', url })
  if (!answer.ok || fieldOf(answer.value, 'ok') === true) return answer
  if (fieldOf(answer.value, 'ok') !== false) return err('tool_result_invalid', { rule: 'ok' })
  return err(CODES.get(stringOf(answer.value, 'error')) ?? 'remote_rejected')
}

/** Opaque, and short enough to be kept. */
const CURSOR = /^[\x21-\x7e]{1,256}$/

/** The rows of a list, page after page, at most `pages` of them. */
export async function askRows(
  api: Api,
  method: Method,
  { list, pages, query }: { readonly list: string; readonly pages: number; readonly query: Query },
): Promise<Result<Rows>> {
  const rows: JsonRecord[] = []
  let cursor = ''
  for (let page = 0; page < pages; page += 1) {
    const answer = await ask(api, method, { ...query, ...(cursor !== '' && { cursor }) })
    if (!answer.ok) return answer
    if (!Array.isArray(fieldOf(answer.value, list))) return err('tool_result_invalid', { rule: 'json_list' })
    rows.push(...recordsOf(answer.value, list))
    cursor = stringOf(recordOf(answer.value, 'response_metadata'), 'next_cursor')
    if (cursor === '') return ok({ rows, more: fieldOf(answer.value, 'has_more') === true, next: null })
  }
  return ok({ rows, more: true, next: CURSOR.test(cursor) ? cursor : null })
}
