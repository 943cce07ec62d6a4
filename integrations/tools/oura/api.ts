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

/** Maximum number of pages of one collection: stops a service that always names a next one. */
const MOST_PAGES = 20
/**
 * Maximum number of records of one collection in one round of 28 days: dozens a day, and for heart rates one a minute. More
 * cannot be one person's data, and would fill home's memory.
 */
const MOST_RECORDS = { heartrate: 40_320, others: 2_000 } as const
/** UTF-16 units. */
const MOST_TOKEN = 4_000

/** The token's owner, as Oura reports it. */
export function personalInfo({ base, call }: Api): Promise<Result<JsonRecord>> {
  return callJson(call, { method: 'GET', url: `${base}/v2/usercollection/personal_info` })
}

/**
 * Refusals: those of `callJson`; tool_result_invalid for an answer that is no list of documents, has no end, or has too many
 * records.
 */
export async function documentsOf(
  { base, call }: Api,
  collection: Collection,
  asked: Readonly<Record<string, string>>,
): Promise<Result<readonly JsonRecord[]>> {
  const most = collection === 'heartrate' ? MOST_RECORDS.heartrate : MOST_RECORDS.others
  const found: JsonRecord[] = []
  let next: Readonly<Record<string, string>> = {}
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ ...asked, ...next })
    const answer = await callJson(call, {
      method: 'GET',
      url: `${base}/v2/usercollection/${collection}?${query}`,
    })
    if (!answer.ok) return answer
    const data = fieldOf(answer.value, 'data')
    if (!Array.isArray(data)) return err('tool_result_invalid', { rule: 'data' })
    if (found.length + data.length > most) return err('tool_result_invalid', { rule: 'records', max: most })
    for (const record of recordsOf(answer.value, 'data')) found.push(record)
    const token = stringOf(answer.value, 'next_token')
    if (token === '') return ok(found)
    if (token.length > MOST_TOKEN) return err('tool_result_invalid', { rule: 'next_token' })
    next = { next_token: token }
  }
  return err('tool_result_invalid', { rule: 'pages', max: MOST_PAGES })
}
