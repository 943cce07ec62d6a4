/** A job that is stopped, left out, run at once and held by quiet hours: what the owner said of it stays, and each answer says what is so. */
import { describe, expect, it } from 'vitest'
import { first, outcomes, set, told, world } from './job-world.ts'
import type { World } from './world.ts'

const tools = {
  'email.list': () => ({
    ok: true,
    output: {
      emails: [
        {
          ...{ id: 'm1', from: 'sarah@example.com', fromName: 'Sarah', subject: 'Two numbers', unread: true },
          ...{ date: '2026-11-20T06:00:00Z', hasAttachments: false, snippet: 'Hi' },
        },
      ],
      more: false,
    },
  }),
} as never

async function given(...said: readonly string[]): Promise<World> {
  const of = world({ tools })
  await set(of, 'every day at 7 tell me my unread mail')
  for (const one of said) {
    of.clock.now += 1_000
    await of.say(one)
    await of.shell.tick()
  }
  return of
}

describe('a day that is left out', () => {
  it.each([
    [['skip job 1 tomorrow', 'stop job 1', 'resume job 1']],
    [['skip job 1 tomorrow', 'stop all jobs', 'resume job 1']],
    [['skip job 1 tomorrow', 'stop job 1', '/undo']],
  ])('stays left out: %j', async (said) => {
    const of = await given(...said)
    expect(first(of)).toMatchObject({ state: 'on', skips: '2026-11-21' })
  })

  it('that has passed while it was stopped is forgotten', async () => {
    const of = await given('skip job 1 tomorrow', 'stop job 1')
    of.clock.now += 3 * 86_400_000
    await of.say('resume job 1')
    expect(first(of)).toMatchObject({ state: 'on', skips: null })
  })
})

describe('stopped', () => {
  it.each(['run job 1', 'why did job 1 not come'])('%s: says that it is stopped', async (said) => {
    const of = await given('stop job 1', said)
    expect(of.heard()).toContain('It is stopped, so it does not run.')
    expect(of.heard()).not.toContain('has not run yet')
    expect(outcomes(of)).toEqual([])
  })

  it('one that is removed is not called stopped', async () => {
    const of = await given('/removejob 1')
    expect(of.heard()).toMatch(/^Removed: /)
    expect(of.heard()).not.toContain('/resumejob')
  })
})

describe('run at once', () => {
  it.each([
    ['what runs by itself', 'run it now'],
    ['/jobs', 'run it'],
    ['/jobs', 'starte sie jetzt'],
    ['what is on my list', 'job 1 run it now'],
  ])('%s; %s', async (shown, said) => {
    const of = await given(shown, said)
    expect(of.sent.map(({ text }) => text).join('\n')).toContain('runs now')
    expect(told(of)).toEqual([expect.stringContaining('Two numbers')])
  })

  it('of nothing before it, "run it now" runs no job', async () => {
    const of = await given('what is on my list', 'run it now')
    expect(outcomes(of)).toEqual([])
  })

  it('in quiet hours it tells at once, and its own times wait', async () => {
    const of = await given("don't disturb me until 23:00", 'run job 1')
    expect(told(of)).toEqual([expect.stringContaining('Two numbers')])
    of.disk.store.saveJob({ ...first(of), due: of.clock.now + 3_600_000 })
    of.clock.now += 2 * 3_600_000
    await of.shell.tick()
    expect(outcomes(of)).toHaveLength(1)
  })
})

it('in quiet hours its next time is shown to be their end, where it would come before', async () => {
  const of = await given("don't disturb me until 23:00")
  of.disk.store.saveJob({ ...first(of), due: of.clock.now - 60_000 })
  await of.say('/jobs')
  expect(of.heard()).toContain('Next: Friday 20 November, 23:00')
})

describe('the end of quiet', () => {
  it.each([
    'turn off quiet',
    'turn quiet off',
    'turn off quiet hours',
    'no more quiet',
    'you can bug me again',
    'ruhe beenden',
    'beende die ruhe',
    'schalt die ruhe aus',
  ])('%s: says that it is over, and is taken back whole', async (said) => {
    const of = await given('quiet hours from 22 to 7', "don't disturb me until 23:00", said)
    expect(of.heard()).toBe('It is quiet no more; if anything waited, it comes now.')
    await of.say('/undo')
    await of.say('/quiethours')
    expect(of.heard()).toMatch(/from 22:00 to 07:00[\s\S]*Quiet until Friday 20 November, 23:00/)
  })

  it('where none was set it says so', async () => {
    expect((await given('turn off quiet')).heard()).toMatch(/^No quiet hours are set/)
  })
})
