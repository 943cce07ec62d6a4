/** When memory is consolidated (B-19): Sundays at 04:00 in the owner's time zone, made up for once, and retried after a failure. */
import { describe, expect, it } from 'vitest'
import { lookAtMemory, nextSunday } from '../../sidecar/home-jobs.ts'

const ZONE = 'Europe/Madrid'
const at = (iso: string): number => Date.parse(iso)

it.each([
  ['2026-11-18T12:00:00Z', '2026-11-22T03:00:00Z'],
  ['2026-11-22T02:59:59Z', '2026-11-22T03:00:00Z'],
  ['2026-11-22T03:00:00Z', '2026-11-29T03:00:00Z'],
  // The night in which daylight saving time ends.
  ['2026-10-24T12:00:00Z', '2026-10-25T03:00:00Z'],
])('the next run after %s is %s', (moment, next) => {
  expect(new Date(nextSunday(at(moment), ZONE)).toISOString()).toBe(new Date(at(next)).toISOString())
})

function job(last: number | null, work: () => void = () => undefined) {
  const state = { last, runs: 0, faults: 0, now: at('2026-11-18T12:00:00Z') }
  const look = () =>
    lookAtMemory({
      notes: {
        read: () => state.last as never,
        write: (_name, value) => {
          state.last = value as number
        },
      },
      ...{ timezone: ZONE, now: () => state.now },
      run: async () => {
        state.runs += 1
        work()
      },
      fault: () => {
        state.faults += 1
      },
    })
  return { state, look }
}

describe('a check', () => {
  it('starts counting at the first one, and runs once for all Sundays that passed', async () => {
    const { state, look } = job(null)
    expect(await look()).toBe(at('2026-11-22T03:00:00Z'))
    expect(state.runs).toBe(0)
    state.now = at('2026-11-22T02:00:00Z')
    await look()
    expect(state.runs).toBe(0)
    state.now = at('2026-12-10T08:00:00Z')
    expect(await look()).toBe(at('2026-12-13T03:00:00Z'))
    await look()
    expect([state.runs, state.last]).toEqual([1, state.now])
  })

  it('that fails is reported, retried in an hour, and does not count', async () => {
    let fails = true
    const { state, look } = job(at('2026-11-01T12:00:00Z'), () => {
      if (fails) throw new Error('full disk')
    })
    expect(await look()).toBe(state.now + 3_600_000)
    expect([state.faults, state.last]).toEqual([1, at('2026-11-01T12:00:00Z')])
    fails = false
    await look()
    expect([state.runs, state.last]).toEqual([2, state.now])
  })
})
