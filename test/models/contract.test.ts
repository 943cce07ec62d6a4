/**
 * The three adapters against strict scripted services over real HTTP, one table for all (D-08, D-10, D-15, D-18, B-37): what
 * is asked, what an answer is made of, what each kind of failure is called.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ModelLimits } from '../../kernel/inference/provider.ts'
import { promptFor } from './prompts.ts'
import { type ScriptedServer, says, startScripted } from './scripted-server.ts'
import { COUNTED, type Service } from './voices.ts'

const LIMITS: ModelLimits = { maxTokens: 200, timeout: 20_000 }
const PROMPT = promptFor('what is up?', ['person: hi', 'assistant: hello'])

describe.each<Service>(['anthropic', 'openai', 'ollama'])('%s', (service) => {
  let server: ScriptedServer
  beforeAll(async () => {
    server = await startScripted(service)
  })
  beforeEach(() => {
    server.script = says('hello')
    server.seen.length = 0
  })
  afterAll(() => server.close())

  it('answers, as it comes and whole', async () => {
    server.script = says('Hel', 'lo, ', 'wörld')
    const heard: string[] = []
    const answer = await server.model().complete(PROMPT, LIMITS, { heard: (text) => heard.push(text) })
    if (!answer.ok) throw new Error(JSON.stringify(answer.reason))
    expect(answer.value).toMatchObject({ text: 'Hello, wörld', cut: false })
    expect(answer.value.tokens).toMatchObject({ input: COUNTED.input, output: COUNTED.output })
    expect(heard.join('')).toBe('Hello, wörld')
    expect(heard.length).toBeGreaterThan(1)
  })
})
