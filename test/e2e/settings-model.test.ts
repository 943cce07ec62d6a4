/**
 * How it is set up, as its owner says it freely to a model of their own that plans (L-10, DESIGN §9): a service is added by the flow that asks for its key, which
 * no model sees; another model is chosen, and strangers are shut out, each by a card, and taken back. In real processes.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notionState, pageRow, put, serveNotion, TOKEN } from '../fakes/notion-server.ts'
import { type Line, lineOf } from './chaos-bench.ts'
import { servePlanner, setPlanner } from './planning-model.ts'
import { createBench, waitFor } from './terminal-bench.ts'

const SOON = 30_000
/** A master key that home finds loaded: under the key of a first try no chat takes a credential. */
const loaded = mkdtempSync(join(tmpdir(), 'pfar-credentials-'))
const bench = createBench({ env: { CREDENTIALS_DIRECTORY: loaded } })
const state = notionState()
put(state, pageRow(1, 'Roof plan'))
const notion = await serveNotion(state)

const PLANS: readonly (readonly [RegExp, string, Record<string, string>])[] = [
  [/bring my notion pages into this/, 'admin.service_connect', { which: 'notion' }],
  [/think with the box in my hall/, 'admin.models_use', { model: 'local' }],
  [/strangers can get lost/, 'admin.templates_off', { which: 'strangers' }],
  [/the state you are in/, 'admin.status', {}],
]
const seen: string[] = []
const model = await servePlanner(({ text, last, isPlan }) => {
  seen.push(text)
  const found = PLANS.find(([words]) => words.test(last))
  const args = Object.entries(found?.[2] ?? {}).map(([name, value]) => ({ name, value }))
  const steps = found === undefined ? [] : [{ id: 's1', do: 'tool', tool: found[1], args }]
  return isPlan ? JSON.stringify({ steps }) : 'So it is.'
})
let line: Line

beforeAll(async () => {
  const own = `[services.notion]\nbase_url = "${notion.origin}"\n[network]\nexempt_origins = ["${notion.origin}"]\n`
  writeFileSync(join(loaded, 'pfar-master'), randomBytes(32), { mode: 0o600 })
  const custody = { version: 1, kind: 'systemd', id: '0'.repeat(16) }
  writeFileSync(join(bench.folder, 'custody.json'), JSON.stringify(custody), { mode: 0o600 })
  setPlanner(bench.folder, model)
  appendFileSync(join(bench.folder, 'config.toml'), own)
  await bench.start('--no-demo', '--only', 'home')
  line = lineOf(bench.folder, 'private')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  rmSync(loaded, { recursive: true })
  await Promise.all([model.close(), notion.close()])
})

/** Says it; what is said next that fits, a card as well. */
async function says(text: string, expected: RegExp): Promise<string> {
  const shown = [(await bench.pfar('ask', text)).out.trim()]
  await waitFor(async () => {
    if (shown.some((one) => expected.test(one))) return true
    shown.push(...(await line.delivered()).map((one) => one.text))
    return shown.some((one) => expected.test(one))
  }, SOON).catch(() => {
    throw new Error(`nothing that fits ${expected}:\n${shown.join('\n')}`)
  })
  return shown.find((one) => expected.test(one)) ?? ''
}

test('a service is added, and its key passes no model', async () => {
  await says('bring my notion pages into this, would you', /^To connect Notion, I need your access to it/m)
  await says(TOKEN, /^Notion is connected\.$/m)
  await says('search notion for roof', /^So it is\.$/m)
  expect(state.asked.map(({ path }) => path)).toContain('/v1/search')
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.filter((text) => text.includes(TOKEN))).toEqual([])
})

test('how it is set up is told to the letter', async () => {
  expect(await says('the state you are in, if you would', /^I answer here from your home box/)).toMatch(
    /^Connected: [^\n]*Notion/m,
  )
})

test('another model is chosen by a card, and taken back', async () => {
  const card = await says('think with the box in my hall from here on', /which model is asked first/)
  expect(card).toMatch(/the model: local\nI wrote all of it\./)
  await says('yes', /models at home only/)
  await says('undo', /^It is as it was before/)
  await says('which model do you use?', /in the order of your configuration/)
})

test('what strangers may ask is switched off by a card, and comes back by another', async () => {
  const card = await says('strangers can get lost', /answer no such request of other people/)
  expect(card).toMatch(/which one: strangers\nYou wrote all of it\./)
  await says('yes', /Switched off|it was done then/)
  await says('what may strangers ask?', /Switched off: nobody is answered/)
  await says('undo', /Answer other people again\?/)
  await says('yes', /it holds from now on/)
  expect(await says('what may strangers ask?', /scheduling/)).not.toContain('Switched off')
})
