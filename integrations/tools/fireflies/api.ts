/**
 * Fireflies' GraphQL API (https://docs.fireflies.ai/graphql-api) over the client of one call. Queries are constants, arguments
 * are passed as variables; an answer with errors becomes a refusal by its code. Must not retry, or put Fireflies' text into a
 * reason. Called by run.ts and look.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'

const MEETING = 'id title date duration organizer_email participants transcript_url'

export const QUESTIONS = Object.freeze({
  me: 'query Me { user { email name } }',
  list: `query Meetings($keyword: String, $fromDate: DateTime, $toDate: DateTime, $limit: Int, $skip: Int) { transcripts(keyword: $keyword, fromDate: $fromDate, toDate: $toDate, limit: $limit, skip: $skip) { ${MEETING} } }`,
  one: `query Meeting($id: String!) { transcript(id: $id) { ${MEETING} speakers { name } sentences { speaker_name text } summary { overview action_items } } }`,
})

export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly call: Pick<ToolCall, 'credential' | 'http'>
}

/** https://docs.fireflies.ai/miscellaneous/error-codes. Any other code means that Fireflies does not accept the request. */
const CODES: Readonly<Record<string, ReasonCode>> = Object.freeze({
  auth_failed: 'remote_unauthorized',
  object_not_found: 'remote_not_found',
  too_many_requests: 'remote_rate_limited',
  internal_server_error: 'remote_unavailable',
})

/** Data of the answer. Refusals: those of `callJson`, and of an answer with errors. */
export async function ask(api: Api, query: string, variables: JsonRecord = {}): Promise<Result<JsonRecord>> {
  const body = { query, variables }
  const answer = await callJson(api.call, { method: 'POST', url: `${api.base}/graphql`, body })
  if (!answer.ok) return answer
  const errors = fieldOf(answer.value, 'errors')
  if (Array.isArray(errors) && errors.length > 0) return refusalOf(answer.value)
  const data = fieldOf(answer.value, 'data')
  return isPlainRecord(data) ? ok(data) : err('tool_result_invalid', { rule: 'data' })
}

function refusalOf(answer: JsonRecord): Result<never> {
  const [first = {}] = recordsOf(answer, 'errors')
  const code = stringOf(first, 'code') || stringOf(recordOf(first, 'extensions'), 'code')
  return err(Object.hasOwn(CODES, code) ? (CODES[code] ?? 'remote_rejected') : 'remote_rejected')
}
