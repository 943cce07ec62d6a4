/**
 * Each setting of the kernel in `config.toml` has its effect in a real home: log level, approval timeout, and the chat that notices
 * go to (S-03). Which values are valid is tested in test/home/config.test.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { SLACK_OWNER } from '../fakes/slack-server.ts'
import { connectClient, type HomeProcess, spawnHome, stateFolder } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { BOTH_TOKENS, type SlackHome, startSlackHome, storeGoogle } from './slack-home.ts'

const READY = 30_000
const MINUTE = 60_000
/** Milliseconds in which home closes a card whose time is over, and shows a notice. */
const CLOSED_WITHIN = 5_000
/** Stands in a message; nothing of it may come into a log. */
const CANARY = 'zanzibar4711'

const clock = createTestClock({ offset: 0 })
const running: HomeProcess[] = []
const slackHomes: SlackHome[] = []
afterAll(async () => {
  for (const home of slackHomes) await home.close()
  for (const { child } of running) child.kill('SIGKILL')
  clock.remove()
})

async function start(config: string) {
  const home = spawnHome(stateFolder(config), clock.env)
  running.push(home)
  await until(() => home.stdout().includes('home ready') || home.child.exitCode !== null, READY)
  const client = await connectClient(home.socket)
  let sent = 0
  const ask = async (text: string): Promise<string> => {
    sent += 1
    const { result } = await client.ask('send', { id: `m${sent}`, text })
    const { task } = result as { readonly task: string }
    const rows = async () =>
      (await client.ask('deliveries', { after: 0 }))['result'] as readonly { task: string; text: string }[]
    return (await until(async () => (await rows()).find((one) => one.task === task), READY)).text
  }
  const end = async () => {
    client.socket.destroy()
    home.child.kill('SIGTERM')
    await home.ended
    return home.stderr()
  }
  return { ask, end }
}

test.each<[string, (stderr: string) => void]>([
  ['', (stderr) => expect(stderr).toBe('')],
  [
    '[log]\nlevel = "info"',
    (stderr) => {
      expect(stderr).toMatch(/^\S+Z denial code=job_needs task=t[0-9a-f]+$/m)
      expect(stderr).not.toMatch(/ (?:egress|task_created) /)
    },
  ],
  [
    '[log]\nlevel = "debug"',
    (stderr) => expect(stderr).toMatch(/ task_created [\s\S]* denial code=job_needs [\s\S]* egress ok=true /),
  ],
])('home logs as much as its level says, and nothing of a message: %s', async (config, check) => {
  const home = await start(config)
  await home.ask(`what is on in ${CANARY}?`)
  await home.ask('send me the morning briefing every day at 8')
  const stderr = await home.end()
  expect(stderr).not.toContain(CANARY)
  check(stderr)
})

test('questions wait as long, and notices go to the chat, that the configuration says', async () => {
  const home = await startSlackHome(clock.env)
  slackHomes.push(home)
  const config = join(home.folder, 'config.toml')
  const standing = () => [...home.slack.messages.values()].filter(({ byBot }) => byBot)
  const buttons = () =>
    standing().filter(({ blocks }) => blocks.some(({ type }) => type === 'actions')).length
  const listens = () =>
    until(
      async () =>
        ((await home.ask('status'))['result'] as Readonly<Record<string, unknown>>)['slack'] === 'listens',
      READY,
    )
  /** Asked in Slack; true if its buttons are still there after so many milliseconds. */
  const waits = async (milliseconds: number): Promise<boolean> => {
    expect(buttons()).toBe(0)
    home.slack.write(SLACK_OWNER, 'send me the morning briefing every day at 8')
    await until(() => buttons() === 1, READY)
    await clock.jump(milliseconds)
    await until(() => buttons() === 0, CLOSED_WITHIN).catch(() => null)
    return buttons() === 1
  }
  /** Started anew a day later, so that its notice about the models that it cannot use comes again: whether that is in Slack. */
  const isToldInSlack = async (setting: string): Promise<boolean> => {
    await home.stopHome()
    writeFileSync(config, `${readFileSync(config, 'utf8')}\n${setting}\n`)
    await clock.jump(25 * 60 * MINUTE)
    const before = standing().length
    await home.startHome()
    await listens()
    const status = (await home.ask('status'))['result']
    expect(status).toMatchObject({ startTroubles: [expect.stringContaining('models')] })
    const told = () =>
      standing()
        .slice(before)
        .some(({ text }) => text.includes('models'))
    await until(told, CLOSED_WITHIN).catch(() => null)
    return told()
  }
  await home.startHome()
  expect((await home.run(['connect'], BOTH_TOKENS)).code).toBe(0)
  await listens()
  await storeGoogle(home)
  expect(await isToldInSlack('[models]\nchain = ["nobody"]')).toBe(false)
  expect(await waits(MINUTE)).toBe(true)
  await clock.jump(5 * MINUTE)
  await until(() => buttons() === 0, READY)
  expect(await isToldInSlack('[approvals]\ntimeout_seconds = 50\nchats = ["slack", "terminal"]')).toBe(true)
  expect(await waits(MINUTE)).toBe(false)
})
