/**
 * A message whose first two providers fail, through the real pipeline and over real HTTP (N-12, N-18, P-22): each gets a prompt in
 * its own form, which begins with the identity; the third one's answer is delivered.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hardIdentity } from '../../kernel/prompt/identity.ts'
import { stoodIn } from '../../kernel/wording/note.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'
import { TEXTS } from './prompts.ts'
import { type Script, type ScriptedServer, says, startScripted } from './scripted-server.ts'

const WORDS = 'please do the unusual thing'
const IDENTITY = hardIdentity(TEXTS.identity, 'PFAR').block

const page: Script = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>sorry')
const closed: Script = (response) => void response.writeHead(403).end()

let servers: ScriptedServer[]
beforeAll(async () => {
  servers = [await startScripted('anthropic'), await startScripted('openai'), await startScripted('ollama')]
})
afterAll(async () => {
  for (const server of servers) await server.close()
})

it('when two providers fail the third answers, and each got a prompt in its own form', async () => {
  const [first, second, third] = servers as [ScriptedServer, ScriptedServer, ScriptedServer]
  first.script = page
  second.script = closed
  third.script = (response, voice) => {
    const isPlan = third.seen.at(-1)?.raw.includes('Task: turn the request into a plan.')
    return says(isPlan === true ? '{"steps":[],"explanation":""}' : 'from the third')(response, voice)
  }
  const models = servers.map((server) =>
    server.model({
      reader: { id: server.service, locality: 'home', level: 'regulated', compartments: 'all' },
      window: 32_768,
    }),
  )
  const world = createWorld({ models, tools: mailTools() })
  await world.say(WORDS)

  const [asked = '', , answered = ''] = models.map(({ reader }) => reader.id)
  expect(world.sent.map(({ text }) => text)).toEqual([
    `${stoodIn({ model: asked, code: 'model_garbled' }, answered)}\n\nfrom the third`,
  ])
  const synthesis = servers.map(({ seen }) => seen.at(-1)?.body ?? {})
  const [marked, ...plain] = synthesis as [Record<string, unknown>, ...Record<string, unknown>[]]
  const system = marked['system'] as readonly { text: string }[]
  expect(system).toHaveLength(2)
  expect(system[0]?.text.startsWith(IDENTITY)).toBe(true)
  for (const { messages } of plain as { messages: { role: string; content: string }[] }[]) {
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(messages[0]?.content.startsWith(IDENTITY)).toBe(true)
    expect(messages[1]?.content).toContain(WORDS)
  }
})
