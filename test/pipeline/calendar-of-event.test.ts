/**
 * Looks at the calendar that people ask for: what overlaps, when something was last, whether a day is free, how long and
 * where the event is that was just shown; and the place and title of a new one. Without a model, at home.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { decideFirst } from './asked-world.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const event = (id: string, title: string, from: string, to: string, more = {}) => ({
  ...{ id, title, from, to, attendees: 0, allDay: false, calendarId: 'primary', ...more },
})
/** Madrid, Friday 20 November 2026, 12:00. */
const EVENTS = [
  event('h1', 'Hairdresser', '2026-10-12T10:00:00+02:00', '2026-10-12T11:00:00+02:00'),
  event('h2', 'Hairdresser', '2026-11-09T10:00:00+01:00', '2026-11-09T11:00:00+01:00', { location: 'Snip' }),
  event('f1', 'Friseur', '2026-11-10T10:00:00+01:00', '2026-11-10T11:00:00+01:00'),
  event('t1', 'Holiday', '2026-11-27T00:00:00+01:00', '2026-11-28T00:00:00+01:00', { allDay: true }),
  event('a1', 'Coffee with Tom', '2026-11-27T15:00:00+01:00', '2026-11-27T16:00:00+01:00'),
  event('a2', 'Planning', '2026-11-27T15:30:00+01:00', '2026-11-27T16:30:00+01:00'),
  // Neither takes the owner's time, so that neither overlaps.
  event('a4', 'Budget call', '2026-11-27T15:15:00+01:00', '2026-11-27T15:45:00+01:00', {
    ...{ answer: 'declined', busy: false },
  }),
  event('a5', 'Release freeze', '2026-11-27T14:00:00+01:00', '2026-11-27T18:00:00+01:00', { busy: false }),
  event('b1', 'Choir', '2026-11-25T18:00:00+01:00', '2026-11-25T19:00:00+01:00', { answer: 'tentative' }),
  event('b2', 'Board', '2026-11-25T09:00:00+01:00', '2026-11-25T10:00:00+01:00', {
    ...{ answer: 'declined', busy: false, location: 'Room 4' },
  }),
  event('b3', 'Lunch with Ida', '2026-11-25T12:00:00+01:00', '2026-11-25T13:00:00+01:00', {
    answer: 'accepted',
  }),
  event('a3', 'Dinner', '2026-11-27T16:30:00+01:00', '2026-11-27T18:00:00+01:00'),
]
const tools = {
  ...mailTools(),
  'calendar.list_events': ({ from, to }: Readonly<Record<string, unknown>>) => ({
    ok: true as const,
    output: {
      more: false,
      events: EVENTS.filter(
        (one) =>
          Date.parse(one.to) > Date.parse(String(from ?? '2026-11-20T12:00:00+01:00')) &&
          Date.parse(one.from) < Date.parse(String(to ?? '2026-12-20T12:00:00+01:00')),
      ),
    },
  }),
  'calendar.freebusy': ({ from, to }: Readonly<Record<string, unknown>>) => ({
    ok: true as const,
    output: { slots: [{ from: String(from), to: String(to), busy: false }] },
  }),
  'calendar.read_event': ({ id }: Readonly<Record<string, unknown>>) => ({
    ok: true as const,
    output: {
      ...(EVENTS.find((one) => one.id === id) ??
        event('n1', 'Lunch', '2026-11-23T13:00:00+01:00', '2026-11-23T14:00:00+01:00')),
      note: '',
      alone: true,
    },
  }),
  'calendar.create_event': ({ from, to }: Readonly<Record<string, unknown>>) => ({
    ok: true as const,
    output: { id: 'n1', from: String(from), to: String(to) },
  }),
}
const models = [createRulesModel({ place: 'home', home: HOME_RULES })]

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools, models })
  for (const one of said) {
    await (one === 'yes' ? decideFirst(of, 'approve') : of.say(one))
    of.clock.now += 1_000
  }
  return of
}

describe('what overlaps', () => {
  it.each([
    'do i have any clashes',
    'do i have any clashes on friday',
    'any conflicts next week?',
    'am i double booked on friday?',
    'hab ich am freitag überschneidungen',
    'gibt es nächste woche terminkonflikte?',
    'wo hab ich am freitag zwei sachen gleichzeitig?',
  ])('%s', async (said) => {
    const { heard } = await given(
      said.replace('on friday', 'on november 27').replace('am freitag', 'am 27. november'),
    )
    expect(heard()).toContain('15:00–16:00 Coffee with Tom')
    expect(heard()).toContain('15:30–16:30 Planning')
    // What begins when another ends, and what is all day, takes no time of another.
    expect(heard()).not.toMatch(/Dinner|Holiday|Budget call|Release freeze/)
  })

  it.each(['do i have any clashes tomorrow', 'hab ich morgen überschneidungen'])('%s: none', async (said) => {
    expect((await given(said)).heard()).toMatch(/^Nothing overlaps on your calendar for Sat 21 Nov/)
  })

  it('is not asked by other words with these in them', async () => {
    expect((await given('any merge conflicts on november 27?')).heard()).not.toContain('Coffee')
  })
})

describe('what the owner answered to an invitation', () => {
  afterEach(() => speak('en'))

  it.each([
    ['en', "what's on my calendar on november 25?", 'you declined', 'perhaps'],
    ['de', 'was steht am 25. november an?', 'du hast abgesagt', 'vielleicht'],
  ] as const)('is said of each row (%s)', async (language, said, declined, perhaps) => {
    await speak(language)
    const { heard } = await given(said)
    const rows = heard().split('\n').slice(1)
    expect(rows).toEqual([
      `- 09:00–10:00 Board (Room 4) · ${declined}`,
      '- 12:00–13:00 Lunch with Ida',
      `- 18:00–19:00 Choir · ${perhaps}`,
    ])
  })

  it.each(['what is my next appointment on november 25?', 'when is my next meeting on november 25?'])(
    '%s: not what was declined',
    async (said) => {
      const { heard } = await given(said)
      expect(heard()).toContain('12:00–13:00 Lunch with Ida')
      expect(heard()).not.toContain('Board')
    },
  )
})

describe('when it was last', () => {
  it.each([
    ['when was I last at the hairdresser', 'Mon 9 Nov:\n- 10:00–11:00 Hairdresser (Snip)'],
    ['when was my last hairdresser?', 'Mon 9 Nov:\n- 10:00–11:00 Hairdresser (Snip)'],
    ['wann war ich zuletzt beim friseur', 'Tue 10 Nov:\n- 10:00–11:00 Friseur'],
    ['wann war ich das letzte mal beim Friseur?', 'Tue 10 Nov:\n- 10:00–11:00 Friseur'],
    ['when did i last see tom', 'I found nothing about tom on your calendar.'],
    ['wann war ich zuletzt beim zahnarzt', 'I found nothing about zahnarzt on your calendar.'],
  ])('%s', async (said, answer) => {
    expect((await given(said)).heard()).toBe(answer)
  })

  it('of mail it looks at no calendar', async () => {
    expect((await given('when was my last mail from sarah?')).calls.map(({ tool }) => tool)).not.toContain(
      'calendar.list_events',
    )
  })
})

it.each(['is sat free', 'is tomorrow free?', 'ist samstag frei'])('%s', async (said) => {
  expect((await given(said)).heard()).toMatch(/^(?:Tomorrow|On Saturday) you are free [^\n]*$/)
})

describe('the event that was just shown or booked', () => {
  it.each([
    'how long is it',
    'how long does that take?',
    'where is it',
    'when does it start?',
    'wie lang dauert der?',
    'wie lange geht das?',
    'wo ist das?',
    'wann ist der termin',
  ])('%s', async (said) => {
    const booked = await given('lunch with tom on monday at 1pm', 'yes', said)
    expect(booked.heard()).toMatch(/^Lunch, Mon 23 Nov, 13:00–14:00\./)
    const shown = await given('when was I last at the hairdresser', said)
    expect(shown.calls.map(({ tool }) => tool)).not.toContain('calendar.create_event')
  })

  it.each([
    ['erinner mich eine stunde vorher', '2026-11-23T12:00'],
    ['remind me half an hour before', '2026-11-23T12:30'],
    ['and remind me the day before', '2026-11-22T09:00'],
  ])('%s: of that event', async (said, due) => {
    const of = await given('lunch with tom on monday at 1pm', 'yes', said, 'yes')
    const [row] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect(new Date((row?.due ?? 0) + 3_600_000).toISOString().slice(0, 16)).toBe(due)
    expect(of.heard()).toContain('Lunch')
  })

  it('a reminder is of it after another look at it as well', async () => {
    const of = await given(
      'lunch with tom on monday at 1pm',
      'yes',
      'where is it',
      'und erinner mich um halb 12 dran',
      'yes',
    )
    const [row] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect(new Date((row?.due ?? 0) + 3_600_000).toISOString().slice(0, 16)).toBe('2026-11-23T11:30')
  })

  it('of nothing that was shown it is no question of the calendar', async () => {
    const of = await given('any new mail?', 'where is it')
    expect(of.calls.map(({ tool }) => tool)).not.toContain('calendar.read_event')
  })
})

it.each([
  'urlaub vom 14. bis 18.12.',
  'urlaub vom 14. bis 18. dezember',
  'urlaub 14.12. bis 18.12.',
  'trag urlaub vom 14. bis 18.12. ein',
])('%s: whole days, and no day in its title', async (said) => {
  const of = await given(said)
  await decideFirst(of, 'approve')
  expect(of.calls.find(({ tool }) => tool === 'calendar.create_event')?.args).toMatchObject({
    ...{ title: 'Urlaub', from: '2026-12-14T00:00:00+01:00', to: '2026-12-19T00:00:00+01:00' },
  })
})

describe('the place of a new event', () => {
  it.each([
    ['nächsten freitag essen mit tom um 19 uhr im goldenen hirsch', 'Essen mit tom', 'goldenen hirsch'],
    ['trag freitag 20 uhr kino mit mira im metropol ein', 'Kino mit mira', 'metropol'],
    ['trag freitag 19 uhr essen mit tom im goldenen hirsch ein', 'Essen mit tom', 'goldenen hirsch'],
    ['dinner with mira friday 7pm at luigis', 'Dinner with mira', 'luigis'],
    ['lunch with tom at luigis friday 1pm', 'Lunch with tom', 'luigis'],
    ['lunch at luigis with tom friday 1pm', 'Lunch with tom', 'luigis'],
    ['do 17 uhr physio in der bahnhofstr. 5', 'Physio', 'bahnhofstr. 5'],
    ['book a call friday at 3pm in room 4', 'Call', 'room 4'],
    ['dinner with mira friday at 7pm', 'Dinner with mira', null],
    ['lunch with tom friday at noon', 'Lunch with tom', null],
    ['meeting mit tom morgen 17:00', 'Meeting mit tom', null],
    ['nächsten mittwoch geburtstag oma den ganzen tag', 'Geburtstag oma', null],
  ])('%s', async (said, title, place) => {
    const of = await given(said)
    await decideFirst(of, 'approve')
    const args = of.calls.find(({ tool }) => tool === 'calendar.create_event')?.args ?? {}
    expect([args['title'], args['location'] ?? null]).toEqual([title, place])
  })
})
