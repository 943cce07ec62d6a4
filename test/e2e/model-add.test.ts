/**
 * `pfar model add` as a person meets it, on a terminal of its own: a server of one's own, and a gateway to a company with a key, a wrong
 * one first. The key is in no file and on no screen, and private data goes there only after a yes to a card (D-03, D-20, F-17, S-05).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolder } from '../kit/folder.ts'
import { type Served, serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import { filesIn } from '../regression/files.ts'
import { onTerminal } from './keys-bench.ts'
import { run } from './terminal-bench.ts'

const KEY = 'sk-of-the-owner-0123456789'
const PIECES = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'PFAR' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]

interface Model {
  readonly served: Served
  /** Of each request: its key, or null. */
  readonly keys: (string | null)[]
}

/** A server with OpenAI's interface and twenty models. */
async function startModel(key: string | null): Promise<Model> {
  const keys: (string | null)[] = []
  const served = await serve((request, response) => {
    keys.push(request.headers.authorization ?? null)
    if (key !== null && request.headers.authorization !== `Bearer ${key}`)
      return response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{}}')
    if (request.url === '/v1/models') {
      const data = Array.from({ length: 20 }, (_, at) => ({ id: `model-${at}`, created: 1_000 + at }))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
    }
    const lines = PIECES.map((piece) =>
      JSON.stringify({ id: 'x', object: 'chat.completion.chunk', ...piece }),
    )
    const events = [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`).join('')
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events)
  })
  return { served: closing(served), keys }
}

const home = join(newFolder('e2e-model'), 'state')
const environment = { PFAR_HOME: home, NO_COLOR: '1' }
const config = (): string => readFileSync(join(home, 'config.toml'), 'utf8')

const add = (args: string, answers: readonly (readonly [RegExp, string])[] = []) =>
  onTerminal(`scripts/pfar.mjs model add ${args}`, environment, answers)

describe('a server of one’s own', () => {
  let model: Model
  beforeAll(async () => {
    model = await startModel(null)
  })

  test('is named by its address, its model chosen by a part of its name, and it is asked', async () => {
    const ran = add('', [
      [/Which one\? > $/, `${model.served.origin}/v1`],
      [/and 8 more[\s\S]*part of its name > $/, 'l-1'],
      [/ {2}1 {2}model-19[\s\S]*part of its name > $/, '2'],
    ])
    expect(await ran.ended).toBe(0)
    expect(ran.shown()).toMatch(/It answers: PFAR/)
    expect(ran.shown()).not.toMatch(/Key for|Type yes/)
    expect(config()).toContain('# PFAR, home')
    expect(config()).toContain('[[models.providers]]\nname = "own"\nkind = "openai"\nmodel = "model-18"\n')
    expect(model.keys.every((key) => key === null)).toBe(true)
  })
})

describe('a gateway to a company', () => {
  let model: Model
  let address = ''
  beforeAll(async () => {
    model = await startModel(KEY)
    address = `${model.served.origin}/v1`
  })

  const answers = (key: string): readonly (readonly [RegExp, string])[] => [
    [/keep it instead\?[\s\S]*\[passphrase\] > $/, 'plain'],
    [/Key for [^\n]*: $/, key],
  ]

  test('a key that it does not take changes nothing', async () => {
    const before = config()
    const ran = add(`${address} --cloud --model model-3`, answers('sk-of-somebody-else'))
    expect(await ran.ended).toBe(1)
    expect(ran.shown()).toMatch(/did not accept that key[\s\S]*Nothing was stored/)
    expect(config()).toBe(before)
  })

  test('its key is sealed, and it reads what is private only after a yes', async () => {
    const ran = add(`${address} --cloud --model model-3 --name company`, [
      ...answers(KEY),
      [/allow exactly this: $/, 'no'],
    ])
    expect(await ran.ended).toBe(0)
    expect(ran.shown()).toMatch(/would read what you write[\s\S]*It reads nothing private/)
    expect(ran.shown()).not.toContain(KEY)
    expect(config()).toMatch(/name = "company"[\s\S]*cloud = true\nkey = "vault:company"/)
    expect(model.keys.at(-1)).toBe(`Bearer ${KEY}`)
    for (const file of filesIn(home)) expect(readFileSync(join(home, file), 'latin1')).not.toContain(KEY)
    expect(await acknowledged()).toBeNull()
  })

  test('a second one gets a name of its own, and a yes holds', async () => {
    const ran = add(`${address} --cloud --model model-4`, [...answers(KEY), [/allow exactly this: $/, 'yes']])
    expect(await ran.ended).toBe(0)
    expect(config()).toContain('name = "own_2"')
    expect(ran.shown()).toMatch(/may read your private line, for a year/)
    expect(await acknowledged()).toEqual(expect.any(Number))
  })

  async function acknowledged(): Promise<unknown> {
    const { out } = await run(['scripts/pfar.mjs', 'models', '--json'], { ...process.env, ...environment })
    const { templates } = JSON.parse(out) as {
      templates: readonly { id: string; acknowledgedUntil: number | null }[]
    }
    return templates.find(({ id }) => id === 'owner_private')?.acknowledgedUntil
  }
})

test.each([
  ['what is no service', 'ftp://example.com', /A model can come from/],
  ['plain http to a company', 'http://models.example.com/v1', /A model can come from/],
  ['a server that is not there', 'http://127.0.0.1:1/v1', /cannot be reached\. Nothing was stored/],
])('%s is said, and nothing is written', async (_what, service, words) => {
  const own = { PFAR_HOME: join(newFolder('e2e-model'), 'state'), NO_COLOR: '1' }
  const { code, err } = await run(['scripts/pfar.mjs', 'model', 'add', service], { ...process.env, ...own })
  expect([code, err]).toEqual([1, expect.stringMatching(words)])
  expect(readFileSync(join(own.PFAR_HOME, 'config.toml'), 'utf8')).not.toMatch(/^\[\[models/m)
})
