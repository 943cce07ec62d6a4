/**
 * The morning briefing as its owner has it: asked for at a home without a model, agreed to on its card, over a kill of that home; it comes once, marked
 * late, with the demo's calendar and mail (DESIGN §9).
 */
import { afterAll, expect, test } from 'vitest'
import { decideOn } from '../../sidecar/cli/chat/cards.ts'
import type { LineDelivery } from '../../sidecar/cli/line/link.ts'
import { createTestClock } from '../clock/clock.ts'
import { until } from '../home/fixtures/wait.ts'
import { lineOf, SOON } from './chaos-bench.ts'
import { createBench } from './terminal-bench.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const clock = createTestClock({ at: Date.now() })
const bench = createBench({ env: clock.env })
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  clock.remove()
})

const start = () => bench.start('--only', 'home')
const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

test('a briefing comes once over a kill, and says that it is late', async () => {
  await start()
  await reply('send me the morning briefing every day at 8')
  const line = lineOf(bench.folder, 'private')
  const seen: LineDelivery[] = []
  const card = await until(async () => {
    seen.push(...(await line.delivered()))
    return seen.find(({ kind }) => kind === 'card') ?? null
  }, SOON)
  expect(card.text).toMatch(/Morning briefing[\s\S]*The next times:\n(?:- .*\n){3}/)
  expect((await line.link((link) => decideOn(link, String(card.approval), 'approve'))).ok).toBe(true)
  expect(await reply('what runs when?')).toMatch(/^1\. Morning briefing: every day at 08:00/)
  expect((await bench.pfar('status')).out).toMatch(/^jobs:.*Morning briefing/m)
  await bench.kill()
  await clock.jump(25 * HOUR)
  await start()
  const told: string[] = []
  const look = async (): Promise<readonly string[]> => {
    const more = await line.delivered()
    told.push(
      ...more.map((row) => JSON.stringify(row)).filter((row) => row.includes('Morning briefing, late')),
    )
    return told
  }
  await until(async () => (await look()).length > 0, SOON)
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
  await reply('check my mail every 15 minutes')
  const line = lineOf(bench.folder, 'private')
  const told: string[] = []
  const seen: LineDelivery[] = []
  const look = async (): Promise<void> => {
    const more = await line.delivered()
    seen.push(...more)
    told.push(...more.map((row) => JSON.stringify(row)).filter((row) => row.includes('"Email check')))
  }
  const card = await until(async () => {
    await look()
    return seen.find(({ kind, text }) => kind === 'card' && text.includes('Email check')) ?? null
  }, SOON)
  expect(card.text).toMatch(/every 15 minutes/)
  expect((await line.link((link) => decideOn(link, String(card.approval), 'approve'))).ok).toBe(true)
  told.length = 0
  const afterKill = async (says: RegExp): Promise<void> => {
    await bench.kill()
    await clock.jump(16 * MINUTE)
    await start()
    await until(async () => says.test(await reply('/jobruns email check')), SOON)
  }
  await afterKill(/: sent/)
  await afterKill(/nothing to tell/)
  await look()
  expect(told).toHaveLength(1)
})
