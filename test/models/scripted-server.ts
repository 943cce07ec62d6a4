/**
 * A model service over real HTTP: strict about requests, then answers by its script, down to single bytes. Counterpart of the
 * contract tests. Records every request.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropicModel } from '../../integrations/models/anthropic/model.ts'
import type { ModelConnection, ModelSettings } from '../../integrations/models/connection.ts'
import { createOllamaModel } from '../../integrations/models/ollama/model.ts'
import { createOpenAiModel } from '../../integrations/models/openai/model.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { KEY, type Service, VOICES, type Voice } from './voices.ts'

export type Script = (response: ServerResponse, voice: Voice) => void | Promise<void>

export interface Seen {
  readonly headers: IncomingHttpHeaders
  readonly raw: string
  readonly body: Record<string, unknown>
}

export interface ScriptedServer {
  readonly service: Service
  readonly voice: Voice
  readonly origin: string
  readonly seen: Seen[]
  /** Script for the next request; the default answers it. */
  script: Script
  /** Number of requests whose client closed the connection. */
  readonly left: () => number
  model(settings?: Partial<ModelSettings>, connection?: Partial<ModelConnection>): ModelProvider
  close(): Promise<void>
}

export const TRANSPORT = createPinnedTransport()
const MAKERS = { anthropic: createAnthropicModel, openai: createOpenAiModel, ollama: createOllamaModel }

/** Opens the stream, sends these texts, closes it. */
export function says(...pieces: readonly string[]): Script {
  return (response, voice) => {
    begin(response, voice)
    for (const piece of pieces) response.write(voice.text(piece))
    response.end(voice.closing('whole'))
  }
}

export function begin(response: ServerResponse, voice: Voice): void {
  response.writeHead(200, { 'content-type': voice.contentType })
  response.write(voice.opening())
}

export async function startScripted(service: Service): Promise<ScriptedServer> {
  const voice = VOICES[service]
  const seen: Seen[] = []
  let left = 0
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) left += 1
    })
    void readAll(request).then((raw) => take(request, response, raw))
  })
  const take = async (request: IncomingMessage, response: ServerResponse, raw: string): Promise<void> => {
    const refuse = (status: number): unknown =>
      response.writeHead(status, JSON_TYPE).end(voice.errorBody(status))
    const body = parsed(raw)
    seen.push({ headers: request.headers, raw, body })
    if (request.url !== voice.path) return void refuse(404)
    if (request.method !== 'POST') return void refuse(405)
    if (!voice.isAuthorized(request.headers)) return void refuse(401)
    if (request.headers['content-type'] !== 'application/json') return void refuse(415)
    if (voice.wrong(body, request.headers) !== null) return void refuse(400)
    await made.script(response, voice)
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made: ScriptedServer = {
    ...{ service, voice, origin, seen, script: says('hello'), left: () => left },
    model: (settings = {}, connection = {}) =>
      MAKERS[service](
        {
          reader: { id: 'scripted', locality: 'home', level: 'regulated', compartments: 'all' },
          ...{ model: 'some-model', window: 8_192, ...settings },
        },
        {
          baseUrl: service === 'openai' ? `${origin}/v1` : origin,
          exemptOrigins: [origin],
          ...{ transport: TRANSPORT, key: () => Promise.resolve(ok(KEY)), ...connection },
        },
      ),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return made
}

function parsed(raw: string): Record<string, unknown> {
  try {
    return JSON.parse(raw) as Record<string, unknown>
  } catch {
    return {}
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
