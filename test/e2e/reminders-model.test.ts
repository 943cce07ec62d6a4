/**
 * Reminders as their owner changes them with a model: at a home whose planner is a server of one's own, what was just set gets another time and is
 * cancelled, without a card (DESIGN §9).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { servePlanner, setPlanner } from './planning-model.ts'
import { createBench } from './terminal-bench.ts'

const clock = createTestClock({ at: Date.parse('2026-11-26T12:00:00Z') })
const bench = createBench({ env: clock.env })

/** What the model answers to a planner: by the request, which stands last in its prompt. */
const PLANS: readonly (readonly [RegExp, string, Record<string, string>])[] = [
  [/juggle that/, 'reminder.change', { number: 'w1.number', due: 'said.from' }],
  [/drop that/, 'reminder.cancel', { number: 'w1.number' }],
]
const asked: string[] = []
const model = await servePlanner(({ text, last, isPlan }) => {
  asked.push(text)
  const found = PLANS.find(([words]) => words.test(last))
  const args = Object.entries(found?.[2] ?? {}).map(([name, ref]) => ({ name, ref }))
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

test('what was just set gets another time, and is cancelled, without a card', async () => {
  await reply('remind me tomorrow at 9 to call the bank')
  expect(await reply("what's coming up?")).toMatch(/^1\. Friday 27 November, 09:00: call the bank$/m)
  const moved = await bench.ask('juggle that to tomorrow at 16:00')
  expect(moved.report.task.approval).toBeNull()
  expect(await reply("what's coming up?")).toMatch(/^1\. Friday 27 November, 16:00: call the bank$/m)
  const dropped = await bench.ask('please drop that one again somehow')
  expect(dropped.report.task.approval).toBeNull()
  expect(await reply("what's coming up?")).not.toContain('call the bank')
  expect(asked.some((prompt) => prompt.includes('w1 reminder.'))).toBe(true)
})
