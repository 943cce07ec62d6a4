/**
 * Oura's API v2 (https://cloud.ouraring.com/v2/docs) over the client of one call: collections of documents, page by page. Must not retry, or put Oura's text
 * into a reason. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'

export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly call: Pick<ToolCall, 'credential' | 'http'>
}

export type Collection = 'sleep' | 'daily_sleep' | 'daily_activity' | 'daily_readiness' | 'heartrate'

/** Pages of one collection: a service that names a next one for ever ends here. */
const MOST_PAGES = 20
/** UTF-16 units. */
const MOST_TOKEN = 4_000

/** Whose token it is, as Oura says it. */
export function personalInfo({ base, call }: Api): Promise<Result<JsonRecord>> {
  return callJson(call, { method: 'GET', url: `${base}/v2/usercollection/personal_info` })
}

/** Refusals: those of `callJson`; tool_result_invalid for no list of documents, or one without an end. */
export async function documentsOf(
  { base, call }: Api,
  collection: Collection,
  asked: Readonly<Record<string, string>>,
): Promise<Result<readonly JsonRecord[]>> {
  const found: JsonRecord[] = []
  let next: Readonly<Record<string, string>> = {}
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ ...asked, ...next })
    const answer = await callJson(call, {
      method: 'GET',
      url: `${base}/v2/usercollection/${collection}?${query}`,
    })
    if (!answer.ok) return answer
    if (!Array.isArray(fieldOf(answer.value, 'data'))) return err('tool_result_invalid', { rule: 'data' })
    found.push(...recordsOf(answer.value, 'data'))
    const token = stringOf(answer.value, 'next_token')
    if (token === '') return ok(found)
    if (token.length > MOST_TOKEN) return err('tool_result_invalid', { rule: 'next_token' })
    next = { next_token: token }
  }
  return err('tool_result_invalid', { rule: 'pages', max: MOST_PAGES })
}
