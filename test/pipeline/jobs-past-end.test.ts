/**
 * A job whose last day has passed while it was stopped or removed (G-03, G-07): no undo and no plan has it go on, only a yes to a card that shows its times
 * without an end.
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { comesMore } from '../../kernel/features/jobs/schedule.ts'
import { first, set, world } from './job-world.ts'
import type { World } from './world.ts'

const SAID = "every day at 8 until monday tell me what's on"
const DAY = 86_400_000
/** Right before its last time, and after it. */
const BEFORE = Date.parse('2026-11-23T06:00:00Z')
const LATER = Date.parse('2026-11-23T12:00:00Z')
let of: World

const full = (): World =>
  world({ tools: { 'calendar.list_events': () => ({ ok: true, output: { events: [], more: false } }) } })
const runs = (id: string) => of.disk.store.runsOf(id, 50).length
const cards = () => of.sent.filter(({ kind }) => kind === 'card').map(({ text }) => text)
const OVER = { state: 'paused', due: null, repeat: { last: '2026-11-23' } }

async function later(...said: readonly string[]): Promise<void> {
  of.clock.now = LATER
  for (const words of said) {
    await of.say(words)
    await of.shell.tick()
    of.clock.now += 1_000
  }
}

async function daysPass(id: string): Promise<number> {
  const before = runs(id)
  for (let day = 0; day < 3; day += 1) {
    of.clock.now += DAY
    await of.shell.tick()
  }
  return runs(id) - before
}

beforeEach(async () => {
  of = full()
  await set(of, SAID)
})

describe('stays ended, and says so', () => {
  it.each([
    ['/stopjobs', '/undo'],
    ['/removejob 1', '/undo'],
  ])('%s, then %s', async (stop, undo) => {
    const { id } = first(of)
    of.clock.now = BEFORE
    await of.say(stop)
    await later(undo)
    expect(of.heard()).toMatch(/^Its last day has passed/)
    expect(of.disk.store.findJob(id)).toMatchObject({ due: null, repeat: { last: '2026-11-23' } })
    expect(await daysPass(id)).toBe(0)
  })

  it('beside one that goes on', async () => {
    await set(of, 'start the morning briefing')
    of.clock.now = BEFORE
    await of.say('/stopjobs')
    await later('/undo', '/jobs')
    expect(of.disk.store.jobs().map(({ state }) => state)).toEqual(['paused', 'on'])
    expect(of.heard()).toContain(
      'Its last day has passed. Only your yes to a card with other times has it go on.',
    )
  })

  it('one that is over, restored', async () => {
    const { id } = first(of)
    for (const day of ['21', '22', '23']) {
      of.clock.now = Date.parse(`2026-11-${day}T07:00:00Z`)
      await of.shell.tick()
    }
    expect(of.disk.store.jobs()).toEqual([])
    of.clock.now = LATER
    const by = { principal: 'principal:owner', sink: 'sink:terminal:owner' }
    expect(await of.ports.jobs.restore(by, 1)).toMatchObject({ reason: { code: 'job_over' } })
    expect(await daysPass(id)).toBe(0)
  })

  it('one whose former times are put back after their end', async () => {
    const { id } = first(of)
    of.disk.store.saveJob({
      ...first(of),
      before: { repeat: first(of).repeat, zone: first(of).zone },
      repeat: { ...first(of).repeat, last: '2027-03-24' },
      due: LATER + DAY,
    })
    await later('/jobs')
    const by = { principal: 'principal:owner', sink: 'sink:terminal:owner' }
    expect(await of.ports.jobs.putBack(by, 1)).toMatchObject({ reason: { code: 'job_over' } })
    // Its times are those that it has, so nothing comes before the next of them.
    expect(first(of)).toMatchObject({ state: 'on', due: LATER + DAY })
    await of.shell.tick()
    expect(runs(id)).toBe(0)
  })
})

describe('goes on after a yes', () => {
  it.each([['/resumejob 1'], ['resume job 1'], ['/undo']])('to the card of %s', async (said) => {
    const { id } = first(of)
    of.clock.now = BEFORE
    await of.say('stop job 1')
    await later(said)
    expect(first(of)).toMatchObject(OVER)
    expect(of.sent.map(({ text }) => text).join()).toMatch(/last day has passed/)
    expect(cards().at(-1)).toMatch(/every day at 08:00 until Monday 23 November\n.*: every day at 08:00 \(/)
    expect(await daysPass(id)).toBe(0)
    of = full()
    await set(of, SAID)
    const { digest } = first(of)
    of.clock.now = BEFORE
    await of.say('stop job 1')
    await later(said, 'yes')
    expect(first(of)).toMatchObject({ state: 'on', why: null, digest })
    expect(first(of).repeat.last).toBeUndefined()
    expect(await daysPass(first(of).id)).toBe(3)
  })
})

it('a later end counts as more, and an earlier one, or the same, does not', () => {
  const { repeat } = first(of)
  const ends = ['2026-11-22', '2026-11-23', '2026-12-24'].map((last) => ({ ...repeat, last }))
  const { last: _, ...endless } = repeat
  expect([...ends, endless].map((one) => comesMore(one, repeat))).toEqual([false, false, true, true])
  expect(ends.map((one) => comesMore(one, endless))).toEqual([false, false, false])
})

it('one that was stopped when it was removed comes back stopped', async () => {
  await of.say('stop job 1')
  await of.say('/removejob 1')
  await of.say('/undo')
  expect(first(of)).toMatchObject({ state: 'paused', why: 'owner', due: null })
})

it('a card that is answered after the last day sets nothing, and says why', async () => {
  of = full()
  of.clock.now = Date.parse('2026-11-23T06:58:00Z')
  await of.say("every day at 8 until 23 november tell me what's on")
  await of.shell.tick()
  expect(first(of)).toMatchObject({ state: 'asked', repeat: { last: '2026-11-23' } })
  of.clock.now += 4 * 60_000
  await of.say('yes')
  expect(of.heard()).toMatch(/^Its last day has passed/)
  expect(first(of)).toMatchObject({ state: 'asked' })
  expect(runs(first(of).id)).toBe(0)
  await of.say('no')
  expect(of.disk.store.jobs()).toEqual([])
})
