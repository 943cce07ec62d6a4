/**
 * The network port of a tool: one method, limited to the hosts of its manifest (I-04 – I-06). The implementation checks every
 * redirect hop again. Called by tools; built by each place.
 */
import type { Result } from '../flow/verdict.ts'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded text, at most the client's size limit. */
  readonly body: string
  /** After redirects. */
  readonly url: string
}

/** Refusals: host_not_allowed, scheme_not_allowed, address_private, url_malformed, redirect_refused, response_too_large, response_timeout, network_failed. */
export interface ScopedHttp {
  request(request: HttpRequest): Promise<Result<HttpResponse>>
}
