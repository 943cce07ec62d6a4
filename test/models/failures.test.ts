/**
 * Every failure of a service and its reason code (D-15, B-37): one table for all three services, by scripts over real HTTP. No
 * refusal and no log line contains the service's text or the key.
 */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ModelSettings } from '../../integrations/models/connection.ts'
import type { ModelLimits } from '../../kernel/inference/provider.ts'
import { promptFor } from './prompts.ts'
import { begin, type Script, type ScriptedServer, startScripted } from './scripted-server.ts'
import { KEY, SAID_IN_ERRORS, type Service, type Voice } from './voices.ts'

const LIMITS: ModelLimits = { maxTokens: 100, timeout: 20_000 }
const PROMPT = promptFor('what is up?')
const PRINTERS = ['log', 'info', 'warn', 'error', 'debug'] as const

const status =
  (code: number, headers: Record<string, string> = {}): Script =>
  (response, voice) =>
    void response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(voice.errorBody(code))

const typed =
  (type: string, body: string): Script =>
  (response) =>
    void response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body)

/** A stream of this service that begins well. */
const stream =
  (then: (response: ServerResponse, voice: Voice) => void | Promise<void>): Script =>
  (response, voice) => {
    begin(response, voice)
    return then(response, voice)
  }

/** Writes as fast as the reader reads, until the connection closes. */
async function endless(response: ServerResponse, piece: string | Buffer): Promise<void> {
  while (!response.destroyed) {
    response.write(piece)
    if (response.writableNeedDrain) await drained(response)
    else await new Promise((done) => setImmediate(done))
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    const go = (): void => {
      response.off('drain', go).off('close', go)
      done()
    }
    response.on('drain', go).on('close', go)
  })
}

const silent: Script = () => undefined
const HURRIED = { firstByte: 120, idle: 120 }
const HTML = `<!doctype html><title>${SAID_IN_ERRORS}</title>`

type Row = readonly [
  what: string,
  script: Script,
  expected: readonly [code: string, facts: Record<string, unknown>],
  change?: { readonly settings?: Partial<ModelSettings>; readonly timeout?: number },
]

const ROWS: readonly Row[] = [
  ...[400, 401, 402, 403, 404, 405, 413, 422].map(
    (code): Row => [`${code}`, status(code), ['model_misconfigured', { status: code }]],
  ),
  ...[500, 501, 502, 520, 409].map(
    (code): Row => [`${code}`, status(code), ['model_failed', { status: code }]],
  ),
  ...[408, 504].map((code): Row => [`${code}`, status(code), ['model_timeout', { status: code }]]),
  ...[429, 503, 529].map((code): Row => [`${code}`, status(code), ['model_overloaded', { status: code }]]),
  ['seconds to wait', status(429, { 'retry-after': '7' }), ['model_overloaded', { after: 7_000 }]],
  [
    'milliseconds to wait',
    status(529, { 'retry-after-ms': '1500.4' }),
    ['model_overloaded', { after: 1_500 }],
  ],
  [
    'a date that is past',
    status(503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
    ['model_overloaded', { after: 0 }],
  ],
  [
    'a wait of years',
    status(429, { 'retry-after': '99999999' }),
    ['model_overloaded', { after: 86_400_000 }],
  ],
  ['a wait that is none', status(429, { 'retry-after': 'soon' }), ['model_overloaded', { status: 429 }]],
  [
    'a redirect',
    status(307, { location: 'https://elsewhere.example/' }),
    ['model_misconfigured', { status: 307 }],
  ],
  ['a web page', typed('text/html', HTML), ['model_garbled', { rule: 'content_type' }]],
  [
    'another kind of JSON',
    typed('application/json', '{"choices":[]}'),
    ['model_garbled', { rule: 'content_type' }],
  ],
  ['no type at all', typed('', HTML), ['model_garbled', { rule: 'content_type' }]],
  [
    'no content',
    (response) => void response.writeHead(204).end(),
    ['model_garbled', { rule: 'content_type' }],
  ],
  [
    'a web page under the right type',
    (response, voice) => typed(voice.contentType, `${HTML}\n\n`)(response, voice),
    ['model_garbled', {}],
  ],
  [
    'a stream of nothing',
    (response, voice) => typed(voice.contentType, '')(response, voice),
    ['model_garbled', { rule: 'empty' }],
  ],
  ['an opening and nothing', stream((response) => void response.end()), ['model_garbled', { rule: 'empty' }]],
  [
    'broken JSON',
    stream((response, voice) => void response.end(broken(voice))),
    ['model_garbled', { rule: 'shape' }],
  ],
  [
    'JSON that is null',
    stream((response, voice) => void response.end(framed(voice, 'null'))),
    ['model_garbled', { rule: 'shape' }],
  ],
  [
    'a text that is a number',
    stream((response, voice) => void response.end(voice.text(7 as unknown as string))),
    ['model_garbled', { rule: 'shape' }],
  ],
  [
    'a frame without an end',
    stream((response) => endless(response, Buffer.alloc(65_536, 'x'))),
    ['model_garbled', { rule: 'too_large' }],
  ],
  [
    'an answer without an end',
    stream((response, voice) => endless(response, voice.text('again '.repeat(500)))),
    ['model_garbled', { rule: 'too_large' }],
  ],
  [
    'a bomb',
    (response, voice) =>
      void response
        .writeHead(200, { 'content-type': voice.contentType, 'content-encoding': 'gzip' })
        .end(BOMB),
    ['model_garbled', { rule: 'too_large' }],
  ],
  [
    'an error without an end',
    (response) =>
      endless(response.writeHead(400, { 'content-type': 'application/json' }), 'x'.repeat(60_000)),
    ['model_misconfigured', { status: 400 }],
  ],
  [
    'a connection closed at once',
    (response) => void response.destroy(),
    ['model_failed', { rule: 'connection' }],
  ],
  [
    'a connection closed in the answer',
    stream(async (response, voice) => {
      await new Promise((done) => response.write(voice.text('half'), done))
      response.destroy()
    }),
    ['model_failed', { rule: 'connection' }],
  ],
  [
    'an error at once',
    stream((response, voice) => void response.end(voice.error('broken'))),
    ['model_failed', { rule: 'stream' }],
  ],
  [
    'an error after some words',
    stream((response, voice) => void response.end(voice.text('half') + voice.error('broken'))),
    ['model_failed', { rule: 'stream' }],
  ],
  ['no answer', silent, ['model_timeout', { rule: 'silence' }], { settings: HURRIED }],
  [
    'a head and no body',
    (response, voice) => response.writeHead(200, { 'content-type': voice.contentType }).flushHeaders(),
    ['model_timeout', { rule: 'silence' }],
    { settings: HURRIED },
  ],
  [
    'an answer that stalls',
    stream((response, voice) => void response.write(voice.text('half'))),
    ['model_timeout', { rule: 'silence' }],
    { settings: { idle: 120 } },
  ],
  [
    'signs of life for ever',
    stream((response, voice) => endless(response, voice.life())),
    ['model_timeout', { rule: 'whole' }],
    { timeout: 400 },
  ],
]

const BOMB = gzipSync(Buffer.alloc(50_000_000))

function framed(voice: Voice, json: string): string {
  return voice.contentType.startsWith('text/event-stream')
    ? `event: message_start\ndata: ${json}\n\n`
    : `${json}\n`
}

function broken(voice: Voice): string {
  return framed(voice, `{"said": "${SAID_IN_ERRORS}`)
}

describe.each<Service>(['anthropic', 'openai', 'ollama'])('%s', (service) => {
  let server: ScriptedServer
  const printed = vi.fn()
  beforeAll(async () => {
    server = await startScripted(service)
  })
  beforeEach(() => {
    printed.mockClear()
    for (const name of PRINTERS) vi.spyOn(console, name).mockImplementation(printed)
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await server.close()
  })

  it.each(ROWS.map((row) => ({ what: row[0], row })))('a failure has its reason: $what', async ({ row }) => {
    const [, script, [code, facts], change = {}] = row
    server.script = script
    const before = server.seen.length
    const limits = { ...LIMITS, timeout: change.timeout ?? LIMITS.timeout }
    const answer = await server.model(change.settings).complete(PROMPT, limits)
    expect(answer).toMatchObject({ ok: false, reason: { code, facts: { ...facts, model: 'scripted' } } })
    // Retrying is up to the router.
    expect(server.seen.length - before).toBe(1)
    expect(JSON.stringify([answer, printed.mock.calls])).not.toMatch(new RegExp(`${SAID_IN_ERRORS}|${KEY}`))
    expect(printed).not.toHaveBeenCalled()
  })
})
