/**
 * Mail as its owner asks for it with a model, at a home whose planner is a server of one's own and whose mailbox is the demo's: what was not found in one
 * language is looked for in the other, and what is not there ends no request (DESIGN §10).
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendJson, serve } from '../kit/server.ts'
import { createBench } from './terminal-bench.ts'

const bench = createBench()

const search = (id: string, value: string) => ({
  ...{ id, do: 'tool', tool: 'email.search' },
  args: [{ name: 'words', value }],
})
const OTHERWISE = [
  { id: 's1', do: 'tool', tool: 'email.list', args: [] },
  { id: 's2', do: 'select', from: 's1.emails', matching: 'Quentin', take: 'all' },
  { id: 's3', do: 'tool', tool: 'email.archive', args: [{ name: 'ids', ref: 's2.id' }] },
  { ...search('s4', 'Offsite'), when: { ref: 's3', is: 'skipped' } },
]
const asked: string[] = []
const plans = () => asked.filter((prompt) => prompt.includes('plan the reads alone'))
const model = await serve((request, response, body) => {
  if (request.method === 'GET') return sendJson(response, { data: [{ id: 'm', created: 1_000 }] })
  const { messages } = JSON.parse(body) as { readonly messages: readonly object[] }
  const prompt = JSON.stringify(messages)
  // The request stands last.
  const isOf = (words: string): boolean => JSON.stringify(messages.at(-1)).slice(-200).includes(words)
  asked.push(prompt)
  const isPlan = prompt.includes('plan the reads alone')
  const steps = prompt.includes('nothing_found')
    ? [search('s2', 'Invoice')]
    : isOf('Rechnung')
      ? [search('s1', 'Rechnung')]
      : OTHERWISE
  const content = isPlan ? JSON.stringify({ steps }) : 'That is all.'
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
  await bench.start('--only', 'home')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  await model.close()
})

const outcomes = async (text: string) => {
  const { report } = await bench.ask(text)
  expect(report.task).toMatchObject({ trouble: null, approval: null })
  return report.task.steps.map(({ tool, outcome }) => `${tool} ${outcome}`)
}

test('a search that finds nothing is made once more in the language of the mail', async () => {
  const text = 'Irgendwo ist doch die Rechnung für unseren Server, worum ging es da nochmal?'
  expect(await outcomes(text)).toEqual(['email.search done', 'email.search done'])
  expect(plans()).toHaveLength(2)
  // What was found is for the writer alone.
  expect(plans().join()).not.toContain('Invoice 2214')
  expect(asked.at(-1)).toContain('Invoice 2214')
})

test('where there is nothing to archive, the “otherwise” of the request is done', async () => {
  const text = 'If anything from Quentin is there put it away, otherwise look for the offsite, somehow.'
  expect(await outcomes(text)).toEqual(['email.list done', 'email.archive skipped', 'email.search done'])
  expect(asked.at(-1)).toContain('Offsite: agenda draft')
})
