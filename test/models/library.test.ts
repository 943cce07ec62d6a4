/**
 * Management of a local Ollama's models, against a scripted server: the list with windows, a pull with progress, preloading; and
 * hostile or broken servers.
 */

import type { ServerResponse } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ModelConnection } from '../../integrations/models/connection.ts'
import { listOllama, pullOllama, seesPictures, warmOllama } from '../../integrations/models/ollama/library.ts'
import { serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import { TRANSPORT } from './scripted-server.ts'

type Answer = (response: ServerResponse, body: Record<string, unknown>) => void

const answers = new Map<string, Answer>()
const asked: string[] = []
let connection: ModelConnection

beforeAll(async () => {
  const server = await serve((request, response, raw) => {
    const what = `${request.method} ${request.url}`
    asked.push(`${what} ${raw}`)
    const answer = answers.get(what)
    if (answer === undefined) response.writeHead(404).end('{"error":"Zanzibar"}')
    else answer(response, raw === '' ? {} : (JSON.parse(raw) as Record<string, unknown>))
  })
  const { origin } = closing(server)
  connection = { baseUrl: origin, exemptOrigins: [origin], transport: TRANSPORT, key: null }
})
beforeEach(() => {
  answers.clear()
  asked.length = 0
})

const json =
  (value: unknown): Answer =>
  (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(value))
const lines =
  (...values: readonly unknown[]): Answer =>
  (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .end(values.map((value) => `${JSON.stringify(value)}\n`).join(''))

describe('whether a model accepts pictures', () => {
  it.each<[string, unknown, unknown]>([
    ['it does', { capabilities: ['completion', 'vision'] }, { ok: true, value: true }],
    ['it does not', { capabilities: ['completion'] }, { ok: true, value: false }],
    ['nobody says', { model_info: {} }, { ok: true, value: null }],
    ['what is said is no list', { capabilities: 'vision' }, { ok: true, value: null }],
  ])('a model accepts pictures or not: %s', async (_what, said, expected) => {
    answers.set('POST /api/show', json(said))
    expect(await seesPictures(connection, 'eyes')).toEqual(expected)
    expect(asked).toEqual(['POST /api/show {"model":"eyes"}'])
  })

  it('a model that does not exist has no answer', async () => {
    expect(await seesPictures(connection, 'eyes')).toMatchObject({ ok: false })
  })
})

describe('the list of Ollama’s models', () => {
  it('each model is listed with its size and window', async () => {
    answers.set(
      'GET /api/tags',
      json({
        models: [
          { name: 'a:1b', size: 7 },
          { name: 'b', size: -1 },
          { name: 'x y', size: 1 },
        ],
      }),
    )
    answers.set('POST /api/show', (response, { model }) =>
      json({
        model_info: model === 'a:1b' ? { 'general.architecture': 'z', 'z.context_length': 40_960 } : {},
      })(response, {}),
    )
    expect(await listOllama(connection)).toEqual({
      ok: true,
      value: [
        { name: 'a:1b', bytes: 7, window: 40_960 },
        { name: 'b', bytes: 0, window: null },
      ],
    })
  })

  it.each<[what: string, answer: Answer | null, code: string]>([
    ['another service', null, 'model_misconfigured'],
    [
      'a web page',
      (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Zanzibar'),
      'model_garbled',
    ],
    ['no list', json({ models: 'Zanzibar' }), 'model_garbled'],
    ['nothing', json(null), 'model_garbled'],
    ['a failure', (response) => void response.writeHead(500).end('Zanzibar'), 'model_failed'],
    [
      'too much',
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(9_000_000)}`),
      'model_garbled',
    ],
    ['no connection', (response) => void response.destroy(), 'model_failed'],
  ])('the list is refused by %s', async (_what, answer, code) => {
    if (answer !== null) answers.set('GET /api/tags', answer)
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const found = await listOllama(connection)
    expect(found).toMatchObject({ ok: false, reason: { code } })
    expect(JSON.stringify(found)).not.toContain('Zanzibar')
    expect(printed).not.toHaveBeenCalled()
  })
})

describe('pulling a model', () => {
  it('a pull reports progress over all layers, and ends with success', async () => {
    answers.set(
      'POST /api/pull',
      lines(
        { status: 'pulling manifest' },
        { status: 'pulling a', digest: 'a', total: 10 },
        { status: 'pulling a', digest: 'a', total: 10, completed: 6 },
        { status: 'pulling b', digest: 'b', total: 5, completed: 5 },
        { status: 'success' },
      ),
    )
    const told: object[] = []
    expect(await pullOllama(connection, 'a:1b', { progress: (progress) => told.push(progress) })).toEqual({
      ok: true,
      value: true,
    })
    expect(told).toEqual([
      { completed: 0, total: 10 },
      { completed: 6, total: 10 },
      { completed: 11, total: 15 },
    ])
    expect(JSON.parse(asked[0]?.slice('POST /api/pull '.length) ?? '')).toEqual({
      name: 'a:1b',
      stream: true,
    })
  })

  it.each<[what: string, answer: Answer, code: string]>([
    ['a name that nobody has', lines({ status: 'pulling manifest' }, { error: 'Zanzibar' }), 'model_failed'],
    ['no success', lines({ status: 'pulling manifest' }), 'model_garbled'],
    [
      'lines that are none',
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end('Zanzibar\n'),
      'model_garbled',
    ],
  ])('a pull fails with %s', async (_what, answer, code) => {
    answers.set('POST /api/pull', answer)
    const pulled = await pullOllama(connection, 'a:1b')
    expect(pulled).toMatchObject({ ok: false, reason: { code } })
    expect(JSON.stringify(pulled)).not.toContain('Zanzibar')
  })

  it('a pull can be stopped by its caller', async () => {
    const stop = new AbortController()
    answers.set('POST /api/pull', (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.write('{"status":"a","digest":"a","total":9,"completed":1}\n')
    })
    const pulled = await pullOllama(connection, 'a:1b', { progress: () => stop.abort(), signal: stop.signal })
    expect(pulled).toMatchObject({ ok: false, reason: { code: 'task_stopped' } })
  })

  it('a pull with an invalid name makes no request', async () => {
    expect(await pullOllama(connection, 'a b\n')).toMatchObject({ reason: { code: 'model_misconfigured' } })
    expect(asked).toEqual([])
  })
})

describe('preloading a model', () => {
  it('a model is preloaded with the window of its calls and without a prompt', async () => {
    answers.set('POST /api/generate', json({ done: true, done_reason: 'load' }))
    const reader = { id: 'local', locality: 'home', level: 'regulated', compartments: 'all' } as const
    const settings = { reader, model: 'a:1b', window: 4_096, keepAlive: -1 }
    expect(await warmOllama(settings, connection)).toEqual({ ok: true, value: true })
    expect(JSON.parse(asked[0]?.slice('POST /api/generate '.length) ?? '')).toEqual({
      ...{ model: 'a:1b', prompt: '', stream: false, keep_alive: -1, options: { num_ctx: 4_096 } },
    })
  })
})
