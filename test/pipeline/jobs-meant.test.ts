/**
 * Which job is meant where none is named and there are several: one that is stopped is none, and the one that was just set
 * is.
 */
import { describe, expect, it } from 'vitest'
import { set, world } from './job-world.ts'
import type { World } from './world.ts'

const TOOLS = {
  'calendar.list_events': () => ({ ok: true as const, output: { events: [], more: false } }),
  'email.list': () => ({ ok: true as const, output: { emails: [], more: false } }),
}
const SETS = ['start the morning briefing every day at 8', 'start the email check every day at 9']

async function two(stopped: boolean): Promise<World> {
  const of = world({ tools: TOOLS })
  const [first = '', second = ''] = SETS
  await set(of, first)
  of.clock.now += 1_000
  if (stopped) {
    await of.say('stop the morning briefing')
    of.clock.now += 1_000
  } else of.clock.now += 3_600_000
  await set(of, second)
  of.clock.now += 1_000
  return of
}
const job = ({ disk }: World, number: number) => disk.store.jobs().find((one) => one.number === number)

describe.each([true, false])('with an older one, stopped: %s', (stopped) => {
  it.each([
    ['not at the weekend', ({ repeat }: { repeat: { kind: string } }) => repeat.kind === 'weekdays'],
    ['am wochenende nicht', ({ repeat }: { repeat: { kind: string } }) => repeat.kind === 'weekdays'],
    ['skip tomorrow', ({ skips }: { skips: string | null }) => skips === '2026-11-21'],
    ['morgen bitte nicht', ({ skips }: { skips: string | null }) => skips === '2026-11-21'],
    ['überspring morgen', ({ skips }: { skips: string | null }) => skips === '2026-11-21'],
    ['make it half 7', ({ repeat }: { repeat: { first: string } }) => repeat.first.endsWith('07:30')],
    ['lieber um 10', ({ repeat }: { repeat: { first: string } }) => repeat.first.endsWith('10:00')],
  ])('%s', async (said, isSo) => {
    const of = await two(stopped)
    const before = job(of, 1)
    await of.say(said)
    const [first, second] = [job(of, 1), job(of, 2)]
    expect([of.heard().split('\n')[0], second !== undefined && isSo(second as never)]).toEqual([
      expect.any(String),
      true,
    ])
    expect(first).toEqual(before)
  })
})

it('the stopped one is meant where it is to go on', async () => {
  const of = await two(true)
  await of.say('resume my job')
  expect(job(of, 1)?.state).toBe('on')
})

it('of two that run and were not just set, which one is asked', async () => {
  const of = await two(false)
  of.clock.now += 3_600_000
  await of.say('skip tomorrow')
  expect([job(of, 1)?.skips, job(of, 2)?.skips]).toEqual([null, null])
})
