/**
 * Computes the next request of a redirect, or refuses it. Pure: the next hop goes through `checkTarget` again. Must not send it.
 * Called by scoped-client.ts.
 */

import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { HttpRequest } from '../../kernel/tool/manifest.ts'
import { urlOf } from '../extractors/url.ts'
import { checkTarget, type HostScope, type Target } from './target.ts'

export interface Hop {
  readonly target: Target
  readonly request: Pick<HttpRequest, 'method' | 'headers'> & { readonly body?: string | Uint8Array }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const SEE_OTHER = 303
/** Reads with a body. They are repeated unchanged, and only on the same origin, because the body may contain the owner's data. */
const READS: ReadonlySet<string> = new Set(['PROPFIND', 'REPORT'])
/** Headers that may be sent to another origin; any other one could hold a credential. */
const CROSSING_HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language'])

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status)
}

/**
 * The next hop. A write is never repeated: only 303 ("read the result there") may follow one, as a GET. An exempt origin is reached
 * only from itself, so that no public page directs a request into the owner's network.
 */
export function nextHop(
  from: Hop,
  answer: { readonly status: number; readonly location: string | undefined },
  scope: HostScope,
): Result<Hop> {
  const { location, status } = answer
  const next = location === undefined ? null : urlOf(location, from.target.url)
  if (location === undefined || next === null) return err('redirect_refused', { rule: 'location' })
  const hasBody = READS.has(from.request.method)
  const isWrite = from.request.method !== 'GET' && !hasBody
  const isRead = hasBody && status !== SEE_OTHER
  if (isWrite && status !== SEE_OTHER) return err('redirect_refused', { rule: 'write' })
  // An absolute location keeps its spelling, so that user info and odd characters are detected, not normalised away.
  const checked = checkTarget(urlOf(location) === null ? next.href : location, scope)
  // The write itself was received, so a forbidden redirect target must not be reported as if nothing had been sent.
  if (!checked.ok && isWrite) return err('redirect_refused', { rule: checked.reason.code })
  if (!checked.ok) return checked
  const sameOrigin = checked.value.url.origin === from.target.url.origin
  if (checked.value.exempt && !sameOrigin) return err('redirect_refused', { rule: 'exempt_origin' })
  if (isRead) {
    if (!sameOrigin) return err('redirect_refused', { rule: 'origin' })
    return ok({ target: checked.value, request: from.request })
  }
  const headers = from.request.headers ?? {}
  return ok({
    target: checked.value,
    request: { method: 'GET', headers: sameOrigin ? headers : crossing(headers) },
  })
}

function crossing(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => CROSSING_HEADERS.has(name.toLowerCase())),
  )
}
