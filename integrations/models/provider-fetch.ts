/**
 * The `fetch` of a provider's client for one call, and its only network access: one origin, fixed headers, the key added here
 * and never shown to the client, one content type, limited size. Follows no redirect, retries nothing, logs nothing. Called by
 * streamed-model.ts, model-names.ts and ollama/library.ts.
 */

import type { Refusal } from '../../kernel/flow/verdict.ts'
import { urlOf } from '../extractors/url.ts'
import { USER_AGENT } from '../http/scoped-client.ts'
import { checkTarget, type Target } from '../http/target.ts'
import type { TransportResponse } from '../http/transport.ts'
import type { CallWatch } from './call-watch.ts'
import type { ModelConnection } from './connection.ts'
import { type ProviderFailure, refusalOfStatus } from './failure.ts'
import { type FrameKind, type FrameLimits, framesOf, TooLarge } from './frames.ts'

/** The part of the `fetch` interface that the clients use. */
export type ProviderFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

export interface ProviderFetchInput {
  readonly connection: ModelConnection
  readonly watch: CallWatch
  /** Null for a server that needs no key. */
  readonly key: string | null
  /**
   * Headers that the provider requires. The client's own headers are dropped: they describe the machine, or come from an
   * environment variable.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly frames: FrameKind
  readonly limits: FrameLimits
  /** Maximum silence between two chunks, in ms. */
  readonly idle: number
  /** Called before the fetch or its body throws, because clients wrap and quote errors. The first call counts. */
  readonly failed: (failure: ProviderFailure) => void
}

const CONTENT_TYPES: Readonly<Record<FrameKind, string>> = Object.freeze({
  event: 'text/event-stream',
  line: 'application/x-ndjson',
  whole: 'application/json',
})

/** Statuses that can mean a rejected parameter, without which the call is retried. */
const BAD_REQUEST: ReadonlySet<number> = new Set([400, 422])
/** Statuses whose body is passed on, because the client reads the error's code, type and parameter in it. */
const NAMES_WHY: ReadonlySet<number> = new Set([...BAD_REQUEST, 429])

/** Maximum bytes of an error's body, of which only those names are used, never the text. */
const ERROR_LIMITS: FrameLimits = { maxBytes: 16_384, maxFrame: 16_384 }

/** Returns a fetch whose errors quote nothing from the provider; the cause is passed to `failed`. */
export function createProviderFetch(input: ProviderFetchInput): ProviderFetch {
  const fail = (failure: ProviderFailure): Error => {
    input.failed(failure)
    return new Error('the provider gave no answer')
  }
  return async (url, init) => {
    const target = confined(String(url), input.connection)
    if ('code' in target) throw fail({ reason: target })
    const body = typeof init?.body === 'string' ? init.body : null
    const sent = await input.connection.transport.send({
      method: init?.method ?? 'GET',
      ...target,
      headers: {
        accept: 'application/json',
        ...(body !== null && { 'content-type': 'application/json' }),
        ...input.headers,
        ...(input.key !== null && { authorization: `Bearer ${input.key}` }),
        'user-agent': USER_AGENT,
      },
      body,
      signal: input.watch.signal,
    })
    if (!sent.ok) throw fail({ reason: unreached(sent.reason) })
    const { status } = sent.value
    const contentType = CONTENT_TYPES[input.frames]
    const failure = failureIn(sent.value, contentType)
    if (failure === null)
      return new Response(streamOf(readable(sent.value.body, input), input), {
        status,
        headers: { 'content-type': contentType },
      })
    const error = fail(failure)
    // Ollama's client logs when it reads an error body, and its errors have neither code nor type.
    if (input.frames !== 'event' || !NAMES_WHY.has(status)) throw error
    return new Response(streamOf(framesOf(sent.value.body, 'whole', ERROR_LIMITS), input), { status })
  }
}

/** A forbidden address is a wrong setting (model_misconfigured), not a failure of the provider. */
function unreached({ code }: Refusal): Refusal {
  if (code === 'network_failed') return { code: 'model_failed', facts: { rule: 'connection' } }
  return { code: 'model_misconfigured', facts: { rule: code } }
}

function confined(url: string, { baseUrl, exemptOrigins }: ModelConnection): Target | Refusal {
  const base = urlOf(baseUrl)
  const target = checkTarget(url, { hosts: base === null ? [] : [base.hostname, base.host], exemptOrigins })
  if (!target.ok) return { code: 'model_misconfigured', facts: { rule: target.reason.code } }
  if (target.value.url.origin !== base?.origin)
    return { code: 'model_misconfigured', facts: { rule: 'origin' } }
  return target.value
}

function failureIn({ status, headers }: TransportResponse, contentType: string): ProviderFailure | null {
  if (status >= 200 && status < 300) {
    if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() === contentType) return null
    return { reason: { code: 'model_garbled', facts: { rule: 'content_type' } } }
  }
  const reason = refusalOfStatus(status, headers, Date.now())
  return BAD_REQUEST.has(status) ? { reason, badRequest: { param: null } } : { reason }
}

function readable(body: TransportResponse['body'], input: ProviderFetchInput): AsyncGenerator<Uint8Array> {
  const frames = framesOf(heardFrom(body, input), input.frames, input.limits)
  return input.frames === 'line' ? linesOf(frames) : frames
}

function streamOf(
  frames: AsyncGenerator<Uint8Array>,
  { failed }: ProviderFetchInput,
): ReadableStream<Uint8Array> {
  let isLeft = false
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await frames.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        // A reader may leave before the end, which aborts the request; that is no failure.
        if (isLeft) return
        failed({ reason: broken(error) })
        controller.error(new Error('the provider gave no whole answer'))
      }
    },
    cancel: async () => {
      isLeft = true
      await frames.return(undefined)
    },
  })
}

/** A failure of a stream, identified by its rule; the provider's text is not passed on. */
class Unusable extends Error {
  readonly reason: Refusal

  constructor(code: Refusal['code'], rule: string) {
    super(rule)
    this.reason = { code, facts: { rule } }
  }
}

function broken(error: unknown): Refusal {
  if (error instanceof Unusable) return error.reason
  return error instanceof TooLarge
    ? { code: 'model_garbled', facts: { rule: 'too_large' } }
    : { code: 'model_failed', facts: { rule: 'connection' } }
}

/** Yields the JSON lines, without empty ones. Throws at an error line and at an invalid one, which the client would only log. */
async function* linesOf(frames: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const bytes of frames) {
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      if (line.trim() === '') continue
      if ('error' in parsed(line)) throw new Unusable('model_failed', 'stream')
      yield encoder.encode(`${line}\n`)
    }
  }
}

function parsed(line: string): object {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Reported below, without quoting the line.
  }
  throw new Unusable('model_garbled', 'shape')
}

/** Passes the body on; each chunk restarts the silence timer. */
async function* heardFrom(
  body: TransportResponse['body'],
  { watch, idle }: ProviderFetchInput,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    watch.silence(idle)
    yield chunk
  }
}
