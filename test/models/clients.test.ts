/**
 * The scoped fetch is the only way out below the three clients (DESIGN §9): every request passes it once, whatever comes back; no
 * client asks again, follows a redirect, prints or opens a connection; the key is added behind it. The clients are the real ones,
 * watched from both sides; there is no network.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TransportRequest, TransportResponse } from '../../integrations/http/transport.ts'
import { createAnthropicModel } from '../../integrations/models/anthropic/model.ts'
import { createOllamaModel } from '../../integrations/models/ollama/model.ts'
import { createOpenAiModel } from '../../integrations/models/openai/model.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { promptFor } from './prompts.ts'
import { KEY, type Service, VOICES } from './voices.ts'

const ORIGIN = 'http://127.0.0.1:4100'
const MAKERS = { anthropic: createAnthropicModel, openai: createOpenAiModel, ollama: createOllamaModel }
const READER = { id: 'watched', locality: 'home', level: 'regulated', compartments: 'all' } as const
/** A name for which Anthropic's `messages.create` prints a warning. */
const SETTINGS = { reader: READER, model: 'claude-3-opus-20240229', window: 8_192 }
const LIMITS = { maxTokens: 100, timeout: 20_000 }
const PRINTERS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

type Asked = readonly [url: string, init: RequestInit | undefined]

/** What each client was made with, and what it asked its fetch for. */
const made = vi.hoisted(() => ({ clients: [] as object[], asked: [] as Asked[] }))

interface Options {
  readonly fetch: typeof fetch
}

/** Replaces a client's class by itself with a watched fetch. */
const watched = vi.hoisted(() => <T extends new (options: never) => object>(client: T): T => {
  const Client = client as unknown as new (options: Options) => object
  return class extends Client {
    constructor(options: Options) {
      super({
        ...options,
        fetch: (url, init) => {
          made.asked.push([String(url), init])
          return options.fetch(url, init)
        },
      })
      made.clients.push(this, { ...options, fetch: null })
    }
  } as unknown as T
})

vi.mock('../../integrations/models/anthropic/client.ts', async (original) => {
  const real = await original<typeof import('../../integrations/models/anthropic/client.ts')>()
  return { ...real, MessagesClient: watched(real.MessagesClient) }
})
vi.mock('../../integrations/models/openai/client.ts', async (original) => {
  const real = await original<typeof import('../../integrations/models/openai/client.ts')>()
  return { ...real, ChatClient: watched(real.ChatClient) }
})
vi.mock('ollama/browser', async (original) => {
  const real = await original<typeof import('ollama/browser')>()
  return { ...real, Ollama: watched(real.Ollama) }
})

type Answer = (service: Service) => Result<TransportResponse>

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (service) =>
    ok({
      status: code,
      headers: { 'content-type': 'application/json', ...headers },
      body: bytes(VOICES[service].errorBody(code)),
    })

const stream =
  (then: (voice: (typeof VOICES)[Service]) => string): Answer =>
  (service) => {
    const voice = VOICES[service]
    const headers = { 'content-type': voice.contentType }
    return ok({ status: 200, headers, body: bytes(voice.opening() + then(voice)) })
  }

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

const ASK_AGAIN = { 'retry-after': '0', 'x-should-retry': 'true' }

const ANSWERS: readonly (readonly [what: string, answer: Answer, code: string | null])[] = [
  ['an answer', stream((voice) => voice.text('hello') + voice.closing('whole')), null],
  ['a malformed request', status(400), 'model_misconfigured'],
  ['a refused key', status(401), 'model_misconfigured'],
  ['a conflict', status(409), 'model_failed'],
  ['a limit, and a wish to be asked again', status(429, ASK_AGAIN), 'model_overloaded'],
  ['a fault, and a wish to be asked again', status(500, ASK_AGAIN), 'model_failed'],
  ['a redirect', status(307, { location: 'https://elsewhere.example/v1' }), 'model_misconfigured'],
  ['a redirect to the same place', status(308, { location: `${ORIGIN}/v2` }), 'model_misconfigured'],
  ['what is no JSON', stream(() => 'event: message_start\ndata: {"half\n\n'), 'model_garbled'],
  ['an error in the stream', stream((voice) => voice.error('broken')), 'model_failed'],
  ['no connection', () => err('network_failed'), 'model_failed'],
]

describe.each<Service>(['anthropic', 'openai', 'ollama'])('the client of %s', (service) => {
  const sent: TransportRequest[] = []
  const sockets = vi.fn()
  const printed = vi.fn()
  const globalFetch = vi.fn(() => Promise.reject(new Error('not the scoped fetch')))

  beforeEach(() => {
    sent.length = 0
    made.clients.length = 0
    made.asked.length = 0
    vi.clearAllMocks()
    subscribe('net.client.socket', sockets)
    vi.stubGlobal('fetch', globalFetch)
    for (const name of PRINTERS) vi.spyOn(console, name).mockImplementation(printed)
    for (const name of ['ANTHROPIC_LOG', 'OPENAI_LOG']) vi.stubEnv(name, 'debug')
    vi.stubEnv('NODE_DEBUG', 'http,net')
  })
  afterEach(() => {
    unsubscribe('net.client.socket', sockets)
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  const ask = (answer: Answer) =>
    MAKERS[service](SETTINGS, {
      baseUrl: service === 'openai' ? `${ORIGIN}/v1` : ORIGIN,
      exemptOrigins: [ORIGIN],
      transport: {
        send: async (request) => {
          sent.push(request)
          return answer(service)
        },
      },
      key: async () => ok(KEY),
    }).complete(promptFor('what is up?'), LIMITS)

  it.each(ANSWERS)('asks once through the scoped fetch, and prints nothing: %s', async (_, answer, code) => {
    const got = await ask(answer)
    expect(got.ok ? null : got.reason.code).toBe(code)
    expect([made.asked.length, sent.length]).toEqual([1, 1])
    expect(globalFetch).not.toHaveBeenCalled()
    expect(sockets).not.toHaveBeenCalled()
    expect(printed).not.toHaveBeenCalled()
  })

  it('holds no key: the real one is added behind it', async () => {
    expect(await ask(stream((voice) => voice.text('hello') + voice.closing('whole')))).toMatchObject({
      ok: true,
    })
    const [[, init] = []] = made.asked
    const authorization = new Headers(init?.headers).get('authorization')
    expect(authorization).toBe(service === 'ollama' ? null : 'Bearer added-behind')
    expect(inspect([made.clients, made.asked], { depth: 8, showHidden: true })).not.toContain(KEY)
    expect(sent[0]?.headers['authorization']).toBe(`Bearer ${KEY}`)
  })
})
