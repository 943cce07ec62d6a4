/** The adapters of cloud models in workerd, over real HTTP: their libraries load there, and answers are streamed (D-10). */
import { describe, expect, inject, it } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { PROMPT_TEXTS } from '../../durable-objects/principal/texts.ts'
import { createAnthropicModel } from '../../integrations/models/anthropic/model.ts'
import { createOpenAiModel } from '../../integrations/models/openai/model.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { promptOf } from '../models/request.ts'
import { COUNTED, KEY } from '../models/voices.ts'

const origin = inject('loopback')
const reader = { id: 'cloud', locality: 'cloud', level: 'internal', compartments: [] } as const
const PROMPT = promptOf(PROMPT_TEXTS, 'what is up?')
/** Loading a client's library in a busy workerd takes longer than any answer. */
const LIMITS = { maxTokens: 100, timeout: 100_000 }
const LOADING = 120_000
const MAKERS = [
  ['anthropic', createAnthropicModel, origin],
  ['openai', createOpenAiModel, `${origin}/v1`],
] as const

describe.each(MAKERS)('%s', (_name, make, baseUrl) => {
  const model = (key: string) =>
    make(
      { reader, model: 'some-model' },
      {
        ...{ baseUrl, exemptOrigins: [origin], transport: createFetchTransport() },
        key: () => Promise.resolve(ok(key)),
      },
    )

  it(
    'an answer is streamed',
    async () => {
      const heard: string[] = []
      const answer = await model(KEY).complete(PROMPT, LIMITS, {
        onText: (text) => {
          heard.push(text)
          // The rest is sent once this was received.
          if (heard.length === 1) void fetch(`${origin}/heard`).then((response) => response.text())
        },
      })
      expect(heard).toEqual(['first', ' secönd'])
      const tokens = { input: COUNTED.input, output: COUNTED.output }
      expect(answer).toMatchObject({ ok: true, value: { text: 'first secönd', cut: false, tokens } })
    },
    LOADING,
  )

  it('a request without the key is refused', async () => {
    const answer = await model('another').complete(PROMPT, LIMITS)
    expect(answer).toMatchObject({
      ok: false,
      reason: { code: 'model_misconfigured', facts: { status: 401 } },
    })
  })

  it('the deadline ends a call during its answer', async () => {
    const answer = await model(KEY).complete(PROMPT, { ...LIMITS, timeout: 300 })
    expect(answer).toMatchObject({ ok: false, reason: { code: 'model_timeout', facts: { rule: 'whole' } } })
  })
})
