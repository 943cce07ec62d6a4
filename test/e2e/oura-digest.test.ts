/**
 * The Oura digest as its owner has it, at a home without a model: after a yes it comes in the morning with a night that was fetched for it, and with what is kept
 * where the service is down (G-13).
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nightOf, ouraState, serveOura, TOKEN } from '../fakes/oura-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { sendJson } from '../kit/server.ts'
import { SOON } from './chaos-bench.ts'
import { createJobsBench } from './jobs-bench.ts'
import { onTerminal } from './keys-bench.ts'

const state = ouraState()
const service = await serveOura(state)
const { bench, clock, start, reply, agreed, toldOf, later } = createJobsBench({
  at: Date.parse('2026-11-23T12:00:00Z'),
  args: ['--no-demo', '--only', 'home'],
})
afterAll(() => service.close())
beforeAll(() => {
  const text = `[owner]\ntimezone = "UTC"\n[services.oura]\nbase_url = "${service.origin}"\n[network]\nexempt_origins = ["${service.origin}"]\n`
  appendFileSync(join(bench.folder, 'config.toml'), text, { mode: 0o600 })
})

test('the ring is connected', async () => {
  await start()
  const env = { PFAR_HOME: bench.folder, NO_COLOR: '1', ...clock.env }
  const ran = onTerminal('scripts/pfar.mjs connect oura --paste --allow-development-key', env, [
    [/Credential for oura: $/, TOKEN],
  ])
  await ran.ended
  expect(ran.shown()).toContain('Oura is connected')
})

test('it comes with the night that was fetched for it', async () => {
  await agreed('let this chat see health data', /health data/)
  await agreed('start the oura digest', /Oura digest[\s\S]*what your ring has that is new/)
  expect(state.asked).toEqual([])
  state.sleep.push(nightOf('2026-11-24', 433))
  await later((moved) => moved.set(Date.parse('2026-11-24T10:00:20Z')))
  await until(async () => (await toldOf('"Oura digest')).length > 0, SOON)
  const [told] = await toldOf('"Oura digest')
  expect(told).toMatch(/One day of your Oura ring is in\.[\s\S]*Sleep: 7 h 13 min \(Oura\)/)
  for (const { query } of state.asked) expect(JSON.stringify(query)).not.toMatch(/\b433\b|sleep/)
})

test('while the service is down, it says so, and has what is kept', async () => {
  state.instead = (response) => sendJson(response, { title: 'text-of-the-service' }, 503)
  await clock.set(Date.parse('2026-11-25T10:00:20Z'))
  await until(async () => (await toldOf('"Oura digest')).length > 1, SOON)
  const told = (await toldOf('"Oura digest')).at(-1)
  expect(told).toContain('I could not read your Oura data in')
  expect(told).toMatch(/Resting heart rate: 51 beats a minute \(Oura\)/)
  expect(told).not.toContain('text-of-the-service')
  expect(await reply('how did I sleep on Tuesday?')).toContain('7 h 13 min')
})
