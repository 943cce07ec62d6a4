/**
 * Jobs while the clock jumps an hour or a day, ahead and back, over a change of the clocks, with the rows and the messages of
 * the real pipeline (G-02, G-08): each time has one row, runs once or is said once to be not run, and what ran is never said to
 * be not run.
 */
import { describe, expect, it } from 'vitest'
import { createRandom } from '../e2e/chaos-random.ts'
import { at, first, mail, set, told, world } from './job-world.ts'
import type { World } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const TOOLS = {
  'calendar.list_events': () => ({
    ok: true as const,
    output: { events: [], more: false, unread: 0, unsure: 0 },
  }),
  'email.list': () => ({ ok: true as const, output: { emails: [mail('m1')], more: false } }),
}
const NOT_RUN = 'Not run, as I was off or paused then:'
const notices = ({ sent }: World) => sent.map(({ text }) => text).filter((text) => text.startsWith(NOT_RUN))

it('a time that ran before the clock went back is not said to be not run', async () => {
  const of = world({ tools: TOOLS as never })
  await set(of, 'start the evening review')
  const due = Number(first(of).due)
  await at(of, due)
  await at(of, due - DAY / 2)
  // Its next time is reckoned anew.
  await of.say('stop the evening review')
  await of.say('resume the evening review')
  expect(first(of).due).toBe(due)
  await at(of, due + 3 * HOUR)
  expect(of.disk.store.runsOf(first(of).id, 9).map(({ scheduled }) => scheduled)).toEqual([due])
  expect(notices(of)).toEqual([])
})

it('a time that ran before the clock went back does not run again', async () => {
  const of = world({ tools: TOOLS as never })
  await set(of, 'every day at 7 tell me my unread mail')
  const due = Number(first(of).due)
  await at(of, due)
  await at(of, due - HOUR)
  await of.say('stop job 1')
  await of.say('resume job 1')
  await at(of, due)
  expect(told(of)).toHaveLength(1)
  await at(of, due + DAY)
  expect(told(of)).toHaveLength(2)
})

describe('a walk of jumps over the spring change of the clocks', () => {
  const FROM = Date.parse('2027-03-26T12:00:00Z')
  it.each([1, 2, 3])('%i', async (seed) => {
    const of = world({ tools: TOOLS as never })
    of.clock.now = FROM
    await set(of, 'every day at 02:30 tell me my unread mail')
    const random = createRandom(seed)
    const by = { on: 2 * HOUR, hour: HOUR, day: DAY, back: -HOUR, dayBack: -DAY }
    const runs = () => of.disk.store.runsOf(first(of).id, 99)
    for (let now = FROM, most = FROM; most < FROM + 6 * DAY; most = Math.max(most, now)) {
      now += by[random.weighed({ on: 12, hour: 2, day: 1, back: 2, dayBack: 1 })]
      const before = told(of).length
      await at(of, now)
      expect(told(of).length - before).toBeLessThan(2)
    }
    const ran = runs().filter(({ outcome }) => outcome === 'told')
    expect(told(of)).toHaveLength(ran.length)
    const wanted = ['27T01:30', '28T01:30', '29T00:30', '30T00:30', '31T00:30']
    expect(
      runs()
        .toReversed()
        .slice(0, 5)
        .map(({ scheduled }) => new Date(scheduled).toISOString().slice(8, 16)),
    ).toEqual(wanted)
    const missed = runs().filter(({ outcome }) => outcome === 'missed').length
    const lines = notices(of).flatMap((text) => text.split('\n').slice(1))
    const said = lines.reduce((sum, line) => sum + Number(/, (\d+) times,/.exec(line)?.[1] ?? 1), 0)
    expect([said, runs().length]).toEqual([missed, ran.length + missed])
  })
})
