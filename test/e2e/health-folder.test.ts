/**
 * The watched folder as its owner has it, at a home without a model: named at a terminal, an export that is still being copied is left alone, then read in and
 * told on the private line, a broken one is told once, and a question is answered from what came in.
 */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../clock/clock.ts'
import { exported, record, zipped } from '../health/apple.ts'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { lineOf, SOON } from './chaos-bench.ts'
import { createBench } from './terminal-bench.ts'

const DAY = 86_400_000
// A Tuesday.
const clock = createTestClock({ at: Date.parse('2026-11-24T09:00:00Z') })
const bench = createBench({ env: clock.env })
const folder = join(realpathSync(newFolder('health')), 'Health')
/** Milliseconds between two looks of home, and a little. */
const LOOK = 11_000
const told: string[] = []
const YESTERDAY = new Date(clock.now() - DAY).toISOString().slice(0, 10)
const EXPORT = zipped({
  'apple_health_export/export.xml': exported(
    record({ type: 'StepCount', value: '8431', unit: 'count', from: `${YESTERDAY} 09:00:00` }),
  ),
})

beforeAll(async () => {
  mkdirSync(folder)
  expect((await bench.pfar('health', 'watch', folder)).out).toContain(folder)
  await bench.start('--no-demo', '--only', 'home')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  clock.remove()
})

let seen = 0

/** Asked without a word of the owner's. */
async function notices(): Promise<readonly string[]> {
  const found = await lineOf(bench.folder, 'private').link((link) => link.deliveries(seen, 0))
  for (const row of found.ok ? found.value : []) {
    seen = row.seq
    if (row.id?.startsWith('health-file:') === true) told.push(row.text)
  }
  return told
}

/** Home looks into the folder this often, and more. */
async function looks(times: number): Promise<void> {
  for (let look = 0; look < times; look += 1) {
    await clock.jump(LOOK)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

test('a folder of home’s own is refused', async () => {
  const { code, err } = await bench.pfar('health', 'watch', bench.folder)
  expect([code, err]).toEqual([1, expect.stringContaining('my own folder')])
  expect((await bench.pfar('health', 'watch')).out).toContain(`${folder} is looked into.`)
})

test('an export is read in once it is whole, and its owner is told', async () => {
  writeFileSync(join(folder, 'export.zip'), EXPORT.subarray(0, 200))
  await bench.ask('hello')
  writeFileSync(join(folder, 'export.zip'), EXPORT)
  await looks(2)
  await until(async () => (await notices()).length > 0, SOON)
  const [said = ''] = await notices()
  expect(said).toContain(`Your health data is in: 1 records, ${YESTERDAY.slice(0, 7)} to`)
  expect(said).not.toMatch(/\b8[.,]?431\b/)
})

test('it answers, once the owner lets this terminal show it', async () => {
  await bench.pfar('health', 'allow', '--chat', 'terminal')
  await bench.pfar('approve', '1')
  const { report } = await bench.ask('how many steps did I do yesterday?')
  expect(report.reply).toContain('8,431')
})

test('one that is no export is told once', async () => {
  const before = (await notices()).length
  writeFileSync(join(folder, 'broken.zip'), EXPORT.subarray(0, 200))
  await looks(2)
  await until(async () => (await notices()).length > before, SOON)
  await looks(3)
  const all = await notices()
  expect(all).toHaveLength(before + 1)
  expect(all.at(-1)).toContain('no health export, or it is damaged')
})

test('it is ended at a terminal, too', async () => {
  expect((await bench.pfar('health', 'watch', '--stop')).out).toContain('No folder is looked into')
  expect((await bench.pfar('health', 'watch')).out).toContain('No folder is looked into')
  expect((await bench.pfar('health', 'watch', folder)).out).toContain(folder)
})

test('what was forgotten does not come back by a file that lies there still', async () => {
  await bench.pfar('health', 'forget', '--yes')
  await bench.stop()
  await bench.start('--no-demo', '--only', 'home')
  await looks(3)
  expect((await bench.ask('how many steps did I do yesterday?')).report.reply).toContain('pfar health import')
})

test('the command reads it again, also where the owner’s own path goes over a link', async () => {
  symlinkSync(folder, `${folder}-link`)
  const { code, out } = await bench.pfar('health', 'import', join(`${folder}-link`, 'export.zip'))
  expect([code, out]).toEqual([0, expect.stringContaining('Your health data is in: 1 records')])
  expect((await bench.ask('how many steps did I do yesterday?')).report.reply).toContain('8,431')
})
