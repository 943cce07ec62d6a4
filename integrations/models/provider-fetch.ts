/**
 * The `fetch` given to a provider's library for one call: one origin, an allowlist of headers, the key added last and never seen by
 * the library, one content type, a bounded size. Follows no redirect, retries nothing, logs nothing. Called by streamed-model.ts
 * and by ollama/library.ts.
 */
import type { Refusal } from '../../kernel/flow/verdict.ts'
import { readBytes } from '../http/body.ts'
import { USER_AGENT } from '../http/scoped-client.ts'
import { checkTarget, type Target } from '../http/target.ts'
import type { TransportResponse } from '../http/transport.ts'
import type { CallWatch } from './call-watch.ts'
import type { ModelConnection } from './connection.ts'
import { refusalOfStatus } from './failure.ts'
import { type FrameKind, type FrameLimits, framesOf, TooLarge } from './frames.ts'

/** The part of `fetch` that the libraries use. */
export type ProviderFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

export interface ProviderFetchInput {
  readonly connection: ModelConnection
  readonly watch: CallWatch
  /** Header with the key. */
  readonly auth: Readonly<Record<string, string>>
  readonly contentType: string
  readonly frames: FrameKind
  readonly limits: FrameLimits
  /** Longest silence between two bytes, milliseconds. */
  readonly idle: number
  /** Called before the fetch or its body throws, because libraries wrap and quote errors. */
  readonly failed: (failure: ProviderFailure) => void
}

export interface ProviderFailure {
  readonly reason: Refusal
  /** Only for a 400 answer: the parameter that the provider names, if any. */
  readonly badRequest?: { readonly param: string }
}

/** Headers a library may send; those that describe the machine, the system and the library's version are dropped. */
const SENT_HEADERS: ReadonlySet<string> = new Set(['accept', 'anthropic-version', 'content-type'])

/** Statuses of a request with a parameter that may be left out. */
const BAD_REQUEST: ReadonlySet<number> = new Set([400, 422])
/** Statuses whose body says more than the status. */
const NAMES_WHY: ReadonlySet<number> = new Set([...BAD_REQUEST, 429])
const NOTHING_NAMED = Object.freeze({ param: '', code: '' })

/** Bytes of an error's body: only its code is used, never its text. */
const MAX_ERROR_BYTES = 16_384
/** Longest accepted name of a parameter. */
const MAX_PARAM = 60

/** A fetch whose errors quote nothing of the provider: the cause goes to `failed`. */
export function createProviderFetch(input: ProviderFetchInput): ProviderFetch {
  const fail = (failure: ProviderFailure): Error => {
    input.failed(failure)
    return new Error('the provider gave no answer')
  }
  return async (url, init) => {
    const target = confined(String(url), input.connection)
    if ('code' in target) throw fail({ reason: target })
    const sent = await input.connection.transport.send({
      method: init?.method ?? 'GET',
      ...target,
      headers: { ...lawful(init?.headers), ...input.auth, 'user-agent': USER_AGENT },
      body: typeof init?.body === 'string' ? init.body : null,
      signal: input.watch.signal,
    })
    if (!sent.ok) throw fail({ reason: unreached(sent.reason) })
    const failure = await failureIn(sent.value, input.contentType)
    if (failure !== null) throw fail(failure)
    const { status } = sent.value
    return new Response(streamOf(sent.value.body, input), {
      status,
      headers: { 'content-type': input.contentType },
    })
  }
}

/** An address that may not be requested is a wrong setting, not a failure of the provider. */
function unreached({ code }: Refusal): Refusal {
  if (code === 'network_failed') return { code: 'model_failed', facts: { rule: 'connection' } }
  return { code: 'model_misconfigured', facts: { rule: code } }
}

function confined(url: string, { baseUrl, exemptOrigins }: ModelConnection): Target | Refusal {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const target = checkTarget(url, { hosts: base === null ? [] : [base.hostname, base.host], exemptOrigins })
  if (!target.ok) return { code: 'model_misconfigured', facts: { rule: target.reason.code } }
  if (target.value.url.origin !== base?.origin)
    return { code: 'model_misconfigured', facts: { rule: 'origin' } }
  return target.value
}

function lawful(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries([...new Headers(headers)].filter(([name]) => SENT_HEADERS.has(name)))
}

async function failureIn(response: TransportResponse, contentType: string): Promise<ProviderFailure | null> {
  const { status, headers } = response
  if (status >= 200 && status < 300) {
    if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() === contentType) return null
    return { reason: { code: 'model_garbled', facts: { rule: 'content_type' } } }
  }
  const { param, code } = NAMES_WHY.has(status) ? await errorNames(response) : NOTHING_NAMED
  const reason = refusalOfStatus(status, headers, Date.now(), code === 'insufficient_quota')
  return BAD_REQUEST.has(status) ? { reason, badRequest: { param } } : { reason }
}

/** The two names in an error's body that matter here; empty where absent. */
async function errorNames({ body }: TransportResponse): Promise<{ param: string; code: string }> {
  try {
    const bytes = await readBytes(body, MAX_ERROR_BYTES)
    const said: unknown = bytes.ok ? JSON.parse(new TextDecoder().decode(bytes.value)) : null
    const error = inside(said, 'error')
    return { param: nameIn(error, 'param'), code: nameIn(error, 'code') }
  } catch {
    return NOTHING_NAMED
  }
}

function inside(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

function nameIn(error: unknown, name: string): string {
  const found = inside(error, name)
  return typeof found === 'string' && found.length <= MAX_PARAM ? found : ''
}

function streamOf(body: TransportResponse['body'], input: ProviderFetchInput): ReadableStream<Uint8Array> {
  const whole = framesOf(heardFrom(body, input), input.frames, input.limits)
  const frames = input.frames === 'line' ? readable(whole) : whole
  let isLeft = false
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await frames.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        // A reader that has enough closes the connection, which is no failure.
        if (isLeft) return
        input.failed({ reason: broken(error) })
        controller.error(new Error('the provider gave no whole answer'))
      }
    },
    cancel: async () => {
      isLeft = true
      await frames.return(undefined)
    },
  })
}

/** A fault of a stream, by rule; its text is not passed on. */
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

/** Passes on JSON lines that report no error: the library would print and skip an invalid line, even an empty one. */
async function* readable(frames: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const bytes of frames) {
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      if (line.trim() === '') continue
      if (inside(parsed(line), 'error') !== undefined) throw new Unusable('model_failed', 'stream')
      yield encoder.encode(`${line}\n`)
    }
  }
}

function parsed(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Reported below, without quoting anything.
  }
  throw new Unusable('model_garbled', 'shape')
}

/** Each byte restarts the silence timer. */
async function* heardFrom(
  body: TransportResponse['body'],
  { watch, idle }: ProviderFetchInput,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    watch.silence(idle)
    yield chunk
  }
}
