/**
 * Calls a JSON API with one call's credential and maps every failure to a reason code (E-06, Q-12). Must not retry, or put the
 * service's text into a reason. Called by the tools that use JSON.
 */
import { isPlainRecord } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { HttpRequest, HttpResponse, ToolCall } from '../../kernel/tool/manifest.ts'
import type { JsonRecord } from './reading.ts'

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: JsonRecord
  /** ETag: the write is refused with 412 if the resource has another version. */
  readonly ifMatch?: string
  /** The service needs no key: none is sent, even if the call has one. */
  readonly keyless?: true
  /** Further headers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A service's answer, any kind of JSON. */
export interface JsonAnswer {
  readonly json: unknown
  readonly headers: HttpResponse['headers']
}

type Caller = Pick<ToolCall, 'credential' | 'http'>

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
export async function callJson(call: Caller, request: JsonRequest): Promise<Result<JsonRecord>> {
  const answer = await callAnyJson(call, request)
  if (!answer.ok) return answer
  const { json } = answer.value
  return isPlainRecord(json) ? ok(json) : err('tool_result_invalid', { rule: 'json_record' })
}

/** As `callJson`, for a service that also answers with lists. Refusal tool_result_invalid: the answer is no JSON. */
export async function callAnyJson(call: Caller, request: JsonRequest): Promise<Result<JsonAnswer>> {
  const token = request.keyless === true ? null : call.credential
  if (token === null && request.keyless !== true) return err('credential_missing')
  const response = await call.http.request(toHttp(request, token?.value ?? null))
  if (!response.ok) return response
  const status = checkStatus(response.value)
  if (!status.ok) return status
  const json = parsed(response.value.body)
  return json.ok ? ok({ json: json.value, headers: response.value.headers }) : json
}

/** Accepts 2xx. Facts contain the status number, never the text. */
export function checkStatus({
  status,
  body,
  headers = {},
}: Pick<HttpResponse, 'status' | 'body'> & Partial<Pick<HttpResponse, 'headers'>>): Result<true> {
  if (status >= 200 && status < 300) return ok(true)
  if (status === 401) return err('remote_unauthorized', { status })
  const isTooMuch = RATE_REASON.test(body) || saysToWait(headers)
  if (status === 429 || (status === 403 && isTooMuch))
    return err('remote_rate_limited', { status, ...waitIn(headers) })
  if (status === 403 && lacksScope(body, headers)) return err('remote_scope_missing', { status })
  if (status === 404 || status === 410) return err('remote_not_found', { status })
  if (status === 408 || status >= 500) return err('remote_unavailable', { status })
  return err('remote_rejected', { status })
}

/** Whether the owner's permission does not cover this request, by RFC 6750 or in Google's form. */
function lacksScope(body: string, headers: HttpResponse['headers']): boolean {
  return (
    /\berror="?insufficient_scope\b/.test(headers['www-authenticate'] ?? '') ||
    /"(?:insufficientPermissions|ACCESS_TOKEN_SCOPE_INSUFFICIENT)"/.test(body)
  )
}

/** Whether a 403 is about the number of requests, by its headers, and not about permission. */
function saysToWait(headers: HttpResponse['headers']): boolean {
  return headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0'
}

/** Maximum wait in seconds: a longer one is an outage, which is not tracked here. */
const MAX_WAIT = 3_600

/**
 * Seconds to wait, by `Retry-After` in seconds or as a date, or by the reset time of a rate limit. Uses the service's own clock.
 */
function waitIn(headers: HttpResponse['headers']): { readonly wait?: number } {
  const now = Date.parse(headers['date'] ?? '')
  const after = headers['retry-after'] ?? ''
  const reset = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? ''
  const seconds = /^\d{1,9}$/.test(after)
    ? Number(after)
    : after !== ''
      ? (Date.parse(after) - now) / 1_000
      : /^\d{1,12}$/.test(reset)
        ? Number(reset) - now / 1_000
        : Number.NaN
  return seconds > 0 ? { wait: Math.min(Math.ceil(seconds), MAX_WAIT) } : {}
}

function toHttp(request: JsonRequest, token: string | null): HttpRequest {
  const headers = {
    accept: 'application/json',
    ...request.headers,
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
  const read = parsed(text)
  if (!read.ok) return read
  return isPlainRecord(read.value) ? ok(read.value) : err('tool_result_invalid', { rule: 'json_record' })
}

function parsed(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text) as unknown)
  } catch {
    return err('tool_result_invalid', { rule: 'json' })
  }
}
