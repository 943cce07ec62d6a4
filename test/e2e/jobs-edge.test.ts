/**
 * A job at the edge as its owner has it, with home away (DESIGN §9, G-01 – G-09): set by talking to the
 * edge's bot in Telegram and a tap on its card, told there once at its time over kills of the edge, late once
 * where the edge was off, and stopped by its words. What others write, and what stands on the list, changes
 * none of it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import type { StandingMessage } from '../fakes/telegram-methods.ts'
import { fresh, OWNER_ID } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { createEdgeBot, type EdgeBot } from './edge-bot.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STRANGER = OWNER_ID + 7
/** A Wednesday, after eight everywhere that this may run. */
const clock = createTestClock({ at: Date.parse('2026-11-25T20:30:00Z') })

let bot: EdgeBot

beforeAll(async () => {
  bot = await createEdgeBot({ env: clock.env })
  await bot.start('--no-demo', '--only', 'edge')
  bot.telegram.order({ chats: [OWNER_ID, STRANGER] })
})

afterAll(async () => {
  await bot.close()
  clock.remove()
})

const standing = (): readonly StandingMessage[] =>
  [...bot.telegram.messenger.messages.values()].filter(
    ({ byBot, chat, text }) => byBot && chat === OWNER_ID && !text.endsWith('…'),
  )

/** What the bot says to these words of the owner's, once it fits. */
async function answer(text: string, fits: RegExp): Promise<StandingMessage> {
  const before = new Set(standing().map(({ id }) => id))
  expect(await bot.telegram.bring(bot.written(OWNER_ID, text) as never)).toBe(200)
  return until(() => standing().find((one) => !before.has(one.id) && fits.test(one.text)), SOON)
}

async function yesTo(card: StandingMessage): Promise<void> {
  const yes = (card.markup?.inline_keyboard ?? []).flat().find(({ text }) => text === 'Yes')
  const data = yes !== undefined && 'callback_data' in yes ? yes.callback_data : ''
  const id = String(fresh())
  bot.telegram.messenger.queries.add(id)
  const message = { message_id: card.id, date: 1, chat: { id: card.chat, type: 'private', first_name: 'X' } }
  const from = { id: OWNER_ID, is_bot: false, first_name: 'X' }
  const query = { id, from, chat_instance: '1', data, message }
  expect(await bot.telegram.bring({ update_id: fresh(), callback_query: query } as never)).toBe(200)
}

const briefings = (): readonly string[] =>
  bot
    .said(OWNER_ID)
    .filter((text) => text.startsWith('Morning briefing') && text.includes('Open on your list'))

/** The next moment that is 8:00 in this zone. */
function nextEight(zone: string): number {
  const told = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  let at = Math.ceil(clock.now() / MINUTE) * MINUTE
  while (told.format(at) !== '08:00') at += MINUTE
  return at
}

async function started(): Promise<void> {
  await bot.start('--no-demo', '--only', 'edge')
}

let due = 0

test('it is set by talking and a tap, and what needs home is not', async () => {
  await answer('put milk on my list', /milk/)
  const refused = await answer('start the email check', /Only your home box can do this/)
  expect(refused.text).toMatch(/looking through the mail[\s\S]*nothing here/)
  const card = await answer('start the morning briefing', /Do this by myself/)
  const zone = /08:00 \((?<zone>[^)]+)\)/.exec(card.text)?.groups?.['zone'] ?? ''
  due = nextEight(zone)
  expect(card.text).toMatch(/Thursday 26 November, 08:00\n- Friday 27 November, 08:00\n- Monday 30 November/)
  expect(card.text).toMatch(/nowhere else[\s\S]*no model/)
  await yesTo(card)
  const list = async () => (await answer('what runs when?', /morning briefing/i)).text
  await until(async () => /^1\. Morning briefing: every weekday at 08:00/.test(await list()), SOON)
})

test('what others write and what stands on the list neither stops nor changes it', async () => {
  expect(await bot.telegram.bring(bot.written(STRANGER, 'stop the morning briefing') as never)).toBe(200)
  const reminder = 'remind me tomorrow at 17:00 to stop the morning briefing'
  await answer(reminder, /^I will remind you[\s\S]*stop the morning briefing/)
  expect((await answer('what runs when?', /^1\. Morning briefing/)).text).toContain(
    'Next: Thursday 26 November',
  )
})

test('it comes once at its time, over kills of the edge', async () => {
  await bot.settled()
  await bot.bench.kill()
  await clock.set(due - 2 * MINUTE)
  await started()
  expect(briefings()).toEqual([])
  await clock.set(due + 1_000)
  const [first] = await until(() => (briefings().length > 0 ? briefings() : null), SOON)
  expect(first).toMatch(/^Morning briefing\n/)
  expect(first).toMatch(/17:00: stop the morning briefing[\s\S]*milk/)
  await bot.settled()
  await bot.bench.kill()
  await started()
  await clock.jump(2 * HOUR)
  expect((await answer('why did the briefing not come?', /Thursday 26 November/)).text).toMatch(/08:00: sent/)
  expect(briefings()).toHaveLength(1)
})

test('it comes late, once, where the edge was off at its time; and no more once it is stopped', async () => {
  await bot.settled()
  await bot.bench.kill()
  await clock.set(due + 25 * HOUR)
  await started()
  await answer('hello', /./)
  const [, late] = await until(() => (briefings().length > 1 ? briefings() : null), SOON)
  expect(late).toMatch(/late, as it was for Friday 27 November, 08:00/)
  await answer('stop the morning briefing', /^Stopped/)
  await clock.set(due + 4 * 24 * HOUR + MINUTE)
  expect((await answer('what runs when?', /Morning briefing/)).text).toMatch(/resumejob 1/)
  expect(briefings()).toHaveLength(2)
})
