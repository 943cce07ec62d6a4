/** The test clock in Node: what a test starts goes by it, and so does everything below. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readTree } from '../../scripts/source-check.ts'
import { createTestClock, type TestClock } from './clock.ts'

const HOUR = 3_600_000
const NEW_YEAR = Date.parse('2031-12-31T23:30:00Z')
/** What a slow machine may be late by; far below anything that is told apart here. */
const SLACK = HOUR / 4

const clocks: TestClock[] = []
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const clock of clocks.splice(0)) clock.remove()
})

function clockAt(at: number): TestClock {
  const clock = createTestClock({ at })
  clocks.push(clock)
  return clock
}

/** What the process said: a word, and when it was by its own `Date`. */
function start(clock: TestClock) {
  const said: (readonly [word: string, at: number])[] = []
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/teller.ts')], {
    env: { ...process.env, ...clock.env },
  })
  children.push(child)
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [word = '', at = ''] = line.split(' ')
      said.push([word, Date.parse(at)])
    }
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const atOf = (word: string) => said.find(([one]) => one === word)?.[1] ?? Number.NaN
  return { said, words: () => said.map(([word]) => word), atOf, ended }
}

test('a process and its child, whose environment is empty, start at the moment', async () => {
  const teller = start(clockAt(NEW_YEAR))
  await expect.poll(teller.words).toContain('child')
  for (const word of ['now', 'child']) expect(Math.abs(teller.atOf(word) - NEW_YEAR)).toBeLessThan(SLACK)
})

test('a jump ahead makes timers of each kind come due, in order, and no other', async () => {
  const clock = clockAt(NEW_YEAR)
  const teller = start(clock)
  await expect.poll(teller.words).toContain('child')
  await clock.jump(2.5 * HOUR)
  await expect.poll(teller.words).toContain('abort')
  expect(teller.words().filter((word) => word !== 'child')).toEqual(['now', 'promise', 'every', 'abort'])
  expect(Math.abs(teller.atOf('abort') - NEW_YEAR - 2.5 * HOUR)).toBeLessThan(SLACK)
  // Back and ahead again: nothing comes twice, and nothing that is left is due.
  await clock.jump(-HOUR)
  await clock.set(NEW_YEAR + 5.5 * HOUR)
  await teller.ended
  expect(teller.words()).not.toContain('cleared')
  expect(teller.words().filter((word) => word === 'late')).toHaveLength(1)
  expect(Math.abs(teller.atOf('late') - NEW_YEAR - 5.5 * HOUR)).toBeLessThan(SLACK)
})

test('this process keeps the real time, and the clock says what the other one has', async () => {
  const clock = clockAt(NEW_YEAR)
  expect(Date.now()).toBeLessThan(NEW_YEAR)
  await clock.jump(-HOUR)
  expect(Math.abs(clock.now() - NEW_YEAR + HOUR)).toBeLessThan(SLACK)
})

test('under `npm run dates` a file of tests starts at the moment, and on any other day it is now', () => {
  const at = Number(process.env['TEST_CLOCK_AT'] ?? Math.round(performance.timeOrigin + performance.now()))
  expect(Math.abs(Date.now() - at)).toBeLessThan(SLACK)
})

test('no statement asks a database for the time, which would be the real one', () => {
  const asked = /CURRENT_(?:TIME|DATE)|\b(?:datetime|unixepoch|julianday|strftime)\s*\(/i
  const files = [...readTree()].filter(([path]) => !path.startsWith('test/')).map(([path]) => path)
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((path) => asked.test(readFileSync(path, 'utf8')))).toEqual([])
})
