/**
 * Reminders as their owner changes them with a model: at a home whose planner is a server of one's own, what was just set gets another time and is
 * cancelled, without a card (DESIGN §9).
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { sendJson, serve } from '../kit/server.ts'
import { createBench } from './terminal-bench.ts'

const clock = createTestClock({ at: Date.parse('2026-11-26T12:00:00Z') })
const bench = createBench({ env: clock.env })

/** What the model answers to a planner: by the request, which stands last in its prompt. */
const PLANS: readonly (readonly [RegExp, string, Record<string, string>])[] = [
  [/make that/, 'reminder.change', { number: 'w1.number', due: 'said.from' }],
  [/drop that/, 'reminder.cancel', { number: 'w1.number' }],
]
const asked: string[] = []
const model = await serve((request, response, body) => {
  if (request.method === 'GET') return sendJson(response, { data: [{ id: 'm', created: 1_000 }] })
  const { messages } = JSON.parse(body) as { readonly messages: readonly object[] }
  const prompt = JSON.stringify(messages)
  asked.push(prompt)
  // The request stands last.
  const found = PLANS.find(([words]) => words.test(JSON.stringify(messages.at(-1)).slice(-200)))
  const args = Object.entries(found?.[2] ?? {}).map(([name, ref]) => ({ name, ref }))
  const steps = found === undefined ? [] : [{ id: 's1', do: 'tool', tool: found[1], args }]
  const content = prompt.includes('plan the reads alone') ? JSON.stringify({ steps }) : 'So it is.'
  const pieces = [
    { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  ].map((piece) => JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...piece }))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return response.end([...pieces, '[DONE]'].map((line) => `data: ${line}\n\n`).join(''))
})

beforeAll(async () => {
  const provider = `kind = "openai"\nmodel = "m"\nbase_url = "${model.origin}/v1"\n`
  const text = `[models]\nchain = ["own"]\n\n[[models.providers]]\nname = "own"\n${provider}`
  appendFileSync(join(bench.folder, 'config.toml'), text, { mode: 0o600 })
  await bench.start('--no-demo', '--only', 'home')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  clock.remove()
  await model.close()
})

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

test('what was just set gets another time, and is cancelled, without a card', async () => {
  await reply('remind me tomorrow at 9 to call the bank')
  expect(await reply("what's coming up?")).toMatch(/^1\. Friday 27 November, 09:00: call the bank$/m)
  const moved = await bench.ask('please make that tomorrow at 16:00 somehow')
  expect(moved.report.task.approval).toBeNull()
  expect(await reply("what's coming up?")).toMatch(/^1\. Friday 27 November, 16:00: call the bank$/m)
  const dropped = await bench.ask('please drop that one again somehow')
  expect(dropped.report.task.approval).toBeNull()
  expect(await reply("what's coming up?")).not.toContain('call the bank')
  expect(asked.some((prompt) => prompt.includes('w1 reminder.'))).toBe(true)
})
