/**
 * The adapters name path and headers of their requests (docs/decisions/019). This compares them with what the whole clients of
 * Anthropic and OpenAI send, and fails when a new version differs.
 */
import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages'
import OpenAI from 'openai'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions/completions'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { promptFor } from './prompts.ts'
import { type ScriptedServer, says, startScripted } from './scripted-server.ts'
import { KEY } from './voices.ts'

const SAID = ['accept', 'anthropic-version', 'anthropic-beta', 'content-type', 'authorization', 'x-api-key']
const SCHEMA = {
  name: 'choice',
  schema: { type: 'object', properties: { pick: { type: 'integer' } }, required: ['pick'] },
}

let server: ScriptedServer
let openai: ScriptedServer
beforeAll(async () => {
  server = await startScripted('anthropic')
  openai = await startScripted('openai')
  for (const one of [server, openai]) one.script = says('well')
})
afterAll(() => Promise.all([server.close(), openai.close()]))

it.each([
  { what: 'a text', more: {} },
  { what: 'data', more: { schema: SCHEMA } },
])('the adapter asks for $what as `messages.create` does', async ({ more }) => {
  server.seen.length = 0
  await server.model().complete(promptFor('what is up?'), { maxTokens: 200, timeout: 20_000, ...more })
  const [ours] = server.seen
  if (ours === undefined) throw new Error('nothing was asked')
  const client = new Anthropic({ baseURL: server.origin, apiKey: KEY, maxRetries: 0 })
  const stream = await client.messages.create(ours.body as unknown as MessageCreateParamsStreaming)
  for await (const event of stream) expect(event.type).toBeTruthy()
  const [, theirs] = server.seen
  expect(theirs?.body).toEqual(ours.body)
  const said = (seen = ours) => SAID.map((name) => [name, seen.headers[name]])
  expect(said(theirs)).toEqual(said(ours))
})

it.each([
  { what: 'a text', more: {} },
  { what: 'data', more: { schema: SCHEMA } },
])('the adapter asks for $what as `chat.completions.create` does, and reads the same', async ({ more }) => {
  openai.seen.length = 0
  const got = await openai
    .model()
    .complete(promptFor('what is up?'), { maxTokens: 200, timeout: 20_000, ...more })
  expect(got).toMatchObject({ ok: true, value: { text: 'well' } })
  const [ours] = openai.seen
  if (ours === undefined) throw new Error('nothing was asked')
  const client = new OpenAI({ baseURL: `${openai.origin}/v1`, apiKey: KEY, maxRetries: 0 })
  const stream = await client.chat.completions.create(
    ours.body as unknown as ChatCompletionCreateParamsStreaming,
  )
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta?.content ?? ''
  expect(text).toBe('well')
  const [, theirs] = openai.seen
  expect(theirs?.body).toEqual(ours.body)
  const said = (seen = ours) => SAID.map((name) => [name, seen.headers[name]])
  expect(said(theirs)).toEqual(said(ours))
})
