/** What is said right after a reminder, at the terminal of a real home: another time after it was set, and a number that was offered under it (DESIGN §9). */
import { afterAll, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { until } from '../home/fixtures/wait.ts'
import { lineOf, SOON } from './chaos-bench.ts'
import { createBench } from './terminal-bench.ts'

const MINUTE = 60_000

const clock = createTestClock({ at: Date.now() })
const bench = createBench({ env: clock.env })
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  clock.remove()
})

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

/** It has come, and nothing was said since: a word in between may be what the number is meant for. */
async function comes(words: string): Promise<void> {
  await until(async () => {
    const rows = await lineOf(bench.folder, 'private').link((each) => each.deliveries(0, 0))
    return rows.ok && rows.value.some(({ text }) => text.includes(words) && text.includes('1 Done'))
  }, SOON)
}

test('2 puts it off by an hour, 1 ends it, and after an answer a number is a message', async () => {
  await bench.start('--no-demo', '--only', 'home')
  const two = await reply('remind me tomorrow at 9:00 and again at 12:00 to take the pill')
  expect(two.match(/I will remind you/g)).toHaveLength(2)
  await reply('in 20 minutes remind me to check the oven')
  expect(await reply('make it half an hour earlier')).toMatch(/over|past/i)
  expect(await reply('in 20 minutes remind me to water the plants')).toMatch(/I will remind you/)
  expect(await reply('make it an hour later')).toMatch(/^Moved: .*water the plants/)
  expect(await reply('/undo')).not.toMatch(/cannot/)
  expect(await reply('push the plants one to tomorrow at 10:00')).toMatch(/^Moved: .*10:00: water the plants/)
  await clock.jump(21 * MINUTE)
  await comes('check the oven')
  expect(await reply('2')).toMatch(/^Put off: .*check the oven/)
  expect(await reply("what's coming up?")).toContain('check the oven')
  await clock.jump(61 * MINUTE)
  await until(async () => {
    const rows = await lineOf(bench.folder, 'private').link((each) => each.deliveries(0, 0))
    return rows.ok && rows.value.filter(({ text }) => text.includes('check the oven\n1 Done')).length > 1
  }, SOON)
  expect(await reply('1')).toMatch(/^Done: .*check the oven/)
  expect(await reply("what's coming up?")).not.toContain('check the oven')
  expect(await reply('1')).not.toMatch(/^Done/)
})

test('an event of the calendar is looked up, and the time before it is asked about', async () => {
  await bench.stop()
  await bench.start()
  expect(await reply('remind me 30 minutes before the product team sync')).toMatch(/1: Product team sync/)
  expect(await reply('1')).toMatch(/Remind you of this, at this time[\s\S]*product team sync[\s\S]*09:00/i)
  expect(await reply('yes')).toMatch(/^I will remind you, .*09:00/)
  await until(async () => (await reply("what's coming up?")).includes('product team sync'), SOON)
})
