/**
 * An event that comes again, from words or a model's plan to what is written: the card says it whole, in the
 * owner's language, and nothing periodic is booked once.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { decideFirst } from './asked-world.ts'
import { CANARY, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World } from './world.ts'

/** The world's Friday noon is 20 November 2026, 13:00 in Madrid. */
const GYM = { id: 'g1_1', title: 'Gym', allDay: false, attendees: 0, calendarId: 'primary' }
const TUESDAY = { from: '2026-11-24T06:00:00Z', to: '2026-11-24T07:00:00Z' }

const TOOLS: Record<string, ScriptedTool> = {
  ...mailTools(),
  'calendar.list_events': () => ({ ok: true, output: { events: [{ ...GYM, ...TUESDAY }], more: false } }),
  'calendar.check_event': ({ id, series, until }) => ({
    ok: true,
    output:
      id === undefined
        ? { overlaps: [], more: false, partial: false, begin: true }
        : {
            event: { title: 'Gym', ...TUESDAY },
            version: '"1"',
            ...(until !== undefined ? { ends: true } : series === true ? { all: true } : { one: true }),
          },
  }),
  'calendar.create_event': ({ title, from, to, repeat }) => ({
    ok: true,
    output: { id: 'g1', title, from, to, calendarId: 'primary', ...(repeat !== undefined && { repeat }) },
  }),
  'calendar.update_event': ({ id, from, until, series }) => ({
    ok: true,
    output: {
      ...{ id, title: 'Gym', ...TUESDAY, ...(from !== undefined && { from }), before: TUESDAY },
      ...((series === true || until !== undefined) && { series: true }),
      ...(until !== undefined && { until }),
    },
  }),
  'calendar.delete_event': ({ id, series }) => ({
    ok: true,
    output: { id, title: 'Gym', ...(series === true || id === 'g1' ? { series: true } : TUESDAY) },
  }),
}

const world = (more: Parameters<typeof createWorld>[0] = {}): World => createWorld({ tools: TOOLS, ...more })
const written = ({ calls }: World): readonly object[] =>
  calls.filter(({ tool }) => /(?:create|update|delete)_event$/.test(tool)).map(({ args }) => args)

describe('the card', () => {
  it('says how often, from when, without an end, and the next times; what runs is that', async () => {
    const own = world()
    await own.say('add gym every Tuesday at 7am')
    expect(own.heard()).toContain('It comes again: every Tuesday, 07:00–08:00, first on Tuesday 24 November.')
    expect(own.heard()).toContain('It goes on without an end.')
    expect(own.heard()).toContain('Then on Tuesday 1 December, Tuesday 8 December and Tuesday 15 December.')
    expect(own.heard()).toContain('repeats: weekly')
    expect(own.heard()).toContain('I looked for overlaps at its first times only')
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([
      { title: 'Gym', from: '2026-11-24T07:00:00+01:00', to: '2026-11-24T08:00:00+01:00', repeat: 'weekly' },
    ])
    expect(own.heard()).toBe('Booked: Gym, Tue 24 Nov, 07:00–08:00, then weekly.')
  })

  it('says an end, how many times there are, and which is the last', async () => {
    const own = world()
    await own.say('piano lesson every Monday and Thursday at 4 for ten weeks')
    expect(own.heard()).toContain('on: Monday, Thursday')
    expect(own.heard()).toContain('every Monday and Thursday, 16:00–17:00, first on Monday 23 November.')
    expect(own.heard()).toContain(
      'Until Sunday 31 January 2027: 20 times, the last on Thursday 28 January 2027.',
    )
  })

  it.each([
    [
      'stand-up every weekday at 9:30',
      'every weekday, from Monday to Friday, 09:30–10:30, first on Monday 23 November.',
    ],
    [
      'add team lunch every other Friday 12-1 until Christmas',
      'every 2 weeks on Friday, 12:00–13:00, first on Friday 27 November.',
    ],
    ["mum's birthday every year on 3 May", 'every year on 3 May, all day, first on Monday 3 May 2027.'],
    ['add tax every year on 29 February 2028 at 9', 'A year without that day has it on 28 February.'],
    ['add invoices every month on the 31st at 9', 'A month without that day has it on its last day.'],
    [
      'add the board every month on the second Tuesday at 18:00',
      'every month on its second Tuesday, 18:00–19:00, first on Tuesday 8 December.',
    ],
  ])('%s', async (words, said) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain(said)
  })

  it.each([
    [
      'add gym every Tuesday at 7am except in August',
      'Not on Tuesday 3 August 2027, Tuesday 10 August 2027, Tuesday 17 August 2027, Tuesday 24 August 2027 and Tuesday 31 August 2027.',
      ['2027-08-03', '2027-08-10', '2027-08-17', '2027-08-24', '2027-08-31'],
    ],
    [
      'book choir every Monday at 18:00 until the end of January, but not on 21 and 28 December',
      'Not on Monday 21 December and Monday 28 December.',
      ['2026-12-21', '2026-12-28'],
    ],
  ])('says which days are left out: %s', async (words, said, except) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain(said)
    await decideFirst(own, 'approve')
    expect(written(own)).toMatchObject([{ except }])
  })

  afterEach(() => speak('en'))
  it('is in German', async () => {
    await speak('de')
    const own = world()
    await own.say('jeden Montag um 18 Uhr Chor bis Weihnachten')
    expect(own.heard()).toContain(
      'Es wiederholt sich: jeden Montag, 18:00–19:00, zuerst am Montag, 23. November.',
    )
    expect(own.heard()).toContain('Bis Donnerstag, 24. Dezember: 5 Mal, zuletzt am Montag, 21. Dezember.')
    expect(own.heard()).toContain('wiederholt sich: wöchentlich')
    await decideFirst(own, 'approve')
    expect(own.heard()).toContain('Eingetragen: Chor')
    expect(own.heard()).toContain('dann wöchentlich')
  })
})

describe('nothing periodic is booked once', () => {
  it.each([
    'add gym every Tuesday at 7am until Passover',
    'team lunch every second Friday 12-1',
    'add gym twice a week at 7am',
    'jeden Montag um 18 Uhr Chor außer in den Schulferien',
    'add gym every day at 7am except Sundays',
    'add gym every Tuesday at 7am but not on 24 December',
  ])('%s', async (words) => {
    const own = world()
    await own.say(words)
    expect(await own.ports.approvals.list('principal:owner')).toEqual([])
    expect(written(own)).toEqual([])
  })

  it('where the time is asked for and then said by itself', async () => {
    const own = world()
    await own.say('book gym every tuesday')
    await own.say('at 7am')
    expect(await own.ports.approvals.list('principal:owner')).toEqual([])
  })

  it('nor is a series that was deleted made again as one event', async () => {
    const own = world()
    await own.say('add gym every Tuesday at 7am')
    await decideFirst(own, 'approve')
    await own.say('undo that')
    await decideFirst(own, 'approve')
    expect(own.heard()).toBe('Deleted, all of a series: Gym.')
    await own.say('undo that')
    expect(await own.ports.approvals.list('principal:owner')).toEqual([])
    expect(written(own)).toHaveLength(2)
  })
})

describe('one time of a series, or all', () => {
  it('is that one, which the card says', async () => {
    const own = world()
    await own.say('cancel gym on Tuesday')
    expect(own.heard()).toContain('It is one of a series: the other times of it stay as they are.')
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([{ id: 'g1_1', calendar: 'primary', version: '"1"' }])
  })

  it.each([
    'delete the gym series',
    'cancel all the gym',
    'cancel all of the gym classes',
    'call off gym for good',
    'remove every session of gym',
    'drop the series of gym',
    'sag gym komplett ab',
    'sag das Gym endgültig ab',
    'lösch die Gym Serie',
    'sag alle Gym ab',
  ])('is all of it in any words that say so: %s', async (said) => {
    const own = world()
    await own.say(said)
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([{ id: 'g1_1', calendar: 'primary', series: true, version: '"1"' }])
  })

  it.each(['cancel all my meetings', 'sag alle Termine ab', 'delete all my events on Tuesday'])(
    'is not asked for with all of a day: %s',
    async (said) => {
      const own = world()
      await own.say(said)
      expect(await own.ports.approvals.list('principal:owner')).toEqual([])
    },
  )

  it('is all of it where the series is said', async () => {
    const own = world()
    await own.say('cancel the whole gym series')
    expect(own.heard()).toContain('ALL of a series, with its times in the past.')
    expect(own.heard()).toContain('the whole series: yes')
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([{ id: 'g1_1', calendar: 'primary', series: true, version: '"1"' }])
    expect(own.heard()).toBe('Deleted, all of a series: Gym.')
  })
})

describe('all of a series, changed', () => {
  it.each([
    ['move the whole gym series to half past seven', '2026-11-24T07:30+01:00'],
    ['move the gym series to 19:30', '2026-11-24T19:30+01:00'],
    ['verschieb die ganze Gym-Serie auf 19:30', '2026-11-24T19:30+01:00'],
  ])('%s', async (words, from) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain('ALL of a series, with its times in the past.')
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([{ id: 'g1_1', calendar: 'primary', from, series: true, version: '"1"' }])
    expect(own.heard()).toContain('Changed, all of a series: Gym')
  })

  it.each([
    ['end the gym at the end of June', '2027-06-30'],
    ['let the gym series end by Christmas', '2026-12-24'],
    ['extend the gym until the end of July', '2027-07-31'],
    ['beende das Gym Ende Juni', '2027-06-30'],
  ])('%s', async (words, until) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain('ALL of a series: it has no time after its new last day.')
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([{ id: 'g1_1', calendar: 'primary', until, version: '"1"' }])
    expect(own.heard()).toContain('Its last day is')
  })

  it.each(['move gym on Tuesday to half past seven', 'move the gym to 19:30'])(
    '%s: one time of it',
    async (words) => {
      const own = world()
      await own.say(words)
      expect(own.heard()).toContain('It is one of a series: the other times of it stay as they are.')
    },
  )

  it.each(['end the conversation on a good note', 'end the gym at 5', 'extend the gym until 5'])(
    '%s: no other end of a series',
    async (words) => {
      const own = world()
      await own.say(words)
      expect(await own.ports.approvals.list('principal:owner')).toEqual([])
    },
  )

  it.each([
    'the gym not on 24 November',
    'no gym on Nov 24',
    'skip the gym on Tuesday',
    'am 24. November kein Gym',
  ])('%s: that time of it is deleted alone', async (words) => {
    const own = world()
    await own.say(words)
    expect(own.heard()).toContain('It is one of a series: the other times of it stay as they are.')
    await decideFirst(own, 'approve')
    expect(written(own)).toEqual([{ id: 'g1_1', calendar: 'primary', version: '"1"' }])
  })

  it('leaves nothing out of what is no one thing', async () => {
    const own = world()
    await own.say('no meetings on Tuesday')
    expect(await own.ports.approvals.list('principal:owner')).toEqual([])
  })
})

it('10,000 times are refused in words, without a question', async () => {
  const own = world()
  await own.say('add gym every day at 7am 10000 times')
  expect(own.heard()).toContain('it has more than 400 times')
  expect(await own.ports.approvals.list('principal:owner')).toEqual([])
  expect(written(own)).toEqual([])
})

describe("a model's plan", () => {
  const planning = (args: readonly { readonly name: string; readonly value: Json }[]) =>
    scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan'
        ? JSON.stringify({ steps: [{ id: 's1', do: 'tool', tool: 'calendar.create_event', args }] })
        : 'done',
    )
  const own = (more: Readonly<Record<string, Json>>) =>
    Object.entries({
      title: 'Choir',
      from: '2026-11-24T18:00+01:00',
      to: '2026-11-24T19:00+01:00',
      ...more,
    }).map(([name, value]) => ({ name, value }))

  it('is on the card in words, and runs as it stands there', async () => {
    const args = own({ repeat: 'weekly', every: 2, days: ['tuesday', 'friday'], until: '2026-12-31' })
    const there = world({ models: [planning(args)] })
    await there.say('arrange the choir as we said')
    expect(there.heard()).toContain('every 2 weeks on Tuesday and Friday, 18:00–19:00')
    expect(there.heard()).toContain('Until Thursday 31 December: 6 times, the last on Friday 25 December.')
    await decideFirst(there, 'approve')
    expect(written(there)).toMatchObject([{ repeat: 'weekly', every: 2, days: ['tuesday', 'friday'] }])
  })

  it.each([
    ['of more times than a calendar takes', { repeat: 'daily', until: '2054-04-17' }],
    ['of a first time on none of its days', { repeat: 'weekly', days: ['monday'] }],
    ['of an end without a repetition', { until: '2026-12-24' }],
    ['of a rule in its own words', { repeat: 'FREQ=DAILY;COUNT=10000' }],
    ['of a day that is none', { repeat: 'weekly', days: ['tuesday;COUNT=9'] }],
  ])('%s is none', async (_, more) => {
    const there = world({ models: [planning(own(more))] })
    await there.say('arrange the choir as we said')
    expect(await there.ports.approvals.list('principal:owner')).toEqual([])
    expect(written(there)).toEqual([])
  })
})

it("a stranger's mail that asks for every day books nothing", async () => {
  const own = world()
  await own.say('check my mail')
  expect(CANARY).not.toBe('')
  await own.say('read the second one')
  expect(await own.ports.approvals.list('principal:owner')).toEqual([])
  expect(written(own)).toEqual([])
})
