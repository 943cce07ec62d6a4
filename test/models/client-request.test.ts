/**
 * The adapter names path and version of Anthropic's request (docs/decisions/019). This compares it with what `messages.create` of
 * the whole client sends, and fails when a new version differs.
 */
import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages'
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
beforeAll(async () => {
  server = await startScripted('anthropic')
  server.script = says('well')
})
afterAll(() => server.close())

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
