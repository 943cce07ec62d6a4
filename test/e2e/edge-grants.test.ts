/**
 * Both places as `npm start` runs them, and a stranger in a chat that the edge holds (F-13, X-05): the stranger learns when the owner
 * is free only under the owner's grant, as often as home has agreed to, and nothing after it was withdrawn.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../home/fixtures/wait.ts'
import { type Answer, serve } from '../kit/server.ts'
import { closing } from '../kit/stop.ts'
import type { WorkerBundle } from '../kit/worker-bundle.ts'
import { configure, lineOf, type ScriptedGoogle, SOON, startGoogle } from './chaos-bench.ts'
import { bundleFakes, edgeOrigin, layBundle } from './chaos-edge.ts'
import { createBench } from './terminal-bench.ts'

const FREE_BUSY = 'POST /calendar/v3/freeBusy'
const ASK = 'is there a free slot tomorrow?'
/** Without a grant the owner is asked for an answer, once. */
const NO = /^I have asked/

const bench = createBench()
const told: { readonly sink: string; readonly text: string }[] = []
const answer: Answer = (request, response, body) => {
  // The model is out of order, so that the one without a network answers.
  if (request.url !== '/chat') return void response.destroy()
  told.push(JSON.parse(body))
  response.end('{}')
}
let google: ScriptedGoogle
let made: WorkerBundle

beforeAll(async () => {
  const { origin } = closing(await serve(answer))
  google = closing(await startGoogle())
  configure(bench.folder, google.origin)
  made = await bundleFakes()
  const bindings = { FAKE_DELIVER_URL: `${origin}/chat`, FAKE_MODEL_URL: `${origin}/model` }
  layBundle({ folder: bench.folder, made, bindings })
  await bench.start('--no-demo')
  // Home has greeted, and what it tells at a connection is there.
  await lineOf(bench.folder, 'open').delivered()
})

afterAll(async () => {
  await bench.stop()
  await bench.remove()
})

/** What a stranger is told. */
async function asks(user: string): Promise<string> {
  const before = told.length
  const body = JSON.stringify({ id: crypto.randomUUID(), text: ASK })
  const sent = await fetch(`${edgeOrigin(bench.folder)}/fake-telegram/${user}`, { method: 'POST', body })
  expect(sent.status).toBe(202)
  await until(() => told.length > before, SOON)
  const last = told.at(-1)
  expect(last?.sink).toBe(`sink:telegram:${user}`)
  return last?.text ?? ''
}

async function owner(...command: string[]): Promise<string> {
  const { code, out, err } = await bench.pfar(...command)
  expect([code, err]).toEqual([0, expect.anything()])
  return `${out}\n${err}`
}

/** As an edge that was taken over puts it into its own outbox. */
async function forge(over: Readonly<Record<string, unknown>>): Promise<void> {
  const id = crypto.randomUUID()
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const call = {
    ...{ id, task: 'taken', step: 0, trace: 'taken', template: 'scheduling', tool: 'calendar.freebusy' },
    ...{ principal: 'principal:telegram:peer:eve', sink: 'sink:telegram:eve' },
    ...{ args: { from: at(1), to: at(2) }, deadline: Date.now() + SOON, ...over },
    provenance: { label: { atoms: [] }, taint: { level: 'clean', origins: [], touchedBy: [] } },
  }
  const body = JSON.stringify(call)
  const asked = await fetch(`${edgeOrigin(bench.folder)}/ask-home`, { method: 'POST', body })
  expect(await asked.json()).toMatchObject({ ok: true })
}

test('a stranger learns when the owner is free under a grant, and nothing before or after it', async () => {
  expect(await asks('bob')).toMatch(NO)
  const put = await owner('grants', 'freebusy', '--ahead', '7', '--per-day', '3')
  expect(put).toContain('How far ahead: 7 days.')
  expect(await asks('bob')).toMatch(NO)
  await owner('approve', /pfar approve (\S+)/.exec(put)?.[1] ?? '')
  const free = await until(async () => {
    const text = await asks('bob')
    return NO.test(text) ? null : text
  }, SOON)
  expect(free).toMatch(/free/)
  expect(google.asked(FREE_BUSY)).toBe(1)

  // Of these home looks nothing up, and counts nothing.
  await forge({ template: 'whatsapp_scheduling' })
  await forge({ sink: 'sink:terminal:owner' })
  await forge({ tool: 'calendar.list_events' })
  await forge({ args: { from: new Date().toISOString(), to: new Date(Date.now() + 3e9).toISOString() } })
  expect(await asks('ann')).toMatch(/free/)
  expect(google.asked(FREE_BUSY)).toBe(2)

  await forge({})
  await until(() => google.asked(FREE_BUSY) === 3, SOON)
  expect(await asks('bob')).toMatch(NO)

  const [grant] = /\S+(?= · live)/.exec(await owner('grants')) ?? ['']
  await owner('grants', 'revoke', grant)
  await until(async () => NO.test(await asks('bob')), SOON)
  expect(google.asked(FREE_BUSY)).toBe(3)
})
