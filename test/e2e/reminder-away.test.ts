/**
 * Home is away when a private reminder is due, on the real pair (DESIGN §9): after a yes to a card the open
 * line says that one was due, once and without its words, and home tells it late; without a yes the open line
 * says nothing.
 */
import { afterAll, expect, test, vi } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { until } from '../home/fixtures/wait.ts'
import { lineOf, SOON } from './chaos-bench.ts'
import { createBench } from './terminal-bench.ts'

const MINUTE = 60_000

const clock = createTestClock({ at: Date.now() })
const bench = createBench({ env: clock.env })
// What the test signs for the edge is of that moment, too.
const own = vi.spyOn(Date, 'now').mockImplementation(clock.now)
afterAll(async () => {
  own.mockRestore()
  await bench.remove()
  clock.remove()
})

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

/** What a line has delivered so far. */
function listener(which: 'open' | 'private') {
  const line = lineOf(bench.folder, which)
  const said: string[] = []
  return async (): Promise<readonly string[]> => {
    said.push(...(await line.delivered()).map((row) => JSON.stringify(row)))
    return said
  }
}
const away = async (heard: () => Promise<readonly string[]>) =>
  (await heard()).filter((row) => row.includes('"id":"reminder-away:'))

/** Home is stopped, and a reminder of it is due while the edge runs alone. */
async function homeIsAway(): Promise<void> {
  await bench.stop()
  await bench.start('--no-demo', '--only', 'edge')
  await clock.jump(30 * MINUTE)
}

test('without a yes the open line says nothing', async () => {
  await bench.start('--no-demo')
  expect(await reply('in 20 minutes remind me to call the clinic')).toMatch(/I will remind you/)
  await homeIsAway()
  const open = listener('open')
  await bench.ask('hello', '--line', 'open')
  expect(await away(open)).toEqual([])
  expect((await open()).join('\n')).not.toContain('clinic')
})

test('after a yes it says once that one was due, without its words, and home tells it late', async () => {
  await bench.stop()
  await bench.start('--no-demo')
  await reply('in 20 minutes remind me to buy the ring')
  await reply('tell my edge when my reminders are due')
  const [card] = JSON.parse((await bench.pfar('approvals', '--json')).out) as readonly { id: string }[]
  await clock.jump(1_000)
  expect((await bench.pfar('approve', card?.id ?? '')).code).toBe(0)
  // Home tells the edge the times a moment after the yes.
  await clock.jump(1_000)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const open = listener('open')
  await homeIsAway()
  await until(async () => (await away(open)).length > 0, SOON)
  expect((await away(open))[0]).toMatch(/private line was due at \d\d:\d\d\. Your home box is not connected/)
  await clock.jump(10 * MINUTE)
  await bench.ask('hello', '--line', 'open')
  expect(await away(open)).toHaveLength(1)
  expect((await open()).join('\n')).not.toContain('ring')

  await bench.stop()
  await bench.start('--no-demo')
  const told = listener('private')
  await until(async () => (await told()).some((row) => /late.*buy the ring/.test(row)), SOON)
  expect(await away(open)).toHaveLength(1)
})
