/**
 * A reminder as its owner has it: set in words at a home without a model, over a kill of that home, and delivered once on the private line, marked
 * late; a task of the list is ticked off (DESIGN §9).
 */
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

const start = () => bench.start('--no-demo', '--only', 'home')
const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''

test('it comes once, also where home was killed before its time', async () => {
  await start()
  expect(await reply('in 20 minutes remind me to check the oven')).toMatch(/I will remind you/)
  expect(await reply("what's coming up?")).toContain('check the oven')
  await bench.kill()
  await clock.jump(30 * MINUTE)
  await start()
  const line = lineOf(bench.folder, 'private')
  const told: string[] = []
  const look = async (): Promise<readonly string[]> => {
    const more = await line.delivered()
    told.push(...more.map((row) => JSON.stringify(row)).filter((row) => row.includes('"id":"reminder:')))
    return told
  }
  await until(async () => (await look()).length > 0, SOON)
  expect(told[0]).toMatch(/late/i)
  await clock.jump(30 * MINUTE)
  expect(await reply("what's coming up?")).not.toContain('check the oven')
  expect(await look()).toHaveLength(1)
})

test('one that was put off comes once at its new time, also where home was killed meanwhile', async () => {
  await reply('in 20 minutes remind me to water the ferns')
  const line = lineOf(bench.folder, 'private')
  const told: string[] = []
  const look = async (): Promise<readonly string[]> => {
    const rows = (await line.delivered()).filter(
      ({ id, text }) => isOf(id) && text.includes('water the ferns'),
    )
    told.push(...rows.map(({ text }) => text))
    return told
  }
  await look()
  await clock.jump(21 * MINUTE)
  await until(async () => (await look()).length === 1, SOON)
  expect(await reply('in 40 minutes')).toMatch(/^I will remind you again/)
  await bench.kill()
  await clock.jump(10 * MINUTE)
  await start()
  expect(await reply("what's coming up?")).toContain('water the ferns')
  expect(await look()).toHaveLength(1)
  await clock.jump(35 * MINUTE)
  await until(async () => (await look()).length === 2, SOON)
  await clock.jump(60 * MINUTE)
  expect(await reply("what's coming up?")).not.toContain('water the ferns')
  expect(await look()).toHaveLength(2)
  await reply('done')
})

const isOf = (id: string | null | undefined): boolean => id?.startsWith('reminder:') === true

test('what came is answered once, and /undo takes a cancelled one back', async () => {
  await reply('in 20 minutes remind me to turn the roast')
  const line = lineOf(bench.folder, 'private')
  const told: string[] = []
  await clock.jump(21 * MINUTE)
  await until(async () => {
    told.push(...(await line.delivered()).map((row) => JSON.stringify(row)))
    return told.some((row) => row.includes('turn the roast') && row.includes('1 Done'))
  }, SOON)
  expect(await reply('done')).toMatch(/^Done: .*turn the roast/)
  expect(await reply('done')).not.toMatch(/^Done/)
  await reply('remind me tomorrow at 9 to call mum')
  expect(await reply('cancel the reminder to call mum')).toMatch(/^Cancelled/)
  await bench.stop()
  await start()
  await reply('/undo')
  expect(await reply("what's coming up?")).toContain('call mum')
})

test('a task stays on the list over a restart until it is done', async () => {
  expect(await reply('add milk and eggs to my list')).toMatch(/milk[\s\S]*eggs|2/)
  await bench.stop()
  await start()
  expect(await reply("what's on my list?")).toMatch(/milk[\s\S]*eggs/)
  await reply('done with the first')
  const left = await reply("what's on my list?")
  expect(left).toContain('eggs')
  expect(left).not.toContain('milk')
})

test('a task is ticked off by what is said of it, and both requests of a message are done', async () => {
  await reply('add sand the bench and paint the gate to my list')
  expect(await reply('the bench is sanded, cross it off')).toContain('sand the bench')
  expect(await reply('tell me what jobs have I left to do')).toMatch(/paint the gate/)
  await reply('tick off the gate and add string to the list')
  const left = await reply("what's on my list?")
  expect(left).toContain('string')
  expect(left).not.toMatch(/bench|gate/)
  expect(await reply('the fence is sanded, cross it off')).not.toMatch(/string/)
})

test('a condition about what was answered sets nothing without a model, and a time of another place is reckoned', async () => {
  const asked = await reply("If I haven't answered Sarah yet, remind me of it tomorrow at 4pm.")
  expect(asked).toContain(`say "remind me tomorrow at 4pm that I haven't answered Sarah yet"`)
  expect(await reply('Erinnere mich morgen um 9 Uhr bei ihnen an den Anruf mit Ken')).toContain('"bei ihnen"')
  expect(await reply("what's coming up?")).not.toMatch(/Sarah|Ken/)
  expect(await reply('remind me tomorrow at 3:30pm Kolkata time to call Ken')).toMatch(/I will remind you/)
  expect(await reply("what's coming up?")).toMatch(/call Ken/)
  expect(await reply("what's coming up?")).not.toMatch(/Kolkata|15:30/)
})
