/**
 * A prompt with a picture, as each service takes it, against the strict scripted services (B-27): the picture is sent once beside
 * the unchanged text, and appears in no answer.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { promptFor } from './prompts.ts'
import { type ScriptedServer, says, startScripted } from './scripted-server.ts'
import type { Service } from './voices.ts'

const LIMITS = { maxTokens: 200, timeout: 20_000 }
const DATA = Buffer.from('\u00ff\u00d8\u00ff of a lantern', 'latin1').toString('base64')
const WITH = promptFor('what is it?', [], { mediaType: 'image/jpeg', data: DATA })
const WITHOUT = promptFor('what is it?')

const ROWS: readonly (readonly [Service, (text: string) => object])[] = [
  ['ollama', (content) => ({ role: 'user', content, images: [DATA] })],
  [
    'openai',
    (text) => ({
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${DATA}` } },
      ],
    }),
  ],
]

describe.each(ROWS)('a picture is sent: %s', (service, message) => {
  let server: ScriptedServer
  beforeAll(async () => {
    server = await startScripted(service)
  })
  afterAll(() => server.close())

  it.each([
    ['gets it with the message', {}, 'system'],
    ['gets it where it knows no system role', { systemRole: false }, 'user'],
  ])('a picture is sent: %s', async (_what, settings, role) => {
    server.script = says('A lantern.')
    server.seen.length = 0
    const answer = await server.model(settings).complete(WITH, LIMITS)
    expect(answer).toMatchObject({ ok: true, value: { text: 'A lantern.' } })
    expect(server.seen.map(({ body }) => body['messages'])).toEqual([
      [{ role, content: WITH.system }, message(WITH.user)],
    ])
    expect(server.seen[0]?.raw.split(DATA)).toHaveLength(2)
  })

  it('a prompt without a picture has the same text and nothing beside it', async () => {
    server.seen.length = 0
    await server.model().complete(WITHOUT, LIMITS)
    expect([WITHOUT.system, WITHOUT.user]).toEqual([WITH.system, WITH.user])
    expect(server.seen.map(({ body }) => body['messages'])).toEqual([
      [
        { role: 'system', content: WITHOUT.system },
        { role: 'user', content: WITHOUT.user },
      ],
    ])
  })
})
