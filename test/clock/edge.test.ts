/** The test clock in workerd: `Date`, and the alarms of an object, over moves of the clock and starts of the edge. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { newFolder } from '../kit/folder.ts'
import { createTestClock, type TestClock } from './clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const THEN = Date.parse('2025-06-30T12:00:00Z')
/** What a slow machine may be late by; far below anything that is told apart here. */
const SLACK = HOUR / 4

interface Bell {
  readonly now: number
  readonly made: number
  readonly alarm: number | null
  readonly rang: readonly number[]
}

interface Edge {
  look(): Promise<Bell>
  set(ahead: number, how?: string): Promise<Bell>
  stop(): Promise<void>
}

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

async function startEdge(path: string, clock?: TestClock): Promise<Edge> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/edge.ts'), path], {
    env: { ...process.env, ...clock?.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [origin] = await once(createInterface({ input: child.stdout }), 'line')
  const ask = async (what: string) => (await fetch(new URL(what, String(origin)))).json() as Promise<Bell>
  return {
    look: () => ask('/'),
    set: (ahead, how = 'plain') => ask(`/set?ahead=${ahead}&how=${how}`),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const near = (found: number | null, wanted: number): boolean => Math.abs((found ?? 0) - wanted) < SLACK

test('it starts at the moment, follows a jump, and an alarm that becomes due rings', async () => {
  const clock = clockAt(THEN)
  const edge = await startEdge(newFolder('clock-edge'), clock)
  const at = await edge.set(DAY)
  expect([near(at.now, THEN), near(at.made, THEN), near(at.alarm, THEN + DAY)]).toEqual([true, true, true])
  await clock.jump(DAY - HOUR)
  expect(near((await edge.look()).now, THEN + DAY - HOUR)).toBe(true)
  expect((await edge.look()).rang).toEqual([])
  await clock.jump(2 * HOUR)
  await expect.poll(async () => (await edge.look()).rang.length).toBe(1)
  const { rang, alarm } = await edge.look()
  expect(near(rang[0] ?? 0, THEN + DAY + HOUR)).toBe(true)
  expect(alarm).toBeNull()
})

test('the package that runs an edge goes by the clock, whether it is imported by its name or its address', async () => {
  const address = pathToFileURL(createRequire(import.meta.url).resolve('miniflare')).href
  const program = `
    const [named, addressed] = await Promise.all(['miniflare', '${address}'].map((one) => import(one)))
    console.log(named.Miniflare === addressed.Miniflare)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    ...{ cwd: import.meta.dirname, env: { ...process.env, ...clockAt(THEN).env } },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [same] = await once(createInterface({ input: child.stdout }), 'line')
  expect(same).toBe('true')
})

test('an alarm rings by itself, years ahead of the real time', async () => {
  const later = Date.parse('2041-01-31T23:59:00Z')
  const edge = await startEdge(newFolder('clock-edge'), clockAt(later))
  const { alarm } = await edge.set(500)
  await expect.poll(async () => (await edge.look()).rang.length).toBe(1)
  const [rang = 0] = (await edge.look()).rang
  expect(rang).toBeGreaterThanOrEqual(alarm ?? 0)
  expect(near(rang, later)).toBe(true)
})

test('an alarm of a transaction is translated, and one that was deleted does not ring', async () => {
  const clock = clockAt(THEN)
  const edge = await startEdge(newFolder('clock-edge'), clock)
  expect(near((await edge.set(DAY, 'transaction')).alarm, THEN + DAY)).toBe(true)
  expect((await edge.set(0, 'delete')).alarm).toBeNull()
  expect(near((await edge.set(2 * DAY, 'transaction')).alarm, THEN + 2 * DAY)).toBe(true)
  await clock.set(THEN + 2 * DAY)
  await expect.poll(async () => (await edge.look()).rang.length).toBe(1)
  expect(near((await edge.look()).rang[0] ?? 0, THEN + 2 * DAY)).toBe(true)
})

test('an alarm that was set without a test clock rings at its own moment, not at the real one', async () => {
  const path = newFolder('clock-edge')
  const before = await startEdge(path)
  const { alarm } = await before.set(1_000)
  await before.stop()
  const wanted = alarm ?? 0
  expect(wanted).toBeGreaterThan(THEN)

  const clock = clockAt(wanted - DAY)
  const edge = await startEdge(path, clock)
  // The platform wakes the object when the real time has come, too.
  await expect.poll(() => Date.now()).toBeGreaterThan(wanted)
  expect(await edge.look()).toMatchObject({ alarm: wanted, rang: [] })
  await clock.jump(2 * DAY)
  await expect.poll(async () => (await edge.look()).rang.length).toBe(1)
  expect(near((await edge.look()).rang[0] ?? 0, wanted + DAY)).toBe(true)
})

test('an alarm that became due while the edge was down rings after the start', async () => {
  const path = newFolder('clock-edge')
  const clock = clockAt(THEN)
  const before = await startEdge(path, clock)
  await before.set(DAY)
  await before.stop()
  await clock.jump(2 * DAY)
  const edge = await startEdge(path, clock)
  await expect.poll(async () => (await edge.look()).rang.length).toBe(1)
  expect(near((await edge.look()).rang[0] ?? 0, THEN + 2 * DAY)).toBe(true)
})
