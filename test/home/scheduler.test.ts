/** Home's scheduler: it ticks at the time the shell names, when woken, and not after it was stopped. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startScheduler } from '../../sidecar/jobs/scheduler.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

function schedule(next: (tick: number) => number | null | Error) {
  const ticks: number[] = []
  let faults = 0
  const scheduler = startScheduler({
    now: Date.now,
    tick: async () => {
      ticks.push(Date.now() - 1_000_000)
      const moment = next(ticks.length)
      if (moment instanceof Error) throw moment
      return moment
    },
    fault: () => {
      faults += 1
    },
  })
  return { scheduler, ticks, faults: () => faults }
}

test.each([
  ['at the named moment', 1_005_000, [0, 5_000]],
  ['within a minute when the moment is far', 9_000_000, [0, 60_000]],
  ['within a minute when there is none', null, [0, 60_000]],
  ['a little later when the moment has passed', 1, [0, 50]],
])('it ticks %s', async (_name, moment, expected) => {
  const { ticks } = schedule((tick) => (tick === 1 ? moment : 1_900_000_000))
  await vi.advanceTimersByTimeAsync(60_010)
  expect(ticks.slice(0, 2)).toEqual(expected)
})

test('it ticks when woken, once for many calls', async () => {
  const { scheduler, ticks } = schedule(() => null)
  await vi.advanceTimersByTimeAsync(100)
  for (let n = 0; n < 5; n += 1) scheduler.wake()
  await vi.advanceTimersByTimeAsync(100)
  expect(ticks).toEqual([0, 100, 100])
})

test('it continues after a tick that throws, and reports the fault', async () => {
  const { ticks, faults } = schedule((tick) => (tick === 1 ? new Error('x') : null))
  await vi.advanceTimersByTimeAsync(60_010)
  expect(ticks).toEqual([0, 60_000])
  expect(faults()).toBe(1)
})

test('it does not tick after it was stopped', async () => {
  const { scheduler, ticks } = schedule(() => null)
  await scheduler.stop()
  scheduler.wake()
  await vi.advanceTimersByTimeAsync(200_000)
  expect(ticks).toEqual([0])
})
