/** A stopped task ends its model call: the service sees its connection closed, and the call is counted. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usageReport } from '../../kernel/features/usage/usage-report.ts'
import { NO_BUDGET } from '../../kernel/inference/budget.ts'
import { tell } from '../../kernel/wording/words.ts'
import { testPatience } from '../fakes/patience.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld, message, type WorldOptions } from '../pipeline/world.ts'
import { begin, type Script, type ScriptedServer, says, startScripted } from './scripted-server.ts'

const WORDS = 'please do the unusual thing'
/** Which request was stopped is said, as others may wait. */
const NAMED = tell('wording.stopped_of', { words: WORDS })
const NOTHING = '{"steps":[],"explanation":""}'

let server: ScriptedServer
let entered: number
beforeEach(async () => {
  entered = 0
  server = await startScripted('openai')
})
afterEach(() => server.close())

const hangs: Script = () => {
  entered += 1
}
const begins: Script = (response, voice) => {
  begin(response, voice)
  response.write(voice.text('It is '))
  entered += 1
}
const busy: Script = (response) => {
  entered += 1
  response.writeHead(503).end()
}
const isPlan = (): boolean => server.seen.at(-1)?.raw.includes('Task: turn the request into a plan.') === true

async function stoppedWhile(script: Script, more: WorldOptions = {}, from = (): boolean => true) {
  server.script = (response, voice) => (from() ? script(response, voice) : says(NOTHING)(response, voice))
  const model = server.model({
    reader: { id: 'far', locality: 'cloud', level: 'internal', compartments: [] },
    window: 32_768,
  })
  const world = createWorld({ place: 'edge', models: [model], tools: mailTools(), ...more })
  const received = await world.shell.receive(message(WORDS, { id: 'm1', place: 'edge' }))
  if (!received.ok) throw new Error(received.reason.code)
  const { task, principal } = received.value
  const running = world.shell.run(principal)
  await expect.poll(() => entered).toBe(1)
  expect(await world.shell.stop(task)).toMatchObject({ ok: true })
  await running
  return world
}

describe.each([
  ['that plans', (): boolean => true],
  ['that writes the answer', (): boolean => !isPlan()],
])('stopping a task with a model %s', (_, from) => {
  it.each([
    ['and has said nothing', hangs],
    ['and is in the middle of it', begins],
  ])('%s: the call is ended and counted', async (_what, script) => {
    const world = await stoppedWhile(script, { budget: { ...NO_BUDGET, tokensPerDay: 100_000 } }, from)
    expect(world.heard()).toBe(NAMED)
    await expect.poll(() => server.left()).toBe(1)
    expect(entered).toBe(1)
    const { input } = usageReport(world.powers, 1).by.day[0] ?? { input: 0 }
    expect(input).toBeGreaterThan(500)
    expect(world.powers.store.spentOn({ day: '2026-11-20' }).tokens).toBeGreaterThan(500)
  })
})

it('a stopped task does not retry a model whose pause it waits for', async () => {
  const patience = { ...testPatience(), pause: () => new Promise<void>(() => undefined) }
  const world = await stoppedWhile(busy, { patience })
  expect([world.heard(), entered]).toEqual([NAMED, 1])
})
