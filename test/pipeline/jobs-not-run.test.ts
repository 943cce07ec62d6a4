/**
 * Times of jobs that nothing ran for are told once, when the place is back: in one message a chat, not in quiet hours, and not of what comes late all the same or many
 * times a day (G-08).
 */
import { describe, expect, it } from 'vitest'
import { at, first, mail, set, told, world } from './job-world.ts'
import type { World } from './world.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const TOOLS = {
  'calendar.list_events': () => ({
    ok: true as const,
    output: { events: [], more: false, unread: 0, unsure: 0 },
  }),
  'email.list': () => ({ ok: true as const, output: { emails: [mail('m1')], more: false } }),
}

async function evening(): Promise<World> {
  const of = world({ tools: TOOLS as never })
  await set(of, 'start the evening review')
  return of
}
const notices = ({ sent }: World) =>
  sent.map(({ text }) => text).filter((text) => text.startsWith('Not run, as I was off or paused then:'))

describe('a time that was left out', () => {
  it('is told once, with its title and its moment', async () => {
    const of = await evening()
    const due = Number(first(of).due)
    await at(of, due + 3 * HOUR)
    expect(notices(of)).toEqual([
      expect.stringMatching(/^Not run[^\n]*\n- Evening review, (?:Friday|Monday) \d+ \w+, 18:00$/),
    ])
    expect(of.sent.at(-1)?.sink).toBe('sink:terminal:owner')
    await at(of, due + 4 * HOUR)
    expect(notices(of)).toHaveLength(1)
    expect(told(of)).toEqual([])
  })

  it('is told of several in one line', async () => {
    const of = await evening()
    await at(of, Number(first(of).due) + 3 * DAY + 3 * HOUR)
    expect(notices(of)).toEqual([expect.stringMatching(/\n- Evening review, \d times, the last one \w+ \d+/)])
  })

  it('is told after a kill before it was told, once', async () => {
    const of = await evening()
    const due = Number(first(of).due)
    of.disk.store.saveSetting('jobs_not_run', JSON.stringify([{ job: first(of).id, at: due - DAY }]))
    const after = world({ tools: TOOLS as never, disk: of.disk })
    after.clock.now = of.clock.now
    await after.shell.tick()
    await after.shell.tick()
    expect(notices(after)).toHaveLength(1)
    expect(of.disk.store.setting('jobs_not_run')).toBeNull()
  })

  it('is not told in quiet hours, but when they end', async () => {
    const of = await evening()
    await of.say('quiet hours from 20:00 to 7:00')
    const due = Number(first(of).due)
    await at(of, due + 4 * HOUR)
    expect(notices(of)).toEqual([])
    await at(of, due + 13 * HOUR + 1)
    expect(notices(of)).toHaveLength(1)
  })

  it('is of no interest once the job is stopped', async () => {
    const of = await evening()
    of.disk.store.saveSetting('jobs_not_run', JSON.stringify([{ job: first(of).id, at: of.clock.now - DAY }]))
    await of.say('stop the evening review')
    await of.shell.tick()
    expect(notices(of)).toEqual([])
    expect(of.disk.store.setting('jobs_not_run')).toBeNull()
  })
})

describe('nothing is told of', () => {
  it('what comes late all the same', async () => {
    const of = world({ tools: TOOLS as never })
    await set(of, 'every day at 7 tell me my unread mail')
    await at(of, Number(first(of).due) + 3 * HOUR)
    expect([notices(of), told(of).length]).toEqual([[], 1])
  })

  it('a short restart', async () => {
    const of = await evening()
    await at(of, Number(first(of).due) + HOUR / 2)
    expect(notices(of)).toEqual([])
  })

  it('what comes many times a day', async () => {
    const of = world({ tools: TOOLS as never })
    await set(of, 'check my mail every 15 minutes')
    await at(of, Number(first(of).due) + 5 * HOUR)
    expect([notices(of), told(of).length]).toEqual([[], 1])
  })

  it('a time that the owner left out, or that quiet hours held', async () => {
    const of = await evening()
    await of.say('skip tomorrow')
    await of.say('skip the evening review')
    await at(of, Number(first(of).due) + 3 * HOUR)
    expect(notices(of)).toEqual([])
  })
})

it('of the earlier ones of a job that comes late, the ones that nothing ran for', async () => {
  const of = world({ tools: TOOLS as never })
  await set(of, 'every day at 7 tell me my unread mail')
  await at(of, Number(first(of).due) + 2 * DAY + 3 * HOUR)
  expect(told(of)).toHaveLength(1)
  expect(notices(of)).toEqual([expect.stringContaining('- my unread mail, 2 times')])
})
