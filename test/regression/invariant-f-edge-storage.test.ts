/**
 * Invariant F end to end: what is said, read and answered on the private line never reaches the edge: it is
 * in no file that the edge writes, its log included, while home is connected to it. Words of the open line are there as
 * ciphertext only. Everything runs as `npm start` runs it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBench, waitFor } from '../e2e/terminal-bench.ts'
import { filesIn, holding } from './files.ts'

/** Milliseconds for the tunnel to come up. */
const SOON_MS = 30_000
const PRIVATE = 'canary-zebra-3391'
const OPEN = 'canary-heron-5520'

const bench = createBench()
let privateTask = ''
let openTask = ''
beforeAll(async () => {
  await bench.start()
  await waitFor(
    async () => JSON.parse((await bench.pfar('status', '--json')).out).home?.tunnel === 'up',
    SOON_MS,
  )
  const told = await bench.ask(`remember that the alarm code is ${PRIVATE}`)
  privateTask = told.report.task.id
  const found = await bench.ask('what do you know about the alarm code')
  expect(found.report.reply).toContain(PRIVATE)
  await bench.ask('check my email')
  await bench.ask('read the one from Sarah')
  // The edge asks home for times, so the tunnel has carried something.
  const free = await bench.ask('when am I free on Friday', '--line', 'open')
  expect(free.report.task).toMatchObject({ place: 'edge', state: 'completed', label: 'internal' })
  const open = await bench.ask(`remember that the locker is ${OPEN}`, '--line', 'open')
  openTask = open.report.task.id
})
afterAll(() => bench.remove())

const ofTheEdge = (): readonly string[] =>
  filesIn(bench.folder).filter((file) => /^edge\/|edge\.log$/.test(file))

test('the edge’s files are found, and hold the task of the open line', () => {
  expect(holding(bench.folder, ofTheEdge(), [openTask]).length).toBeGreaterThan(0)
})

test.each([
  ['what was said on the private line', [PRIVATE]],
  ['what was read for it', ['two numbers are still open', 'Q3 budget', 'Sarah Chen']],
  ['titles of the calendar that free times were made of', ['Product team sync']],
])('%s is in no file of the edge', (_name, texts) => {
  expect(holding(bench.folder, ofTheEdge(), texts)).toEqual([])
})

test('not even that there was such a task', () => {
  expect(holding(bench.folder, ofTheEdge(), [privateTask])).toEqual([])
})

test('words of the open line are nowhere in plain, at either place', () => {
  expect(holding(bench.folder, filesIn(bench.folder), [OPEN])).toEqual([])
})

test('words of the private line are nowhere in plain at home either', () => {
  expect(holding(bench.folder, filesIn(bench.folder), [PRIVATE, 'two numbers are still open'])).toEqual([])
})
