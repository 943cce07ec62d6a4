/** Whether a provider accepted a key is reported for the call that the key was given for, and for no other fault. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ModelConnection } from '../../integrations/models/connection.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { TEXTS } from './prompts.ts'
import { promptOf } from './request.ts'
import { begin, type Script, type ScriptedServer, says, startScripted } from './scripted-server.ts'
import { KEY } from './voices.ts'

const PROMPT = promptOf(TEXTS, 'hi')
const LIMITS = { maxTokens: 50, timeout: 5_000 }
const status =
  (code: number): Script =>
  (response) =>
    void response.writeHead(code).end()

const breaksOff: Script = (response, voice) => {
  begin(response, voice)
  response.destroy()
}

let server: ScriptedServer
beforeEach(async () => {
  server = await startScripted('openai')
})
afterEach(() => server.close())

function watched() {
  const calls: object[] = []
  const heard: (readonly [call: number, use: string])[] = []
  const connection: Partial<ModelConnection> = {
    key: async (call) => {
      calls.push(call)
      return ok(KEY)
    },
    settled: (call, use) => void heard.push([calls.indexOf(call), use]),
  }
  return { heard, model: server.model({}, connection) }
}

it.each<[string, Script, readonly string[]]>([
  ['an answer', says('hello'), ['accepted']],
  ['401', status(401), ['rejected']],
  ['403', status(403), []],
  ['404', status(404), []],
  ['429', status(429), []],
  ['500', status(500), []],
  ['an answer that breaks off', breaksOff, []],
])('a key is settled or not after %s', async (_, script, uses) => {
  server.script = script
  const { heard, model } = watched()
  await model.complete(PROMPT, LIMITS)
  expect(heard).toEqual(uses.map((use) => [0, use]))
})

it('of two concurrent calls each settles its own key', async () => {
  const waiting: (() => void)[] = []
  server.script = (response, voice) => {
    const isFirst = server.seen.length === 1
    if (!isFirst) return says('hello')(response, voice)
    waiting.push(() => void response.writeHead(401).end())
  }
  const { heard, model } = watched()
  const first = model.complete(PROMPT, LIMITS)
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await model.complete(PROMPT, LIMITS)
  for (const go of waiting) go()
  await first
  expect(heard).toEqual([
    [1, 'accepted'],
    [0, 'rejected'],
  ])
})
