/**
 * Cases of a single service (B-37, D-08, N-17, P-21, P-22, P-26): the order of its stream, its stop reasons, its counts, and the
 * extra fields of its requests. Over real HTTP; a normal answer's order is in contract.test.ts.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cacheMinimum } from '../../integrations/models/anthropic/model.ts'
import { createOllamaModel } from '../../integrations/models/ollama/model.ts'
import type { ModelLimits } from '../../kernel/inference/provider.ts'
import { promptFor } from './prompts.ts'
import { type ScriptedServer, says, startScripted, TRANSPORT } from './scripted-server.ts'
import { type Service, VOICES } from './voices.ts'

const LIMITS: ModelLimits = { maxTokens: 64, timeout: 20_000 }
const PROMPT = promptFor('what is up?')

const servers = new Map<Service, ScriptedServer>()
const at = (service: Service): ScriptedServer => servers.get(service) as ScriptedServer
beforeAll(async () => {
  for (const service of ['anthropic', 'openai', 'ollama'] as const)
    servers.set(service, await startScripted(service))
})
beforeEach(() => {
  for (const server of servers.values()) {
    server.seen.length = 0
    server.script = says('hello')
  }
})
afterAll(async () => {
  for (const server of servers.values()) await server.close()
})

/** Answers with these bytes, with the right content type. */
async function answerTo(service: Service, bytes: string) {
  const server = at(service)
  server.script = (response, { contentType }) =>
    void response.writeHead(200, { 'content-type': contentType }).end(bytes)
  return server.model().complete(PROMPT, LIMITS)
}

const event = (data: { type: string } & Record<string, unknown>): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const chunk = (data: object): string => `data: ${JSON.stringify(data)}\n\n`
const choice = (delta: object, finish: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta, finish_reason: finish }] })
const line = (data: object): string => `${JSON.stringify(data)}\n`
const said = (content: string, rest: object = { done: false }): string =>
  line({ message: { role: 'assistant', content }, ...rest })
const A = VOICES.anthropic
const stopped = (reason: string | null): string =>
  event({ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 3 } }) +
  event({ type: 'message_stop' })

type Row = readonly [what: string, service: Service, bytes: string, expected: object]

const STREAMS: readonly Row[] = [
  [
    'thoughts, then words in a second block',
    'anthropic',
    A.opening() +
      A.reasoning('hm') +
      event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'a' } }) +
      A.text('b') +
      A.closing('whole'),
    { text: 'ab', cut: false },
  ],
  [
    'events of a later day',
    'anthropic',
    A.opening() +
      event({ type: 'aside', text: 'no' }) +
      A.text('a') +
      event({ type: 'content_block_delta', index: 0, delta: { type: 'poem_delta', text: 'no' } }) +
      A.closing('whole'),
    { text: 'a', cut: false },
  ],
  [
    'an end before the block’s',
    'anthropic',
    A.text('a') + stopped('end_turn') + event({ type: 'content_block_stop', index: 0 }),
    { text: 'a', cut: false },
  ],
  ['no beginning', 'anthropic', A.text('a') + A.closing('whole'), { text: 'a', cut: false }],
  [
    'a reason and no end',
    'anthropic',
    A.opening() +
      A.text('a') +
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }),
    { text: 'a', cut: true },
  ],
  ['an end and no reason', 'anthropic', A.opening() + A.text('a') + stopped(null), { text: 'a', cut: true }],
  ...['max_tokens', 'model_context_window_exceeded', 'refusal', 'pause_turn', 'tool_use'].map(
    (reason): Row => [
      `stopped by ${reason}`,
      'anthropic',
      A.text('a') + stopped(reason),
      { text: 'a', cut: true },
    ],
  ),
  ['stopped by a sequence', 'anthropic', A.text('a') + stopped('stop_sequence'), { text: 'a', cut: false }],
  [
    'counts that are none',
    'anthropic',
    event({
      type: 'message_start',
      message: { usage: { input_tokens: -5, output_tokens: 1.5, cache_read_input_tokens: 1e300 } },
    }) +
      A.text('a') +
      stopped('end_turn'),
    { tokens: { input: 0, output: 3, cached: { read: 0, written: 0 } } },
  ],
  [
    'counts at the end alone',
    'anthropic',
    A.text('a') +
      event({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 3 },
      }),
    { tokens: { input: 13, output: 3, cached: { read: 4, written: 0 } } },
  ],
  [
    'words with the reason',
    'openai',
    choice({ content: 'a' }) + choice({ content: 'b' }, 'stop'),
    { text: 'ab', cut: false },
  ],
  ['no mark of the end', 'openai', choice({ content: 'a' }, 'stop'), { text: 'a', cut: false }],
  ['a mark and no reason', 'openai', `${choice({ content: 'a' })}data: [DONE]\n\n`, { text: 'a', cut: true }],
  [
    'a first chunk without choices',
    'openai',
    chunk({ choices: [], prompt_filter_results: [] }) + choice({ content: 'a' }, 'stop'),
    { text: 'a', cut: false },
  ],
  [
    'counts in each chunk',
    'openai',
    [1, 2]
      .map((n) =>
        chunk({
          choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 5, completion_tokens: n },
        }),
      )
      .join(''),
    { tokens: { input: 5, output: 2 } },
  ],
  [
    'counts before the words',
    'openai',
    chunk({
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } },
    }) + choice({ content: 'a' }, 'stop'),
    { text: 'a', tokens: { input: 5, output: 2, cached: { read: 4, written: 0 } } },
  ],
  [
    'counts that are none',
    'openai',
    chunk({ choices: [], usage: { prompt_tokens: '5', completion_tokens: null } }) +
      choice({ content: 'a' }, 'stop'),
    { tokens: { input: 0, output: 0 } },
  ],
  ...['length', 'content_filter', 'tool_calls', 'abort'].map(
    (reason): Row => [
      `stopped by ${reason}`,
      'openai',
      choice({ content: 'a' }, reason),
      { text: 'a', cut: true },
    ],
  ),
  [
    'reasoning in either field',
    'openai',
    choice({ reasoning: 'hm' }) + choice({ reasoning_content: 'hm' }) + choice({ content: 'a' }, 'stop'),
    { text: 'a' },
  ],
  [
    'a call of a tool that it does not have',
    'openai',
    choice({ tool_calls: [{ index: 0, function: { name: 'send', arguments: '{}' } }] }) +
      choice({}, 'tool_calls'),
    { text: '', cut: true },
  ],
  [
    'words in the last line',
    'ollama',
    said('a') + said('b', { done: true, done_reason: 'stop', eval_count: 2 }),
    { text: 'ab', cut: false, tokens: { input: 0, output: 2 } },
  ],
  ['an end without a reason', 'ollama', said('a') + said('', { done: true }), { text: 'a', cut: false }],
  ['no last line end', 'ollama', (said('a') + said('', { done: true })).trimEnd(), { text: 'a', cut: false }],
  ['lines after the end', 'ollama', said('a', { done: true }) + said('b'), { text: 'a', cut: false }],
  ...['length', 'load'].map(
    (reason): Row => [
      `stopped by ${reason}`,
      'ollama',
      said('a', { done: true, done_reason: reason }),
      { text: 'a', cut: true },
    ],
  ),
]

describe('a stream with special content', () => {
  it.each(STREAMS.map((row) => ({ what: `${row[1]}: ${row[0]}`, row })))(
    'a stream is parsed: $what',
    async ({ row: [, service, bytes, value] }) => {
      expect(await answerTo(service, bytes)).toMatchObject({ ok: true, value })
    },
  )

  const ERRORS: readonly [service: Service, error: object, code: string][] = [
    ...(['overloaded_error', 'rate_limit_error'] as const).map((type): [Service, object, string] => [
      'anthropic',
      { type },
      'model_overloaded',
    ]),
    ...(
      [
        'authentication_error',
        'billing_error',
        'invalid_request_error',
        'not_found_error',
        'permission_error',
        'request_too_large',
      ] as const
    ).map((type): [Service, object, string] => ['anthropic', { type }, 'model_misconfigured']),
    ['anthropic', { type: 'timeout_error' }, 'model_timeout'],
    ['anthropic', { type: 'api_error' }, 'model_failed'],
    ['anthropic', {}, 'model_failed'],
    ['openai', { code: 'rate_limit_exceeded' }, 'model_overloaded'],
    ['openai', { code: 429 }, 'model_overloaded'],
    ['openai', { code: 502 }, 'model_failed'],
    ['openai', { code: 400, type: 'BadRequestError' }, 'model_misconfigured'],
    ['openai', { type: 'insufficient_quota' }, 'model_misconfigured'],
    ['openai', { message: 'no name at all' }, 'model_failed'],
  ]
  it.each(ERRORS)('%s: the error %j is %s', async (service, error, code) => {
    const bytes =
      service === 'anthropic'
        ? `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`
        : chunk({ error })
    expect(await answerTo(service, bytes)).toMatchObject({ ok: false, reason: { code } })
  })
})

describe('requests to Anthropic', () => {
  it('ten calls to Anthropic begin with the same marked bytes, and have no more marks than allowed', async () => {
    const server = at('anthropic')
    const lines = Array.from({ length: 10 }, (_, index) => `person: message ${index}`)
    for (let call = 0; call < 10; call += 1)
      await server.model().complete(promptFor(`question ${call}`, lines.slice(0, call)), LIMITS)
    const bodies = server.seen.map(({ body }) => body as unknown as Marked)
    expect(bodies).toHaveLength(10)
    for (const { system, messages } of bodies) {
      expect(system.map((block) => block.cache_control?.type)).toEqual(['ephemeral', undefined])
      expect(JSON.stringify(system[0])).toBe(JSON.stringify(bodies[0]?.system[0]))
      const marks = [...system, ...(messages[0]?.content ?? [])].filter(
        (block) => block.cache_control !== undefined,
      )
      expect(marks.length).toBeLessThanOrEqual(4)
    }
    // The lines of one call's conversation stand at the same positions in the next call.
    const firsts = bodies.map(({ messages }) => messages[0]?.content.map(({ text }) => text) ?? [])
    for (const [index, texts] of firsts.slice(1, -1).entries())
      expect(firsts[index + 2]?.slice(0, texts.length - 1)).toEqual(texts.slice(0, -1))
  })

  it('Anthropic’s adapter reports the shortest prefix that is cached', () => {
    expect(at('anthropic').model({ model: 'claude-haiku-4-5' }).cacheMinimum).toBe(
      cacheMinimum('claude-haiku-4-5'),
    )
  })
})

interface Marked {
  readonly system: readonly { readonly text: string; readonly cache_control?: { readonly type: string } }[]
  readonly messages: readonly { readonly content: Marked['system'] }[]
}

describe.each(['openai', 'ollama'] as const)('requests to %s', (service) => {
  it('every call sends one system text of the same bytes, and one message', async () => {
    const server = at(service)
    const prompts = ['one', 'two'].map((words) => promptFor(words, ['person: before']))
    for (const prompt of prompts) await server.model().complete(prompt, LIMITS)
    for (const [index, prompt] of prompts.entries())
      expect(server.seen[index]?.body['messages']).toEqual([
        { role: 'system', content: prompts[0]?.system },
        { role: 'user', content: prompt.user },
      ])
  })

  it('without a system role the same text is sent as the first user message', async () => {
    await at(service).model({ systemRole: false }).complete(PROMPT, LIMITS)
    expect(at(service).seen[0]?.body['messages']).toEqual([
      { role: 'user', content: PROMPT.system },
      { role: 'user', content: PROMPT.user },
    ])
  })
})

describe('requests to OpenAI', () => {
  it('a refused name of the token cap is replaced by the other one, also in later calls', async () => {
    const server = at('openai')
    const model = server.model()
    const error = { message: 'Unsupported parameter', param: 'max_tokens', code: 'unsupported_parameter' }
    server.script = (response, voice) => {
      const { body } = server.seen.at(-1) ?? { body: {} }
      if ('max_tokens' in body) response.writeHead(400).end(JSON.stringify({ error }))
      else void says('a')(response, voice)
    }
    for (let call = 0; call < 2; call += 1)
      expect(await model.complete(PROMPT, LIMITS)).toMatchObject({ ok: true })
    expect(server.seen.map(({ body }) => body['max_completion_tokens'])).toEqual([undefined, 64, 64])
  })

  it('a used-up account is reported as a wrong setting', async () => {
    at('openai').script = (response) =>
      void response.writeHead(429, { 'retry-after': '1' }).end('{"error":{"code":"insufficient_quota"}}')
    expect(await at('openai').model().complete(PROMPT, LIMITS)).toMatchObject({
      reason: { code: 'model_misconfigured', facts: { rule: 'quota' } },
    })
  })
})

describe('requests to Ollama', () => {
  const reader = { id: 'local', locality: 'home', level: 'regulated', compartments: 'all' } as const

  it.each([
    [undefined, '30m'],
    [5, '5m'],
    [-1, -1],
  ])('a request to Ollama has the window and a keep-alive of %s minutes', async (keepAlive, expected) => {
    const { origin, seen } = at('ollama')
    const settings = {
      reader,
      model: 'small:1b',
      window: 8_192,
      ...(keepAlive === undefined ? {} : { keepAlive }),
    }
    const model = createOllamaModel(settings, {
      baseUrl: origin,
      exemptOrigins: [origin],
      transport: TRANSPORT,
      key: null,
    })
    await model.complete(PROMPT, LIMITS)
    expect(model.window).toBe(8_192)
    expect(seen[0]?.body).toMatchObject({
      keep_alive: expected,
      options: { num_ctx: 8_192, num_predict: 64 },
    })
  })
})

it('tokens counted before a stream broke off are reported, because they are paid for (D-11)', async () => {
  const opening = event({
    type: 'message_start',
    message: { usage: { input_tokens: 120, output_tokens: 1 } },
  })
  const answer = await answerTo(
    'anthropic',
    `${opening}${VOICES.anthropic.text('a word or two')}event: content_block_delta\ndata: {broken\n\n`,
  )
  expect(answer).toMatchObject({ ok: false, reason: { code: 'model_garbled', facts: { tokensIn: 120 } } })
  expect(answer.ok ? 0 : answer.reason.facts['tokensOut']).toBeGreaterThanOrEqual(2)
})
