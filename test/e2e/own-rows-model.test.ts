/**
 * What is remembered as its owner changes it with a model: at a home whose planner is a server of one's own, a fact is corrected and
 * forgotten, without a card (DESIGN §9).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { servePlanner, setPlanner } from './planning-model.ts'
import { createBench } from './terminal-bench.ts'

const clock = createTestClock({ at: Date.parse('2026-11-26T12:00:00Z') })
const bench = createBench({ env: clock.env })

const PLANS: readonly (readonly [RegExp, string, Record<string, string>])[] = [
  [/juggle that locker/, 'memory.correct', { which: 'locker', text: 'my locker is number 14' }],
  [/lockers are over/, 'memory.forget', { which: 'locker' }],
]
const model = await servePlanner(({ last, isPlan }) => {
  const found = PLANS.find(([words]) => words.test(last))
  const args = Object.entries(found?.[2] ?? {}).map(([name, value]) => ({ name, value }))
  const steps = found === undefined ? [] : [{ id: 's1', do: 'tool', tool: found[1], args }]
  return isPlan ? JSON.stringify({ steps }) : 'So it is.'
})

beforeAll(async () => {
  setPlanner(bench.folder, model)
  await bench.start('--no-demo', '--only', 'home')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  clock.remove()
  await model.close()
})

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

test('a fact is corrected and forgotten by a plan, without a card', async () => {
  await reply('remember that my locker is number 12')
  const corrected = await bench.ask('juggle that locker: my locker is number 14')
  expect(corrected.report.task.approval).toBeNull()
  expect(await reply('/memory')).toMatch(/my locker is number 14/)
  const gone = await bench.ask('ah well, lockers are over: drop the locker')
  expect(gone.report.task.approval).toBeNull()
  expect(await reply('/memory')).not.toMatch(/locker is number/)
})
