/**
 * Jobs and reminders in Slack, in real processes: a job is set, moved right after it was shown, sent to another chat and back, and comes once and late over a
 * kill; a reminder is answered by its buttons, by its owner alone (DESIGN §9, G-01, G-02).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FIRST_WAIT } from '../../kernel/features/deliveries/waiting-line.ts'
import { createTestClock } from '../clock/clock.ts'
import { SLACK_DM, SLACK_OWNER, type SlackStanding } from '../fakes/slack-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { BOTH_TOKENS, type SlackHome, startSlackHome, storeGoogle } from './slack-home.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Today at ten, so that every time of the day is to come tomorrow. */
const clock = createTestClock({ at: new Date().setHours(10, 0, 0, 0) })
let home: SlackHome
beforeAll(async () => {
  home = await startSlackHome(clock.env)
  await home.startHome()
  const { code, said } = await home.run(['connect'], BOTH_TOKENS)
  expect([code, said]).toEqual([0, expect.stringContaining(SLACK_OWNER)])
  await listens()
  await storeGoogle(home)
})
afterAll(async () => {
  await home.close()
  clock.remove()
})

const wordsOf = ({ blocks }: SlackStanding): string =>
  blocks
    .map(({ text }) => text?.text ?? '')
    .join('')
    .replace(/&(lt|gt|amp);/g, (_whole, name: string) => ({ lt: '<', gt: '>' })[name] ?? '&')
const standing = (): readonly SlackStanding[] =>
  [...home.slack.messages.values()].filter((one) => one.byBot && one.channel === SLACK_DM)
const buttons = ({ blocks }: SlackStanding): boolean => blocks.some(({ type }) => type === 'actions')
const listens = () =>
  until(async () => {
    const { result } = await home.ask('status')
    return (result as Readonly<Record<string, unknown>>)['slack'] === 'listens'
  }, SOON)
const fitting = (expected: RegExp): readonly SlackStanding[] =>
  standing().filter((one) => expected.test(wordsOf(one)))

/** The owner writes it; what comes then that fits, a card as well. */
async function says(text: string, expected: RegExp): Promise<SlackStanding> {
  const before = new Set(standing().map(({ ts }) => ts))
  const fresh = () => standing().filter(({ ts }) => !before.has(ts))
  home.slack.write(SLACK_OWNER, text)
  const found = await until(
    () => fresh().find((one) => !wordsOf(one).endsWith('…') && expected.test(wordsOf(one))) ?? null,
    SOON,
  ).catch(() => null)
  if (found === null)
    throw new Error(`"${text}": nothing that fits ${expected}:\n${fresh().map(wordsOf).join('\n')}`)
  return found
}

async function agreed(text: string, shows: RegExp): Promise<void> {
  const card = await says(text, shows)
  home.slack.tap(card, 'Yes')
  await until(() => !standing().some(buttons), SOON)
}

/** Home is killed, the clock is moved, and it is started again. */
async function later(milliseconds: number): Promise<void> {
  await home.killHome()
  await clock.jump(milliseconds)
  await home.startHome()
  await listens()
}

test('a job is set by a tap, and moved right after it was shown', async () => {
  await agreed('send me the morning briefing every day at 8', /Morning briefing[\s\S]*The next times:/)
  await says('what runs when?', /^1\. Morning briefing: every day at 08:00, Slack/)
  await says('make it 7:30', /^Moved: 1\. Morning briefing: every day at 07:30/)
  await says('an hour later', /^Moved: 1\. Morning briefing: every day at 08:30/)
  await says('mach es um 7', /^Moved: 1\. Morning briefing: every day at 07:00/)
  await says('eine Stunde später', /^Moved: 1\. Morning briefing: every day at 08:00/)
})

test('it is sent to another chat, and to Slack instead, by a card each', async () => {
  await agreed('send it to the terminal instead', /From now on: [^\n]*erminal/)
  await says('what runs when?', /^1\. Morning briefing: every day at 08:00, [^\n]*erminal/)
  await agreed('send it to Slack instead', /From now on: [^\n]*Slack/)
  await says('what runs when?', /^1\. Morning briefing: every day at 08:00, Slack/)
})

test('it comes in Slack once, late over a kill, whatever came before it', async () => {
  await later(new Date(clock.now() + DAY).setHours(9, 0, 0, 0) - clock.now())
  const told = /Morning briefing, late/
  await until(() => fitting(told).length > 0, SOON)
  expect(wordsOf(fitting(told)[0] as SlackStanding)).toContain(home.values['m1 subject'])
  const became = async () => wordsOf(await says('why did the morning briefing not come?', /08:00: /))
  await until(async () => /08:00: sent late/.test(await became()), SOON)
  await says('hello', /./)
  expect(fitting(told)).toHaveLength(1)
})

test('a reminder comes with its buttons, and only its owner answers it', async () => {
  const rings = /Reminder \d+[\s\S]*check the oven/
  const isOpen = async () =>
    /check the oven/.test(wordsOf(await says("what's coming up?", /oven|[Nn]o reminder/)))
  await says('in 20 minutes remind me to check the oven', /I will remind you/)
  await later(21 * MINUTE)
  const first = await until(() => fitting(rings).find(buttons) ?? null, SOON)
  await until(async () => !(await isOpen()), SOON)
  home.slack.tap(first, 'In an hour', { user: 'U0EVE' })
  expect(await isOpen()).toBe(false)
  home.slack.tap(first, 'In an hour')
  await until(() => fitting(/I remind you again in an hour/).length > 0, SOON)
  expect(await isOpen()).toBe(true)
  await later(62 * MINUTE)
  const again = await until(() => fitting(rings).find(buttons) ?? null, SOON)
  expect(again.ts).not.toBe(first.ts)
  home.slack.tap(again, 'Done')
  await until(() => fitting(/Done\.$/).length > 0, SOON)
  expect(standing().some(buttons)).toBe(false)
})

test('a reminder that is sent while the clock jumps comes once, and none is taken for one of an earlier run', async () => {
  const warnings = () => fitting(/I was interrupted/).length
  const before = warnings()
  for (const what of ['kettle', 'washing', 'cake']) {
    await says(`in 20 minutes remind me to look after the ${what}`, /I will remind you/)
    await clock.jump(21 * MINUTE)
    const rings = new RegExp(`Reminder \\d+[\\s\\S]*the ${what}`)
    const sent = await until(() => fitting(rings).find(buttons) ?? null, SOON)
    // After the first wait of a chat that did not answer, and the second attempt.
    await pause(FIRST_WAIT + 1_000)
    expect(fitting(rings)).toEqual([sent])
  }
  expect(warnings()).toBe(before)
})

test('it is stopped at once, and stays so over a restart', async () => {
  await says('stop the morning briefing', /^Stopped: 1\. Morning briefing/)
  await home.stopHome()
  await home.startHome()
  await listens()
  await says('what runs when?', /Stopped; \/resumejob 1/)
})
