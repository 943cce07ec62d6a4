/**
 * Jobs over services with a key, as their owner has them at a home without a model: GitHub reviews and the Moltbook check, connected at a terminal, started by
 * talking, over kills; news once, nothing when there is none, and a service that is down or takes the key no more said in words (G-12, G-18).
 */
import { appendFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { githubState, issueRow, refuse, serveGithub, TOKEN } from '../fakes/github-server.ts'
import { KEY, messagesOf, moltbookState, requestRow, serveMoltbook } from '../fakes/moltbook-server.ts'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { createJobsBench } from './jobs-bench.ts'
import { onTerminal } from './keys-bench.ts'

const MINUTE = 60_000

const down = (_: unknown, response: ServerResponse) => refuse(response, 503, 'CANARY')
const revoked = (_: unknown, response: ServerResponse) => refuse(response, 401, 'CANARY')
const state = githubState()
const pull = (number: number, title: string) =>
  issueRow('acme/site', number, { title, pull_request: { merged_at: null }, draft: false })
state.found.push(pull(4, 'Fix the menu'))
const github = await serveGithub(state)

const molts = moltbookState()
const moltbook = await serveMoltbook(molts)
/** What it was asked but for whose key it is. */
const looked = () => molts.asked.filter((one) => one !== 'GET /agents/me')
// A Tuesday.
const { bench, clock, start, reply, agreed, toldOf, later } = createJobsBench({
  at: Date.parse('2026-11-24T09:05:00Z'),
  args: ['--no-demo', '--only', 'home'],
})
afterAll(() => Promise.all([github.close(), moltbook.close()]))
beforeAll(() => {
  const text = [
    '[owner]\ntimezone = "UTC"',
    `[services.github]\nbase_url = "${github.origin}"`,
    `[services.moltbook]\nbase_url = "${moltbook.origin}"`,
    `[network]\nexempt_origins = ["${github.origin}", "${moltbook.origin}"]\n`,
  ]
  appendFileSync(join(bench.folder, 'config.toml'), text.join('\n'), { mode: 0o600 })
})

async function connected(service: string, credential: string): Promise<string> {
  const env = { PFAR_HOME: bench.folder, NO_COLOR: '1', ...clock.env }
  const ran = onTerminal(`scripts/pfar.mjs connect ${service} --allow-development-key`, env, [
    [new RegExp(`Credential for ${service}: $`), credential],
  ])
  await ran.ended
  return ran.shown()
}

const runs = (job: string, says: RegExp) => until(async () => says.test(await reply(`/jobruns ${job}`)), SOON)

test('GitHub reviews say what they need, and are started by talking once that is there', async () => {
  await start()
  expect(await reply('start the github reviews')).toMatch(/needs GitHub/)
  expect(await connected('github', TOKEN)).toContain('GitHub is connected')
  const card = await agreed('start the github reviews', /GitHub reviews/)
  expect(card).toMatch(
    /every 30 minutes[\s\S]*no model reads any of it[\s\S]*says nothing when there is nothing to tell/,
  )
})

test('a review request is told once, over two runs and a kill, and a new one alone', async () => {
  await clock.jump(31 * MINUTE)
  await until(async () => (await toldOf('"GitHub reviews')).length > 0, SOON)
  const [told] = await toldOf('"GitHub reviews')
  expect(told).toContain('acme/site#4')
  await later((moved) => moved.jump(31 * MINUTE))
  await runs('github reviews', /nothing to tell/)
  expect(await toldOf('"GitHub reviews')).toHaveLength(1)
  state.found.push(pull(5, 'Faster start'))
  await clock.jump(31 * MINUTE)
  await until(async () => (await toldOf('"GitHub reviews')).length > 1, SOON)
  const [, second] = await toldOf('"GitHub reviews')
  expect(second).toContain('acme/site#5')
  expect(second).not.toContain('acme/site#4')
})

test('a service that is down is tried again, and then said in words without what it answered', async () => {
  state.next.push(...Array.from({ length: 40 }, () => down))
  const before = (await toldOf('"GitHub reviews')).length
  await clock.jump(31 * MINUTE)
  await runs('github reviews', /: failed \(The service is having trouble/)
  expect(await toldOf('"GitHub reviews')).toHaveLength(before)
  // A minute, five and fifteen later it is tried again, before its next time.
  for (const minutes of [2, 6]) {
    const asked = state.asked.length
    await clock.jump(minutes * MINUTE)
    await until(async () => state.asked.length > asked, SOON)
    await runs('github reviews', /11:00: failed/)
  }
  await clock.jump(16 * MINUTE)
  await until(async () => (await toldOf('"GitHub reviews')).length > before, SOON)
  const told = (await toldOf('"GitHub reviews')).at(-1)
  expect(told).toContain('This service has failed several times, so I leave it alone for half an hour')
  expect(told).not.toContain('CANARY')
})

test('a token that is revoked is said in words, with what mends it', async () => {
  state.next.length = 0
  state.next.push(...Array.from({ length: 40 }, () => revoked))
  const before = (await toldOf('"GitHub reviews')).length
  await clock.jump(31 * MINUTE)
  await until(async () => (await toldOf('"GitHub reviews')).length > before, SOON)
  const told = (await toldOf('"GitHub reviews')).at(-1)
  expect(told).toMatch(/no longer accepts my access[\s\S]*connected again/)
  state.next.length = 0
  expect(await reply('stop the github reviews')).toMatch(/^Stopped: 1\. GitHub reviews/)
})

test('the Moltbook check looks three times a day, and is quiet when nothing is new', async () => {
  expect(await reply('start the moltbook check')).toMatch(/needs Moltbook/)
  expect(await connected('moltbook', KEY)).toContain('Moltbook is connected')
  const card = await agreed('start the moltbook check', /Moltbook check/)
  expect(card).toMatch(/every day at 08:00, 14:00, 20:00/)
  const day = [14, 20, 32]
  for (const [at, hour] of day.entries()) {
    await clock.set(Date.parse('2026-11-24T00:00:20Z') + hour * 60 * MINUTE)
    await until(async () => looked().length >= 2 * (at + 1), SOON)
    await runs('moltbook check', new RegExp(`(?:nothing to tell[\\s\\S]*){${at + 1}}`))
  }
  // Between its times it does not look.
  await clock.jump(120 * MINUTE)
  expect(looked()).toEqual(Array.from({ length: 3 }, () => ['GET /agents/dm/check', 'GET /home']).flat())
  expect(await toldOf('"Moltbook check')).toEqual([])
})

test('a new request there is told once, over a kill', async () => {
  molts.answers['/agents/dm/check'] = messagesOf([requestRow()])
  await later((moved) => moved.set(Date.parse('2026-11-25T14:00:20Z')))
  await until(async () => (await toldOf('"Moltbook check')).length > 0, SOON)
  const [told] = await toldOf('"Moltbook check')
  expect(told).toContain('BensBot')
  await later((moved) => moved.set(Date.parse('2026-11-25T20:00:20Z')))
  await runs('moltbook check', /20:00: nothing to tell/)
  expect(await toldOf('"Moltbook check')).toHaveLength(1)
})

test('that it is down, and that its key was revoked, is said in words', async () => {
  molts.key = 'another'
  await clock.set(Date.parse('2026-11-26T08:00:20Z'))
  await until(async () => (await toldOf('"Moltbook check')).length > 1, SOON)
  expect((await toldOf('"Moltbook check')).at(-1)).toMatch(
    /does not accept the key of your agent any more: https:\/\/www\.moltbook\.com\/login makes a new one, `pfar secret rotate moltbook`/,
  )
  Object.assign(molts, { key: KEY, status: 503 })
  await clock.set(Date.parse('2026-11-26T14:00:20Z'))
  await runs('moltbook check', /14:00: failed \(The service is having trouble/)
  expect([...(await toldOf('CANARY')), ...(await toldOf('text-of-the-service'))]).toEqual([])
})
