/** An event gets another time by words alone, without a model: a card with the old and the new time, and what happens in the wrong cases. */
import { beforeEach, describe, expect, it } from 'vitest'
import { decideFirst } from './asked-world.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

interface Event {
  readonly id: string
  readonly title: string
  readonly from: string
  readonly to: string
  readonly [key: string]: string | number | boolean
}

function event(id: string, title: string, from: string, to: string): Event {
  return { id, title, from, to, allDay: false, attendees: 0, calendarId: 'primary' }
}

/** The world's Friday noon is 20 November 2026, 13:00 in Madrid. */
const DENTIST = event('d1', 'Dentist', '2026-11-24T09:00:00Z', '2026-11-24T10:00:00Z')
const LUNCH = event('l1', 'Lunch with Tom', '2026-11-23T12:00:00Z', '2026-11-23T13:00:00Z')
const REVIEW = event('r1', 'Budget review', '2026-11-20T14:00:00Z', '2026-11-20T15:00:00Z')
const OTHER_LUNCH = event('l2', 'Lunch with Ana', '2026-11-25T12:00:00Z', '2026-11-25T13:00:00Z')

let events: readonly Event[] = []
beforeEach(() => {
  events = [DENTIST, LUNCH, REVIEW]
})

const TOOLS: Record<string, ScriptedTool> = {
  'calendar.list_events': ({ from, to }) => ({
    ok: true,
    output: {
      events: events.filter(
        (one) =>
          Date.parse(one.to) > Date.parse(String(from)) && Date.parse(one.from) < Date.parse(String(to)),
      ),
      more: false,
    },
  }),
  'calendar.create_event': ({ from, to }) => ({
    ok: true,
    output: { id: 'n1', from, to, calendarId: 'family' },
  }),
  'calendar.update_event': ({ id, from = LUNCH.from }) => ({
    ok: true,
    output: {
      ...{ id, from, before: { from: LUNCH.from, to: LUNCH.to } },
      to: new Date(Date.parse(String(from)) + 3_600_000).toISOString(),
    },
  }),
  'calendar.delete_event': ({ id }) => ({ ok: true, output: { id, gone: false } }),
}

function world(): World {
  return createWorld({ tools: TOOLS })
}

const changes = ({ calls }: World): readonly unknown[] =>
  calls.flatMap(({ tool, args }) => (tool === 'calendar.update_event' ? [args] : []))

describe('an event is moved', () => {
  const HOME = { calendar: 'primary' }
  it.each([
    ['move the dentist to 4pm', { id: 'd1', from: '2026-11-24T16:00+01:00' }],
    ['move the dentist to Friday at 9', { id: 'd1', from: '2026-11-27T09:00:00+01:00' }],
    ['push lunch with Tom to Thursday', { id: 'l1', from: '2026-11-26T13:00+01:00' }],
    ['move my 3pm to 5', { id: 'r1', from: '2026-11-20T17:00+01:00' }],
    ['postpone the budget review by two days', { id: 'r1', from: '2026-11-22T15:00+01:00' }],
    ['make the dentist half an hour longer', { id: 'd1', to: '2026-11-24T11:30+01:00' }],
  ])('%s', async (words, change) => {
    const own = world()
    await own.say(words)
    expect(changes(own)).toEqual([])
    await decideFirst(own, 'approve')
    expect(changes(own)).toEqual([{ ...HOME, ...change }])
  })

  it.each([
    ['move dinner to 8', '2026-11-26T20:00+01:00'],
    ['move dinner to half 10', '2026-11-26T22:30+01:00'],
    ['move dinner to Friday at 8', '2026-11-27T20:00+01:00'],
    ['move dinner to 8am', '2026-11-26T08:00+01:00'],
    ['move dinner to 08:00', '2026-11-26T08:00+01:00'],
  ])('to the half of the day in which it is, where none is said: %s', async (words, from) => {
    events = [event('a1', 'Dinner with Ana', '2026-11-26T18:00:00Z', '2026-11-26T19:00:00Z')]
    const own = world()
    await own.say(words)
    await decideFirst(own, 'approve')
    expect(changes(own)).toEqual([{ id: 'a1', calendar: 'primary', from }])
  })

  it('shows which event it is, when it is now, and when it would be', async () => {
    const own = world()
    await own.say('move the dentist to 4pm')
    expect(own.heard()).toMatch(/Dentist.*Tuesday 24 November, 10:00/)
    expect(own.heard()).toContain('starts: Tuesday 24 November, 16:00')
  })
})

describe('what was talked about is moved', () => {
  it('after the one event that was shown', async () => {
    events = [REVIEW]
    const own = world()
    await own.say("what's on my calendar today?")
    await own.say('make it an hour later')
    await decideFirst(own, 'approve')
    expect(changes(own)).toEqual([{ id: 'r1', calendar: 'primary', from: '2026-11-20T16:00+01:00' }])
  })

  it('after it was booked, also in the words of a job', async () => {
    const own = world()
    await own.say('book yoga tomorrow at 10')
    await decideFirst(own, 'approve')
    await own.say('make it 11')
    await decideFirst(own, 'approve')
    expect(changes(own)).toEqual([{ id: 'n1', calendar: 'family', from: '2026-11-21T11:00+01:00' }])
    expect(own.heard()).toBe('Changed: Sat 21 Nov, 11:00–12:00.')
  })

  it('is not what a question waits about, whose card is made anew instead', async () => {
    events = [REVIEW]
    const own = world()
    await own.say("what's on my calendar today?")
    await own.say('book yoga tomorrow at 10')
    await own.say('make it an hour later')
    expect(own.heard()).toMatch(/title: Yoga[\s\S]*starts: .*, 11:00\n/)
    expect(changes(own)).toEqual([])
  })

  it('is asked for where nothing was', async () => {
    const own = world()
    await own.say('make it an hour later')
    expect(own.heard()).toContain('Which event?')
    expect(changes(own)).toEqual([])
  })

  it('is asked for where several were', async () => {
    const own = world()
    await own.say("what's on my calendar next week?")
    await own.say('make it an hour later')
    expect(own.heard()).toContain('Which event?')
  })
})

describe('the wrong cases', () => {
  it('asks which of two is meant, and moves that one', async () => {
    events = [LUNCH, OTHER_LUNCH]
    const own = world()
    await own.say('move lunch to 2pm')
    expect(own.heard()).toMatch(/1: Lunch with Tom.*\n.*2: Lunch with Ana/)
    expect(changes(own)).toEqual([])
    await decideFirst(own, 'approve', 2)
    await decideFirst(own, 'approve')
    expect(changes(own)).toEqual([{ id: 'l2', calendar: 'primary', from: '2026-11-25T14:00+01:00' }])
  })

  it('asks which of two is to be cancelled', async () => {
    events = [LUNCH, OTHER_LUNCH]
    const own = world()
    await own.say('cancel lunch')
    expect(own.heard()).toMatch(/1: Lunch with Tom.*\n.*2: Lunch with Ana/)
  })

  it('says that more fit than can be asked about', async () => {
    events = Array.from({ length: 9 }, (_, at) => ({ ...LUNCH, id: `l${at}` }))
    const own = world()
    await own.say('move lunch to 2pm')
    expect(own.heard()).toContain('More fit than I can ask about.')
    expect(changes(own)).toEqual([])
  })

  it('says that there is none', async () => {
    const own = world()
    await own.say('move the haircut to 4pm')
    expect(own.heard()).toBe('I found no event with “haircut” between today and Sat 19 Dec.')
    expect(changes(own)).toEqual([])
  })

  it.each(['move lunch and the dentist to 5', 'move the dentist to the garage', 'move every lunch to 2pm'])(
    'moves nothing by half of: %s',
    async (words) => {
      const own = world()
      await own.say(words)
      expect(await own.ports.approvals.list('principal:owner')).toEqual([])
    },
  )
})

describe('what was missed without a model', () => {
  it('books what names no verb, after a card', async () => {
    const own = world()
    await own.say('dinner with Mira on Saturday at 19:00')
    expect(own.heard()).toContain('title: Dinner with Mira')
    await decideFirst(own, 'approve')
    expect(own.calls.at(-1)?.args).toMatchObject({ from: '2026-11-21T19:00:00+01:00' })
  })

  it('tells when one thing is, and not what else there is', async () => {
    const own = world()
    await own.say('when is the dentist?')
    expect(own.heard()).toContain('Dentist')
    expect(own.heard()).not.toContain('Lunch')
  })

  it('asks when what goes into a calendar by its name should be, and books it there', async () => {
    const own = world()
    await own.say('put gym in the family calendar')
    expect(own.heard()).toContain('When?')
    await own.say('put gym in the family calendar tomorrow at 7')
    expect(own.heard()).toContain('calendar: family')
    await decideFirst(own, 'approve')
    expect(own.calls.at(-1)?.args).toMatchObject({ title: 'Gym', calendar: 'family' })
  })
})
