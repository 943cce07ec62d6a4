/**
 * Jobs over services as their owner has them, at a home without a model: a surf forecast that says what it needs, is declared as it said, and comes from the
 * scripted service at its time; and a feed that is read in the chat, whose digest tells an item once, also over a kill (G-16, G-19), down, and gone.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../home/fixtures/wait.ts'
import { sendJson, serve } from '../kit/server.ts'
import { SOON } from './chaos-bench.ts'
import { createJobsBench } from './jobs-bench.ts'

const HOUR = 3_600_000

const items = ['One']
const board = { status: 200 }
const asked: string[] = []
const service = await serve(({ url = '' }, response) => {
  asked.push(url)
  if (url.startsWith('/v1/marine'))
    return sendJson(response, { hourly: { wave_height: [0.8, 0.9], wave_period: [11, 12.5] } })
  if (board.status !== 200) {
    response.writeHead(board.status, { 'content-type': 'text/html' })
    return response.end('<p>text-of-the-service</p>')
  }
  const rows = items.map(
    (one) => `<item><title>${one}</title><link>https://board.example/${one}</link></item>`,
  )
  response.writeHead(200, { 'content-type': 'application/rss+xml' })
  response.end(`<rss version="2.0"><channel><title>Board</title>${rows.join('')}</channel></rss>`)
})
// A Monday, so that Friday comes once in the test.
const { bench, clock, start, reply, agreed, toldOf, later } = createJobsBench({
  at: Date.parse('2026-11-23T12:00:00Z'),
  args: ['--no-demo', '--only', 'home'],
})
afterAll(() => service.close())
beforeAll(() => {
  const text = `[network]\nexempt_origins = ["${service.origin}"]\n`
  appendFileSync(join(bench.folder, 'config.toml'), text, { mode: 0o600 })
})

test('a surf forecast says what it needs, and comes once that is declared', async () => {
  await start()
  const needs = await reply('start the surf forecast')
  expect(needs).toMatch(/saved as "surf"[\s\S]*pfar http save surf 'https:\/\/\S+' --field metres_6h=/)
  const fields = ['metres_1h=hourly.wave_height.1:number', 'seconds_1h=hourly.wave_period.1:number']
  const saved = await bench.pfar(
    ...['http', 'save', 'surf', `${service.origin}/v1/marine?latitude=43.41`],
    ...fields.flatMap((field) => ['--field', field]),
  )
  expect(saved).toMatchObject({ code: 0 })
  await bench.stop()
  await start()
  await agreed('start the surf forecast', /Surf forecast[\s\S]*asking that service: surf[\s\S]*04:00 \(UTC\)/)
  expect(asked).toEqual([])
  await clock.set(Date.parse('2026-11-24T04:00:20Z'))
  await until(async () => (await toldOf('"Surf forecast')).length > 0, SOON)
  const [told] = await toldOf('"Surf forecast')
  expect(told).toContain('surf:\\n- metres_1h: 0.9\\n- seconds_1h: 12.5')
  expect(new Set(asked)).toEqual(new Set(['/v1/marine?latitude=43.41']))
})

test('a digest of a feed tells an item once, also over a kill', async () => {
  await reply('stop the surf forecast')
  const feed = `${service.origin}/jobs.xml`
  // Asked for in the chat it is read at once, and the job tells it none the less.
  expect(await reply(`what's new on ${feed}`)).toMatch(
    /The newest of Board:[\s\S]*One\s+https:\/\/board\.example\/One/,
  )
  // The command line shows the card, and "yes" is of that one.
  const { report } = await bench.ask(`start the jobs digest of ${feed}`)
  expect(report.reply).toMatch(/^Nothing runs yet[\s\S]*Web3 jobs digest: what is new on http/)
  expect(report.task.approval).not.toBeNull()
  const yes = await bench.pfar('ask', 'yes')
  expect(yes.code).toBe(0)
  expect(yes.out).toMatch(
    /^You said yes, and it holds from now on[\s\S]*Web3 jobs digest[\s\S]*The next times:/,
  )
  expect(yes.out).not.toMatch(/Done\.|grants/)
  expect(await reply('what runs when?')).toMatch(/^2\. Web3 jobs digest: every Friday at 10:00/m)
  await later((moved) => moved.set(Date.parse('2026-11-27T14:00:00Z')))
  await until(async () => (await toldOf('"Web3 jobs digest')).length > 0, SOON)
  items.unshift('Two')
  await later((moved) => moved.jump(7 * 24 * HOUR))
  await until(async () => (await toldOf('"Web3 jobs digest')).length > 1, SOON)
  const [first, second] = await toldOf('"Web3 jobs digest')
  expect(first).toContain('board.example/One')
  expect(second).toContain('board.example/Two')
  expect(second).not.toContain('board.example/One')
})

test('a feed that is down and one that is gone are told apart, and nothing of what they answer is told', async () => {
  const feed = `${service.origin}/jobs.xml`
  const replies: string[] = []
  for (const status of [503, 410, 404]) {
    board.status = status
    replies.push(await reply(`what's new on ${feed}`))
  }
  const [down, ...gone] = replies
  expect(down).toBe(
    'I could not read that feed. The service is having trouble right now. Please try again later.',
  )
  for (const one of gone)
    expect(one).toBe('I could not read that feed. The service does not have that any more.')
  board.status = 200
  expect(await reply(`what's new on ${feed}`)).toMatch(/The newest of Board:[\s\S]*Two/)
})

test('a digest of a feed that is gone says so at its time', async () => {
  board.status = 410
  const before = (await toldOf('"Web3 jobs digest')).length
  await later((moved) => moved.jump(7 * 24 * HOUR))
  await until(async () => (await toldOf('"Web3 jobs digest')).length > before, SOON)
  const last = (await toldOf('"Web3 jobs digest')).at(-1)
  expect(last).toContain('The service does not have that any more.')
  expect(last).not.toMatch(/text-of-the-service|board\.example/)
})
