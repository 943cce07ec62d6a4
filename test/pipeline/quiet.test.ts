/**
 * Quiet hours and what was missed (DESIGN §9): how they are said, in English and German; what waits until they end and what does not; that an idle
 * place does not wake meanwhile; and what is told of a pause, a night, an absence.
 */
import { describe, expect, it } from 'vitest'
import { at, mail, set, told, world } from './job-world.ts'
import type { World, WorldOptions } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const utc = (text: string) => Date.parse(`2026-11-${text}:00Z`)
/** Friday 20 November, 23:00 in Madrid. */
const NIGHT = utc('20T22:00')
const MORNING_7 = utc('21T06:00')

const texts = ({ sent }: World) => sent.map(({ text }) => text)
const last = (of: World) => texts(of).at(-1) ?? ''
const reminded = (of: World) => texts(of).filter((text) => text.startsWith('Reminder'))
const MAILS: WorldOptions = {
  tools: { 'email.list': () => ({ ok: true, output: { emails: [mail('m1')], more: false } }) },
}

async function says(of: World, ...said: readonly string[]): Promise<void> {
  for (const text of said) {
    await of.say(text)
    await of.shell.tick()
    of.clock.now += 1_000
  }
}

describe('how they are said', () => {
  it.each([
    ["don't disturb me between 22 and 7", /from 22:00 to 07:00/],
    ['do not disturb me from 10pm to 6:30 am', /from 22:00 to 06:30/],
    ['set my quiet hours to 22:30-7', /from 22:30 to 07:00/],
    ['/quiet 22-7', /from 22:00 to 07:00/],
    ['stör mich nicht zwischen 22 und 7 Uhr', /from 22:00 to 07:00/],
    ['Bitte stör mich nicht von 23:15 bis 6', /from 23:15 to 06:00/],
    ["don't disturb me until 15:00", /Quiet until Friday 20 November, 15:00/],
    ['leave me alone for 2 hours', /Quiet until Friday 20 November, 14:00/],
    ['/quiet an hour', /Quiet until Friday 20 November, 13:00/],
    ["don't disturb me between 25 and 7", /did not understand when/],
    ['/quiet 22-22', /did not understand when/],
    ['/quiet sometimes', /did not understand when/],
    ['/quiet off', /No quiet hours are set/],
  ])('%s', async (said, answer) => {
    const of = world(MAILS)
    await says(of, said)
    expect(last(of)).toMatch(answer)
  })

  it('are shown, ended, and taken back', async () => {
    const of = world(MAILS)
    await says(of, '/quiet 22-7', 'when are my quiet hours')
    expect(last(of)).toMatch(/from 22:00 to 07:00/)
    await says(of, 'turn off quiet hours')
    expect(last(of)).toMatch(/It is quiet no more/)
    await says(of, '/undo', '/quiethours')
    expect(last(of)).toMatch(/from 22:00 to 07:00/)
  })
})

describe('in quiet hours', () => {
  it('a reminder comes at a time that was named', async () => {
    const of = world(MAILS)
    await says(of, '/quiet 22-7', 'remind me at 23:00 to take the pill')
    await at(of, NIGHT)
    expect(reminded(of)).toHaveLength(1)
  })

  it('one that is late waits until they end, and comes once', async () => {
    const of = world(MAILS)
    await says(of, '/quiet 22-7', 'remind me at 21:00 to call mum')
    const later = world({ ...MAILS, disk: of.disk })
    await at(later, NIGHT)
    expect(reminded(later)).toEqual([])
    await at(later, MORNING_7)
    expect(reminded(later)).toEqual([expect.stringContaining('call mum')])
    await at(later, MORNING_7 + HOUR)
    expect(reminded(later)).toHaveLength(1)
  })

  it('a day without a time means nine, which waits for the end of a long sleep', async () => {
    const of = world(MAILS)
    await says(of, '/quiet 22-10', 'remind me tomorrow to buy bread')
    await at(of, utc('21T08:00'))
    expect(reminded(of)).toEqual([])
    await at(of, utc('21T09:00'))
    expect(reminded(of)).toHaveLength(1)
  })

  it('what was held does not keep a named one back, however much it is', async () => {
    const of = world(MAILS)
    await says(of, '/quiet 22-7')
    for (let n = 0; n < 25; n += 1) await says(of, `remind me at 20:${10 + n} to do ${n}`)
    await says(of, 'remind me at 23:00 to take the pill')
    const later = world({ ...MAILS, disk: of.disk })
    await at(later, NIGHT)
    expect(reminded(later)).toEqual([expect.stringContaining('take the pill')])
  })

  it('jobs run when they end, once, and say for when it was', async () => {
    const of = world(MAILS)
    await set(of, 'start the email check')
    await at(of, utc('20T11:15'))
    const before = told(of).length
    await says(of, '/quiet 22-7')
    for (let now = utc('20T21:00'); now < MORNING_7; now += 15 * MINUTE) await at(of, now)
    expect(told(of)).toHaveLength(before)
    const [job] = of.disk.store.jobs()
    await at(of, MORNING_7)
    const runs = of.disk.store.runsOf(job?.id ?? '', 100)
    expect(runs.filter(({ code }) => code === 'job_quiet').length).toBeGreaterThan(0)
    expect(
      runs.filter(({ outcome, started }) => outcome !== 'skipped' && started >= utc('20T21:00')),
    ).toHaveLength(1)
  })

  it('one that leaves out what it missed runs at their end all the same', async () => {
    const of = world({
      tools: {
        'calendar.list_events': () => ({
          ok: true,
          output: {
            events: [
              {
                ...{ id: 'e1', title: 'Stand-up', from: '2026-11-23T09:00:00+01:00', allDay: false },
                ...{ to: '2026-11-23T09:30:00+01:00', attendees: 0 },
              },
            ],
            more: false,
          },
        }),
      },
    })
    await set(of, 'start the evening review every day at 23:00')
    await says(of, '/quiet 22-7')
    await at(of, NIGHT)
    expect(told(of)).toEqual([])
    await at(of, MORNING_7)
    expect(told(of)).toHaveLength(1)
  })

  it('nothing wakes the place before they end', async () => {
    const of = world(MAILS)
    await set(of, 'start the email check')
    await says(of, '/quiet 22-7', 'remind me at 21:00 to call mum')
    const later = world({ ...MAILS, disk: of.disk })
    later.clock.now = NIGHT
    expect(await later.shell.tick()).toBe(MORNING_7)
  })

  it('nothing comes twice where the clocks go back, and nothing is left where they go forward', async () => {
    for (const [night, end] of [
      ['2027-03-27T23:30:00Z', '2027-03-28T05:00:00Z'],
      ['2027-10-30T23:30:00Z', '2027-10-31T06:00:00Z'],
    ] as const) {
      const of = world(MAILS)
      await says(of, '/quiet 22-7', 'remind me at 21:00 to call mum')
      const later = world({ ...MAILS, disk: of.disk })
      later.clock.now = Date.parse(night)
      expect(new Date((await later.shell.tick()) ?? 0).toISOString()).toBe(new Date(end).toISOString())
      await at(later, Date.parse(end))
      expect(reminded(later)).toHaveLength(1)
    }
  })
})

describe('what was missed', () => {
  it('nothing, where nothing was', async () => {
    const of = world(MAILS)
    await says(of, 'what did I miss?')
    expect(last(of)).toMatch(/^Nothing: no reminder/)
    await says(of, 'Habe ich etwas verpasst?')
    expect(last(of)).toMatch(/^Nothing: no reminder/)
  })

  it('a reminder without an answer, a job that was missed, a card that waits and one that ran out', async () => {
    const of = world(MAILS)
    await set(of, 'start the evening review every day at 21:00')
    await says(of, 'remind me at 20:30 to call mum', 'start the morning briefing')
    await at(of, utc('20T19:30'))
    // Home was off from then to half past midnight.
    await at(of, utc('20T23:30'))
    await says(of, 'start the email check', 'what did I miss?')
    expect(last(of)).toMatch(/Reminders that came and were not answered:\n1\. .*call mum/)
    expect(last(of)).toMatch(
      /What jobs did not tell you:\n- Evening review: Friday 20 November, 21:00: missed/,
    )
    expect(last(of)).toMatch(/Cards that wait for your answer: 1/)
    expect(last(of)).toMatch(/Cards that ran out without an answer in the last seven days: 1/)
  })

  it('what came after a pause, and what its chat did not take', async () => {
    let refuses = false
    const of = world({
      ...MAILS,
      send: ({ kind }) =>
        refuses && kind === 'answer'
          ? { ok: false, reason: { code: 'sink_unknown', facts: {} } }
          : { ok: true, value: true },
    })
    await set(of, 'start the email check')
    refuses = true
    await at(of, utc('20T11:15'))
    refuses = false
    await says(of, 'what did I miss?')
    expect(last(of)).toMatch(/Email check: Friday 20 November, 12:15: written, but its chat did not take it/)
  })

  it('what an answer was given to is not missed', async () => {
    const of = world(MAILS)
    await says(of, 'remind me tomorrow at 8:30 to call mum')
    await at(of, utc('21T07:30'))
    await says(of, 'done', 'what did i miss')
    expect(last(of)).toMatch(/^Nothing/)
  })
})
