/**
 * A running home is given its app at Slack in a conversation at the terminal (H-13, H-14, L-11 – L-18, M-28),
 * in real processes: two tokens, one after the other, a restart in the middle, the line that listens without
 * one, and leaving it by a tap there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  SLACK_APP_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_DM,
  SLACK_OWNER,
  type SlackStanding,
} from '../fakes/slack-server.ts'
import type { Message } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { filesIn } from '../regression/files.ts'
import { SOON } from './chaos-bench.ts'
import { type SlackHome, startSlackHome } from './slack-home.ts'

interface Row {
  readonly text: string
  readonly seq: number
}

const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/

let home: SlackHome
beforeAll(async () => {
  home = await startSlackHome()
  await home.startHome()
})
afterAll(() => home.close())

const rows = async (): Promise<readonly Row[]> =>
  (await home.ask('deliveries', { after: 0 }))['result'] as readonly Row[]
let turn = 0
/** The owner types at the terminal; returns the next message that matches. */
async function says(text: string, expected: RegExp): Promise<Row> {
  const before = (await rows()).at(-1)?.seq ?? 0
  turn += 1
  await home.ask('send', { id: `m${turn}`, text })
  return until(async () => (await rows()).find((row) => row.seq > before && expected.test(row.text)), SOON)
}
const told = (expected: RegExp, after: number): Promise<Row> =>
  until(async () => (await rows()).findLast((row) => row.seq > after && expected.test(row.text)), SOON)
const status = async (): Promise<Message> => (await home.ask('status'))['result'] as Message
const config = (): string => readFileSync(join(home.folder, 'config.toml'), 'utf8')
const standing = (): readonly SlackStanding[] =>
  [...home.slack.messages.values()].filter((one) => one.byBot && one.channel === SLACK_DM)
const nothingKept = async (): Promise<void> => {
  expect(JSON.stringify((await status())['secrets'])).not.toContain('slack')
  expect([config().includes('[slack]'), (await status())['slack']]).toEqual([false, undefined])
}

describe('before it is active', () => {
  test('what can be connected says so', async () => {
    await says('/connect', /^\/connect slack: Slack \(not active\)$/m)
    await says('disconnect slack', /^Slack is not active\./)
  })

  test('a wrong token is said to be one, and "cancel" forgets what was given before it (L-16, L-18)', async () => {
    await says('connect slack', /Socket Mode[\s\S]*xapp-/)
    await says(SLACK_APP_TOKEN.replace('scripted0', 'scripted1'), /2 more tries/)
    await says(SLACK_APP_TOKEN, /xoxb-/)
    await says(SLACK_BOT_TOKEN.replace('scripted0', 'scripted1'), /2 more tries/)
    await says('cancel', /./)
    await until(async () => !JSON.stringify((await status())['secrets']).includes('slack'), SOON)
    await nothingKept()
  })
})

test('through a restart in the middle, it listens to whoever of its workspace sends the code (M-28)', async () => {
  await says('please connect slack', /xapp-/)
  await says(SLACK_APP_TOKEN, /xoxb-/)
  const asked = await says(SLACK_BOT_TOKEN, CODE)
  expect(asked.text).toContain('it opens @pfar')
  const code = CODE.exec(asked.text)?.[0] ?? ''
  await home.killHome()
  home.slack.write('U0EVE', code, { user_team: 'T0OTHER' })
  home.slack.write('U0EVE', code.replace(/.$/, '#'))
  home.slack.write(SLACK_OWNER, code)
  await home.startHome()
  await told(/^Slack is active: I listen to @pfar from now on/, asked.seq)
  expect(config()).toContain(`owner = "${SLACK_OWNER}"`)
  await until(async () => (await status())['slack'] === 'listens', SOON)
  home.slack.write(SLACK_OWNER, 'hello')
  await until(() => standing().length === 2, SOON)
  await says('/connect', /^\/connect slack: Slack \(active\)$/m)
  // The code did not count as a message; the chat that it came by was told that it is connected.
  expect(standing()).toHaveLength(2)
  expect(standing()[0]?.text).toMatch(/^You are connected: this chat at Slack is your private line/)
})

test('Slack is left only by a tap of the owner on a card there, and nothing of it stays (H-14)', async () => {
  const before = (await rows()).at(-1)?.seq ?? 0
  home.slack.write(SLACK_OWNER, 'disconnect slack')
  const card = await until(
    () => standing().find(({ blocks }) => blocks.some(({ type }) => type === 'actions')),
    SOON,
  )
  expect((await status())['slack']).toBe('listens')
  home.slack.tap(card, 'Yes', { user: 'U0EVE' })
  home.slack.tap(card, 'Yes')
  // The chat has ended: the owner is told at the terminal.
  await told(/^Slack is not active any more/, before)
  await until(() => home.slack.connections() === 0, SOON)
  await nothingKept()
  expect(home.slack.faults).toEqual([])
})

test('no token is in a file, a line or a delivery (L-13)', async () => {
  const said = JSON.stringify(await rows())
  await home.stopHome()
  const kept = filesIn(home.folder).map((name) => readFileSync(join(home.folder, name)).toString('latin1'))
  const all = [said, home.printed(), ...kept]
  for (const token of [SLACK_APP_TOKEN, SLACK_BOT_TOKEN])
    expect(all.some((text) => text.includes(token))).toBe(false)
})
