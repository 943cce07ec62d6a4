/**
 * The morning briefing as its owner has it: asked for at a home without a model, agreed to on its card, over a kill of that home; it comes once, marked
 * late, with the demo's calendar and mail (DESIGN §9).
 */
import { expect, test } from 'vitest'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { createJobsBench } from './jobs-bench.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Half past eight: a day and an hour later the briefing is late, and not by the hours for which one is not told at all. */
const START = new Date().setUTCHours(8, 30, 0, 0)

const { bench, clock, start, reply, agreed, toldOf, later } = createJobsBench({
  at: START,
  args: ['--only', 'home'],
})

test('a briefing comes once over a kill, and says that it is late', async () => {
  await start()
  const card = await agreed('send me the morning briefing every day at 8', /Morning briefing/)
  expect(card).toMatch(/Morning briefing[\s\S]*The next times:\n(?:- .*\n){3}/)
  expect(await reply('what runs when?')).toMatch(/^1\. Morning briefing: every day at 08:00/)
  expect((await bench.pfar('status')).out).toMatch(/^jobs:.*Morning briefing/m)
  await later((moved) => moved.jump(25 * HOUR))
  const look = () => toldOf('Morning briefing, late')
  const told = await until(async () => {
    const found = await look()
    return found.length > 0 ? found : null
  }, SOON)
  expect(told[0]).toMatch(/Unread|unread|mail/i)
  await clock.jump(30 * MINUTE)
  expect(await reply('why did the morning briefing not come?')).toMatch(/08:00: sent late/)
  expect(await look()).toHaveLength(1)
})

test('it is stopped at once, and stays stopped over a restart', async () => {
  expect(await reply('stop the morning briefing')).toMatch(/^Stopped: 1\. Morning briefing/)
  await bench.stop()
  await start()
  expect(await reply('what runs when?')).toMatch(/Stopped; \/resumejob 1/)
})

test('the email check tells what is unread once, also over a restart, and is quiet afterwards', async () => {
  expect(await agreed('check my mail every 15 minutes', /Email check/)).toMatch(/every 15 minutes/)
  const before = (await toldOf('"Email check')).length
  const afterKill = async (says: RegExp): Promise<void> => {
    await later((moved) => moved.jump(16 * MINUTE))
    await until(async () => says.test(await reply('/jobruns email check')), SOON)
  }
  await afterKill(/: sent/)
  await afterKill(/nothing to tell/)
  expect((await toldOf('"Email check')).length - before).toBe(1)
})
