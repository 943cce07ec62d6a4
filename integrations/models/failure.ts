/**
 * Maps a provider's failure to a refusal, by status, headers, and the error's code and type. Must not keep any of its text,
 * which can quote the prompt, the key or an attacker (invariant 3). Called by provider-fetch.ts, streamed-model.ts,
 * model-names.ts and the adapters.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'

type Headers = Readonly<Record<string, string>>

export interface ProviderFailure {
  readonly reason: Refusal
  /** Set only for a request refused as malformed: the parameter that the provider names, if any. */
  readonly badRequest?: { readonly param: unknown }
}

/** Identifiers in the error of a provider's client; unvalidated. */
interface ErrorNames {
  readonly code?: unknown
  readonly type?: unknown
  readonly param?: unknown
}

/** A client's error reduced to its identifiers where it is caught: message, body, headers and cause are dropped. */
export class NamedError extends Error {
  readonly names: ErrorNames

  constructor({ code, type, param }: ErrorNames = {}) {
    super('the provider reported an error')
    this.names = { code, type, param }
  }
}

/** Awaits a client's module. Throws `NamedError` if it cannot be loaded, a failure of the model; the next call retries. */
export function loaded<T>(module: Promise<T>): Promise<T> {
  return module.catch(() => {
    throw new NamedError()
  })
}

const GARBLED: Refusal = { code: 'model_garbled', facts: { rule: 'shape' } }

/** `seen`: the failure that the fetch reported, if any. It takes precedence; the error's identifiers only refine it. */
export function failureOf(thrown: unknown, seen: ProviderFailure | null): ProviderFailure {
  const names = thrown instanceof NamedError ? thrown.names : null
  if (seen === null) return { reason: names === null ? GARBLED : refusalOfStream(names.code, names.type) }
  const { status } = seen.reason.facts
  // The account's quota is used up: a retry would not help.
  if (names?.code === 'insufficient_quota' && status !== undefined)
    return { ...seen, reason: { code: 'model_misconfigured', facts: { status, rule: 'quota' } } }
  return seen.badRequest === undefined ? seen : { ...seen, badRequest: { param: names?.param } }
}

/** Maximum accepted retry delay, in milliseconds. */
const MAX_AFTER = 24 * 3_600_000

const OVERLOADED: ReadonlySet<number> = new Set([425, 429, 503, 529])
const LATE: ReadonlySet<number> = new Set([408, 504])
const CONFLICT = 409

export function refusalOfStatus(status: number, headers: Headers, now: number): Refusal {
  if (OVERLOADED.has(status)) {
    const after = retryAfter(headers, now)
    return { code: 'model_overloaded', facts: after === null ? { status } : { status, after } }
  }
  if (LATE.has(status)) return { code: 'model_timeout', facts: { status } }
  const isOurs = status < 500 && status !== CONFLICT
  return { code: isOurs ? 'model_misconfigured' : 'model_failed', facts: { status } }
}

/** Retry delay in ms; null if absent. Reads `retry-after-ms`, or `retry-after` as seconds or as a date (RFC 9110 §10.2.3). */
export function retryAfter(headers: Headers, now: number): number | null {
  const exact = toNumber(headers['retry-after-ms'])
  if (exact !== null) return bounded(exact)
  const value = headers['retry-after']
  const seconds = toNumber(value)
  if (seconds !== null) return bounded(seconds * 1_000)
  const date = value?.trim().endsWith(' GMT') === true ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : bounded(date - now)
}

/** Errors within a stream that began with a success status, by the providers' names; any other is model_failed. */
const NAMED: ReadonlyMap<string, Refusal['code']> = new Map([
  ['overloaded_error', 'model_overloaded'],
  ['rate_limit_error', 'model_overloaded'],
  ['rate_limit_exceeded', 'model_overloaded'],
  ['timeout_error', 'model_timeout'],
  ['authentication_error', 'model_misconfigured'],
  ['billing_error', 'model_misconfigured'],
  ['insufficient_quota', 'model_misconfigured'],
  ['invalid_request_error', 'model_misconfigured'],
  ['not_found_error', 'model_misconfigured'],
  ['permission_error', 'model_misconfigured'],
  ['request_too_large', 'model_misconfigured'],
])

/** `names`: code and type of the error; some servers put an HTTP status there. */
function refusalOfStream(...names: readonly unknown[]): Refusal {
  for (const name of names) {
    const code = typeof name === 'string' ? NAMED.get(name) : undefined
    if (code !== undefined) return { code, facts: { rule: 'stream' } }
    if (typeof name === 'number' && name >= 400 && name < 600) return refusalOfStatus(name, {}, 0)
  }
  return { code: 'model_failed', facts: { rule: 'stream' } }
}

function toNumber(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,12}(?:\.\d{1,9})?\s*$/.test(text) ? Number(text) : null
}

function bounded(milliseconds: number): number {
  return Math.min(MAX_AFTER, Math.max(0, Math.round(milliseconds)))
}
