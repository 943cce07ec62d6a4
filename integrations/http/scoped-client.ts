/**
 * HTTP client for one tool: only its declared hosts, every hop checked, bounded in bytes and time (I-04 – I-06, R-27). Must not
 * log, keep cookies, retry, or put a URL in a refusal. Called by integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { HttpRequest, HttpResponse, ScopedHttp } from '../../kernel/tool/manifest.ts'
import { decodeBody, readBytes } from './body.ts'
import { type Hop, isRedirect, nextHop } from './redirect.ts'
import { checkTarget, type HostScope } from './target.ts'
import type { Transport, TransportResponse } from './transport.ts'
import { endAfter } from './waking-timer.ts'

export interface HttpLimits {
  /** Most decoded bytes of a body: an endless or decompression-bomb response is cut here. */
  readonly maxBytes: number
  /** Milliseconds awake for all hops and the body together: a slow server cannot hold up a task. */
  readonly timeoutMs: number
  /** Most redirects followed: a loop ends here. */
  readonly maxRedirects: number
}

export const HTTP_LIMITS: HttpLimits = Object.freeze({
  maxBytes: 5_000_000,
  timeoutMs: 15_000,
  maxRedirects: 5,
})

/** Names the client, and nothing about the owner's machine. */
export const USER_AGENT = 'pfar/0.1'

/** Most response headers, by count and UTF-16 units: a tool needs few, and a flood of them is an attack on memory. */
const MAX_HEADERS = { count: 100, chars: 32_000 } as const
const HEADER_NAME = /^[A-Za-z0-9-]{1,64}$/
const HEADER_VALUE = /^[\t\x20-\x7e]{0,8192}$/
/** Framing and connection headers are set by the transport. */
const RESERVED_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|te|upgrade|expect|cookie|user-agent|proxy-.*|sec-.*)$/i

export interface ScopedHttpOptions extends HostScope {
  readonly transport: Transport
  readonly limits?: Partial<HttpLimits>
  /** Follows redirects only on the same origin, including port and scheme. */
  readonly sameHost?: boolean
  /** The caller's own deadline: aborts the running request and refuses later ones. */
  readonly signal?: AbortSignal
}

export function createScopedHttp(options: ScopedHttpOptions): ScopedHttp {
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits }
  return Object.freeze({
    request: (request: HttpRequest) => runBounded(options, limits, { request, read: readResponse }),
  })
}

/** The undecoded response body. */
export interface HttpBytes {
  readonly status: number
  readonly bytes: Uint8Array
}

/** A request whose body may be binary. */
export type BytesRequest = Omit<HttpRequest, 'body'> & { readonly body?: string | Uint8Array }

/** The same client for binary bodies; refusals as for `ScopedHttp`. */
export function requestBytes(options: ScopedHttpOptions, request: BytesRequest): Promise<Result<HttpBytes>> {
  const limits: HttpLimits = { ...HTTP_LIMITS, ...options.limits }
  return runBounded(options, limits, { request, read: bytesOf })
}

type Read<T> = (response: TransportResponse, hop: Hop, limits: HttpLimits) => Promise<Result<T>>

interface Call<T> {
  readonly request: BytesRequest
  readonly read: Read<T>
}

/** State of a call when it ends. */
interface Progress {
  /** Whether every body was read to its end, so that no connection is left open. */
  isRead: boolean
}

async function runBounded<T>(
  options: ScopedHttpOptions,
  limits: HttpLimits,
  call: Call<T>,
): Promise<Result<T>> {
  const abort = new AbortController()
  const late = err('response_timeout', { max: limits.timeoutMs })
  if (options.signal?.aborted === true) return late
  let [cancel, stop] = [(): void => undefined, (): void => undefined]
  const deadline = new Promise<Result<T>>((resolve) => {
    stop = () => resolve(late)
    cancel = endAfter(limits.timeoutMs, stop)
    options.signal?.addEventListener('abort', stop)
  })
  const progress: Progress = { isRead: false }
  try {
    return await Promise.race([
      follow(options, limits, { ...call, signal: abort.signal, progress }),
      deadline,
    ])
  } catch {
    // A network error's text can quote the URL, so it is dropped. The request had been sent by then, so it may have had its
    // effect.
    return err('network_failed', { sent: 'perhaps' })
  } finally {
    cancel()
    options.signal?.removeEventListener('abort', stop)
    // Also closes the unread bodies of redirects. Each abort creates an error with a stack, so it happens only if needed.
    if (!progress.isRead) abort.abort()
  }
}

async function follow<T>(
  options: ScopedHttpOptions,
  limits: HttpLimits,
  call: Call<T> & { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<Result<T>> {
  const start = firstHop(call.request, options)
  if (!start.ok) return start
  let hop = start.value
  for (let redirects = 0; redirects <= limits.maxRedirects; redirects += 1) {
    const sent = await options.transport.send(toTransport(hop, call.signal))
    if (!sent.ok) return sent
    if (!isRedirect(sent.value.status)) {
      const answer = await call.read(sent.value, hop, limits)
      call.progress.isRead = answer.ok && redirects === 0
      return answer
    }
    const { status, headers } = sent.value
    const next = nextHop(hop, { status, location: headers['location'] }, options)
    if (!next.ok) return next
    if (options.sameHost === true && next.value.target.url.origin !== hop.target.url.origin)
      return err('redirect_refused', { rule: 'host' })
    hop = next.value
  }
  return err('redirect_refused', { rule: 'too_many', max: limits.maxRedirects })
}

function firstHop(request: BytesRequest, scope: HostScope): Result<Hop> {
  const headers = request.headers ?? {}
  const lawful = Object.entries(headers).every(
    ([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value) && !RESERVED_HEADERS.test(name),
  )
  if (!lawful) return err('network_failed', { rule: 'request_header' })
  const target = checkTarget(request.url, scope)
  return target.ok ? ok({ target: target.value, request }) : target
}

function toTransport({ target, request }: Hop, signal: AbortSignal) {
  const headers = { ...request.headers, 'user-agent': USER_AGENT }
  const { url, exempt } = target
  return { method: request.method, url, headers, body: request.body ?? null, exempt, signal }
}

async function readResponse(
  response: TransportResponse,
  hop: Hop,
  limits: HttpLimits,
): Promise<Result<HttpResponse>> {
  const headers = boundedHeaders(response.headers)
  if (headers === null) return err('response_too_large', { rule: 'headers' })
  const bytes = await readBytes(response.body, limits.maxBytes)
  if (!bytes.ok) return bytes
  const body = decodeBody(bytes.value, headers['content-type'] ?? '')
  return ok({ status: response.status, headers, body, url: hop.target.url.href })
}

async function bytesOf(
  { status, headers, body }: TransportResponse,
  _hop: Hop,
  { maxBytes }: HttpLimits,
): Promise<Result<HttpBytes>> {
  // A declared length over the limit is not read at all; an understated one ends at the limit.
  if (Number(headers['content-length'] ?? 0) > maxBytes) return err('response_too_large', { max: maxBytes })
  const bytes = await readBytes(body, maxBytes)
  return bytes.ok ? ok({ status, bytes: bytes.value }) : bytes
}

/** Null when there are too many. Cookies are dropped: a tool has no session but its credential. */
function boundedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> | null {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('set-cookie'))
  const chars = kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return kept.length > MAX_HEADERS.count || chars > MAX_HEADERS.chars ? null : Object.fromEntries(kept)
}
