/**
 * The adapters against third-party model servers (@copilotkit/aimock), in one process: their streams, counts, reasoning, rate
 * limits and broken streams, as they implement the three APIs.
 */
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAnthropicModel } from '../../integrations/models/anthropic/model.ts'
import { listOllama } from '../../integrations/models/ollama/library.ts'
import { createOllamaModel } from '../../integrations/models/ollama/model.ts'
import { createOpenAiModel } from '../../integrations/models/openai/model.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { ModelLimits, ModelProvider } from '../../kernel/inference/provider.ts'
import { promptFor } from './prompts.ts'
import { TRANSPORT } from './scripted-server.ts'

const LIMITS: ModelLimits = { maxTokens: 200, timeout: 20_000 }
const WORDS = 'Grüße aus der Ferne, and a longer sentence so that there is more than one piece 🦉'
const reader = { id: 'peer', locality: 'home', level: 'regulated', compartments: 'all' } as const
const settings = { reader, model: 'any-model', window: 8_192 }

const mock = new LLMock({ port: 0, chunkSize: 7, logLevel: 'silent' })
const models = new Map<string, ModelProvider>()

beforeAll(async () => {
  await mock.start()
  const connection = {
    ...{ baseUrl: mock.url, exemptOrigins: [mock.url], transport: TRANSPORT },
    key: () => Promise.resolve(ok('key-of-the-test')),
  }
  models.set('anthropic', createAnthropicModel(settings, connection))
  models.set('openai', createOpenAiModel(settings, { ...connection, baseUrl: `${mock.url}/v1` }))
  models.set('ollama', createOllamaModel(settings, connection))
})
beforeEach(() => {
  mock.clearFixtures()
})
afterAll(() => mock.stop())

const ask = (service: string, heard?: (text: string) => void) =>
  models
    .get(service)
    ?.complete(promptFor('what is up?'), LIMITS, heard === undefined ? {} : { onText: heard })

describe.each(['anthropic', 'openai', 'ollama'])('%s as implemented by others', (service) => {
  it('the adapter streams an answer', async () => {
    mock.onMessage(/what is up/, { content: WORDS })
    const heard: string[] = []
    expect(await ask(service, (text) => heard.push(text))).toMatchObject({
      ok: true,
      value: { text: WORDS, cut: false },
    })
    expect(heard.length).toBeGreaterThan(2)
    expect(heard.join('')).toBe(WORDS)
  })

  it('the adapter removes reasoning', async () => {
    mock.onMessage(/what is up/, { content: WORDS, reasoning: 'first I wonder' })
    expect(await ask(service)).toMatchObject({ ok: true, value: { text: WORDS } })
  })

  it('the adapter reports a rate limit', async () => {
    mock.onMessage(/what is up/, { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429 })
    expect(await ask(service)).toMatchObject({ ok: false, reason: { code: 'model_overloaded' } })
  })

  it('the adapter reports an unknown question as a failure', async () => {
    expect(await ask(service)).toMatchObject({
      ok: false,
      reason: { code: 'model_misconfigured', facts: { status: 404 } },
    })
  })
})

it('models of a third-party Ollama are listed, without windows, which it does not report', async () => {
  mock.on({ model: 'some-model:1b' }, { content: 'a' })
  const found = await listOllama({
    baseUrl: mock.url,
    exemptOrigins: [mock.url],
    transport: TRANSPORT,
    key: null,
  })
  if (!found.ok) throw new Error(found.reason.code)
  expect(found.value.length).toBeGreaterThan(0)
  for (const model of found.value)
    expect(model).toEqual({ name: expect.any(String), bytes: expect.any(Number), window: null })
})
