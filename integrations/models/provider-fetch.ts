/**
 * The fetch that a provider's library is given, for one call: confined to one origin, with the headers of a short list, the
 * key added last and known to no library, answers of one content type and a bounded size. Follows no redirect, repeats
 * nothing, logs nothing. Called by streamed-model.ts and by the list of a local server's models.
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

/** What the libraries use of `fetch`. */
export type ProviderFetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>

export interface ProviderFetchInput {
  readonly connection: ModelConnection
  readonly watch: CallWatch
  /** The header that carries the key. */
  readonly auth: Readonly<Record<string, string>>
  readonly contentType: string
  readonly frames: FrameKind
  readonly limits: FrameLimits
  /** Milliseconds between two bytes. */
  readonly idle: number
  /** Told before the fetch throws, or its body does: libraries wrap and quote what they catch. */
  readonly failed: (failure: ProviderFailure) => void
}

export interface ProviderFailure {
  readonly reason: Refusal
  /** Of an answer with status 400 alone: the parameter that the provider names, if it does. */
  readonly badRequest?: { readonly param: string }
}

/** What a library may say of itself; what it adds of the machine, the system and its version stays here. */
const SENT_HEADERS: ReadonlySet<string> = new Set(['accept', 'anthropic-version', 'content-type'])

/** A request that was bad in something that may be left out. */
const BAD_REQUEST: ReadonlySet<number> = new Set([400, 422])
/** Whose body says something that the status does not. */
const NAMES_WHY: ReadonlySet<number> = new Set([...BAD_REQUEST, 429])
const NOTHING_NAMED = Object.freeze({ param: '', code: '' })

/** Bytes of an error's body: its code is wanted, never its text. */
const MAX_ERROR_BYTES = 16_384
/** Longest name of a parameter that is looked at. */
const MAX_PARAM = 60

/** A fetch that throws nothing of the provider's: why it failed was told to `failed`. */
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

/** A provider at an address that may not be asked is a setting to be repaired, and nothing that failed. */
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

/** The two names in an error's body that something is decided by; empty where there are none. */
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
        // Who has read enough closes the connection, and that is no failure.
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

/** Names what is wrong with a stream; its own text never leaves. */
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

/** Lines of JSON that report no error: the library would print a line that is none, an empty one too, and leave it out. */
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
    // Said below, in words that quote nothing.
  }
  throw new Unusable('model_garbled', 'shape')
}

/** Each byte is a sign of life. */
async function* heardFrom(
  body: TransportResponse['body'],
  { watch, idle }: ProviderFetchInput,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    watch.silence(idle)
    yield chunk
  }
}
