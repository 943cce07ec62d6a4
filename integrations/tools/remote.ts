/**
 * Calls a JSON API with one call's credential and maps every failure to a reason code (E-06, Q-12). Must not retry, or put the
 * service's text into a reason. Called by the tools that use JSON.
 */
import { isPlainRecord } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { HttpRequest, HttpResponse, ToolCall } from '../../kernel/tool/manifest.ts'
import type { JsonRecord } from './reading.ts'

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly url: string
  readonly body?: JsonRecord
  /** The write is refused with 412 if the resource has another version by now. */
  readonly ifMatch?: string
  /** The service needs no key: none is sent, even if the call has one. */
  readonly keyless?: true
}

/** Failures that leave unknown whether a write arrived. */
export const UNCLEAR: ReadonlySet<string> = new Set([
  'network_failed',
  'response_timeout',
  'response_too_large',
  'remote_unavailable',
  'tool_result_invalid',
])

/** Google's rate-limit reasons within a 403. */
const RATE_REASON = /"(?:rateLimitExceeded|userRateLimitExceeded|quotaExceeded|dailyLimitExceeded)"/

/**
 * Refusals: those of `ScopedHttp` and `checkStatus`, credential_missing, and tool_result_invalid for anything but a JSON
 * record.
 */
export async function callJson(call: ToolCall, request: JsonRequest): Promise<Result<JsonRecord>> {
  const token = request.keyless === true ? null : call.credential
  if (token === null && request.keyless !== true) return err('credential_missing')
  const response = await call.http.request(toHttp(request, token?.value ?? null))
  if (!response.ok) return response
  const status = checkStatus(response.value)
  return status.ok ? parseRecord(response.value.body) : status
}

/** Accepts 2xx. Facts contain the status number, never the text. */
export function checkStatus({ status, body }: Pick<HttpResponse, 'status' | 'body'>): Result<true> {
  if (status >= 200 && status < 300) return ok(true)
  if (status === 401) return err('remote_unauthorized', { status })
  if (status === 403 && RATE_REASON.test(body)) return err('remote_rate_limited', { status })
  if (status === 404 || status === 410) return err('remote_not_found', { status })
  if (status === 429) return err('remote_rate_limited', { status })
  if (status === 408 || status >= 500) return err('remote_unavailable', { status })
  return err('remote_rejected', { status })
}

function toHttp(request: JsonRequest, token: string | null): HttpRequest {
  const headers = {
    accept: 'application/json',
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(request.ifMatch !== undefined && { 'if-match': request.ifMatch }),
  }
  if (request.body === undefined) return { method: request.method, url: request.url, headers }
  const body = JSON.stringify(request.body)
  return {
    method: request.method,
    url: request.url,
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  }
}

/** Refusal: tool_result_invalid for anything but a JSON record. */
export function parseRecord(text: string): Result<JsonRecord> {
  try {
    const parsed: unknown = JSON.parse(text)
    return isPlainRecord(parsed) ? ok(parsed) : err('tool_result_invalid', { rule: 'json_record' })
  } catch {
    return err('tool_result_invalid', { rule: 'json' })
  }
}
