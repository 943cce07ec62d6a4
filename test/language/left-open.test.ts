/** What code does not decide: times of other clocks, changes of many events, conditions of reminders; and what it says of them without a model. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import { extracted, promptParts } from './fixtures.ts'

/** Thursday 26 November 2026, 10:00 in New York. */
const NOW = Date.parse('2026-11-26T15:00:00Z')
const ZONE = 'America/New_York'
const said = (text: string): Record<string, unknown> => extracted(text, NOW, ZONE)
const planned = (text: string) => readingOf(text, NOW, ZONE)
const told = (text: string): string => {
  const { explanation } = planned(text)
  const output = { ...promptParts().output, timezone: ZONE, now: '2026-11-26T10:00' }
  return answerFor(promptParts({ request: text, instruction: explanation, output }))
}

describe('a time of a named place', () => {
  it.each([
    [
      'Put in a call with the Tokyo team on Tuesday at 9am Tokyo time',
      '2026-11-30T19:00:00-05:00',
      'Call with the Tokyo team',
    ],
    [
      'Put in a call with Ken on Tuesday at 9am local time in Tokyo',
      '2026-11-30T19:00:00-05:00',
      'Call with Ken',
    ],
    ['Book lunch with Sarah on Friday 3pm london time', '2026-11-27T10:00:00-05:00', 'Lunch with Sarah'],
    ['Book a call with Ken on Tuesday 9am Pacific', '2026-12-01T12:00:00-05:00', 'Call with Ken'],
    ['Book a call with Ken on Tuesday at 9am German time', '2026-12-01T03:00:00-05:00', 'Call with Ken'],
    ['Book a call with Ken on Tuesday at 4pm my time', '2026-12-01T16:00:00-05:00', 'Call with Ken'],
    [
      'Trag am Montag um 15 Uhr Londoner Zeit einen Anruf mit Tom ein',
      '2026-11-30T10:00:00-05:00',
      'Anruf mit Tom',
    ],
    [
      'Trag am Dienstag um 9 Uhr Ortszeit Tokio einen Anruf mit Ken ein',
      '2026-11-30T19:00:00-05:00',
      'Anruf mit Ken',
    ],
    [
      'Trag am Montag um 15 Uhr nach Wiener Zeit einen Anruf mit Tom ein',
      '2026-11-30T09:00:00-05:00',
      'Anruf mit Tom',
    ],
  ])('is booked in the time of the owner, without the place in the title: %s', (text, from, title) => {
    expect(said(text)['from']).toBe(from)
    expect(planned(text).calls).toMatchObject([{ tool: 'calendar.create_event', args: { title, from } }])
  })

  it.each([
    ['Remind me tomorrow at 9am Tokyo time to call Ken', 'call Ken', '2026-11-26T19:00:00-05:00'],
    ['Remind me to call Ken tomorrow at 9am Tokyo time', 'call Ken', '2026-11-26T19:00:00-05:00'],
    ['Erinnere mich morgen um 9 Uhr Londoner Zeit an den Anruf', 'Anruf', '2026-11-27T04:00:00-05:00'],
  ])('is the time of a reminder: %s', (text, reminder, due) => {
    expect(planned(text).calls).toMatchObject([{ tool: 'reminder.set', args: { text: reminder, due } }])
  })

  it('is a new time of an event, with its day', () => {
    for (const text of [
      'Move the budget review to Friday 3pm London time',
      'Verschieb die Budgetbesprechung auf Freitag 15 Uhr Londoner Zeit',
    ])
      expect(said(text)).toMatchObject({ moved: 'both', newTime: '2026-11-27T10:00:00-05:00' })
  })

  it("of the owner's own zone repeats as any other", () => {
    for (const text of [
      'Remind me every Monday at 9am New York time to call Ken',
      'Remind me every Monday at 9am to call Ken',
    ])
      expect(planned(text).calls).toMatchObject([
        { args: { text: 'call Ken', due: '2026-11-30T09:00:00-05:00', repeat: 'weekly' } },
      ])
  })

  it('is words of its own where nothing is booked', () => {
    expect(planned("Remember that Ken's call is at 9am their time").calls).toEqual([
      { tool: 'memory.save', args: { text: "Ken's call is at 9am their time" } },
    ])
    expect(planned('Remind me at 9 to bring the cake for them').calls).toMatchObject([
      { args: { text: 'bring the cake for them' } },
    ])
    expect(planned('Block focus time tomorrow 9-11').explanation).not.toMatch(/^zone/)
  })
})

describe('a time of a clock that is not known is not booked, and is asked about', () => {
  it.each([
    ['Put in a call with the Tokyo team, Tuesday 9am for them, half an hour.', 'zone_unknown', 'for them'],
    ['Put in a call with the Paris office for Monday, 3pm over there, 30 min', 'zone_unknown', 'over there'],
    ['Book a call with Ken Tuesday at 9am their time', 'zone_unknown', 'their time'],
    ['Book a call with Ken on Tuesday at 9am local time', 'zone_unknown', 'local time'],
    ['Book a call with Ken on Tuesday at 9am Gotham time', 'zone_unknown', 'Gotham time'],
    ['Remind me at 9am on their side to call Ken', 'zone_unknown', 'on their side'],
    ['Trag am Dienstag um 9 Uhr Ortszeit einen Anruf mit Ken ein', 'zone_unknown', 'Ortszeit'],
    ['Trag einen Anruf mit Ken am Dienstag um 9 Uhr bei ihnen ein', 'zone_unknown', 'bei ihnen'],
    ['Erinnere mich morgen um 9 Uhr ihrer Zeit an den Anruf', 'zone_unknown', 'ihrer Zeit'],
    ['Book a call with Ken tomorrow afternoon her time', 'zone_unknown', 'her time'],
    ['Book a call with Ken Tuesday 9am, Tokyo time', 'zone_apart', 'Tokyo time'],
    ['Add lunch at noon on Friday and a call at 9am Tokyo time on Monday', 'zone_apart', 'Tokyo time'],
    ['Move the call with Ken to 9am Tokyo time', 'zone_apart', 'Tokyo time'],
    ['Verschieb den Anruf auf 9 Uhr Londoner Zeit', 'zone_apart', 'Londoner Zeit'],
    ['Remind me every Monday at 9am London time to call Ken', 'zone_repeats', 'London time'],
    ['Erinnere mich jeden Montag um 9 Uhr Londoner Zeit an den Anruf', 'zone_repeats', 'Londoner Zeit'],
  ])('%s', (text, why, words) => {
    expect(said(text)).not.toHaveProperty('from')
    expect(said(text)).toMatchObject({ intent: 'other', whole: false })
    expect(planned(text)).toMatchObject({ calls: [], explanation: why })
    expect(told(text)).toContain(`"${words}"`)
    expect(told(text).split('\n')).toHaveLength(1)
  })
})

describe('words behind the time of an appointment are no part of its title', () => {
  it.each([
    'Book the dentist Tuesday 9am instead',
    'Book a call with Ken Tuesday 9am for us',
    'Trag Zahnarzt am Freitag um 15 Uhr pünktlich ein',
    'Trag für Freitag um 9 Uhr dort einen Termin mit dem Amt ein',
  ])('%s', (text) => {
    expect(planned(text).calls).toEqual([])
  })

  it('and what only stresses the time is left out', () => {
    expect(planned('Book the dentist Tuesday 9am sharp').calls).toMatchObject([
      { tool: 'calendar.create_event', args: { title: 'Dentist' } },
    ])
  })

  it('but words of the title itself are', () => {
    expect(planned('Book dentist for her Tuesday at 9am').calls).toMatchObject([
      { args: { title: 'Dentist for her' } },
    ])
  })
})

describe('a change of more than one event is not of an event of that name', () => {
  it.each([
    ...[
      'Push everything I have after lunch tomorrow back by half an hour.',
      'Move all my meetings tomorrow one hour later.',
    ],
    ...[
      'Move both my meetings tomorrow to 5pm',
      'Delete both meetings on Friday',
      'Cancel every meeting on Friday',
    ],
    ...['Everything tomorrow after 1pm needs to start 30 minutes later.', 'cancel my whole afternoon'],
    ...['move my meetings tomorrow to Friday', 'Cancel the three calls on Monday'],
    ...['Verschieb morgen alle Termine nach dem Mittagessen um eine halbe Stunde nach hinten.'],
    ...[
      'Alle Termine morgen bitte eine Stunde später.',
      'Sag alle Termine morgen ab',
      'Lösch jeden Termin am Freitag',
    ],
    ...[
      'sag allen Termine morgen ab',
      'Sag allen meinen Terminen morgen ab',
      'sag den Terminen am Freitag ab',
    ],
    ...['Verschieb beide Termine am Freitag auf 17 Uhr', 'sag meinen ganzen Nachmittag ab'],
    ...['clear my calendar tomorrow', 'Räum meinen Freitag'],
  ])('%s', (text) => {
    expect(said(text)).toMatchObject({ intent: 'other', whole: false })
    expect(planned(text)).toMatchObject({ calls: [], explanation: 'one_event_at_a_time' })
    expect(told(text)).toMatch(
      /^Without a model I change only one event at a time, so I changed nothing\. Say each one/,
    )
  })

  it.each(['cancel both', 'move both to 5pm', 'sag beide ab'])('%s changes nothing of that name', (text) => {
    expect(planned(text).calls).toEqual([])
  })

  it.each([
    ...['move the all-hands meeting to 3pm', 'cancel the dentist tomorrow', 'delete all mails from Tom'],
    ...[
      'verschieb den Zahnarzt am Freitag auf 16 Uhr',
      'Sag mir meine Termine',
      'clear everything from my list',
    ],
    ...[
      'move the budget review to 14:30',
      'cancel the 3pm on Friday',
      'verschieb die Budgetbesprechung auf 14:30',
    ],
    ...['sag den Zahnarzt am Freitag ab', 'cancel my meeting with all partners on Friday'],
  ])('%s is left as it was', (text) => {
    expect(planned(text).explanation).not.toBe('one_event_at_a_time')
  })
})

describe('a reminder with a condition that can be looked up', () => {
  it.each([
    [
      "If I haven't answered Sarah about her two numbers yet, remind me of it at 4 this afternoon.",
      "remind me at 4 this afternoon that I haven't answered Sarah about her two numbers yet",
    ],
    [
      'Have I answered Tom yet? If not, remind me tomorrow at 9.',
      'remind me tomorrow at 9: Have I answered Tom yet?',
    ],
    ["Remind me at 5 to buy flowers unless I've got something at 6.", 'Remind me at 5 to buy flowers'],
    ["Remind me at 5 unless I've answered Sarah", "Remind me at 5 to see whether I've answered Sarah"],
    [
      'Remind me tomorrow at 9 to call Tom if the budget meeting is still in my calendar',
      'Remind me tomorrow at 9 to call Tom',
    ],
    [
      'Erinnere mich um 16 Uhr daran, falls ich Sarah noch nicht geantwortet habe.',
      'Erinnere mich um 16 Uhr daran, dass ich Sarah noch nicht geantwortet habe',
    ],
    [
      'Erinner mich um 17 Uhr, Blumen zu kaufen, außer ich hab um 18 Uhr was vor.',
      'Erinner mich um 17 Uhr, Blumen zu kaufen',
    ],
    [
      'Hab ich Tom schon geantwortet? Wenn nicht, erinnere mich morgen um 9 Uhr.',
      'erinnere mich morgen um 9 Uhr: Hab ich Tom schon geantwortet?',
    ],
  ])(
    'is planned by a model, and without one said to be unchecked, with a request that works: %s',
    (text, request) => {
      expect(said(text)).toMatchObject({ intent: 'other', whole: false, from: expect.any(String) })
      expect(planned(text)).toMatchObject({ calls: [], explanation: 'condition_unchecked' })
      expect(told(text)).toContain(`say "${request}"`)
      expect(planned(request).calls).toMatchObject([
        { tool: 'reminder.set', args: { due: said(text)['from'] } },
      ])
    },
  )

  it.each([
    ['Remind me at 5 to ask Tom if I can come', 'reminder_set'],
    ['Remind me on Friday if Sarah has not answered', 'job_watch'],
    ['remind me on Friday if it rains', 'job_watch'],
    ['Erinnere mich am Freitag, wenn Sarah nicht geantwortet hat', 'job_watch'],
  ])('is no other one: %s', (text, intent) => {
    expect(said(text)['intent']).toBe(intent)
  })
})

describe('the fields of a request that is not known', () => {
  it.each([
    ...['Wait, I need to read the letter', 'Draft a reply to the practice unless it clashes with anything'],
    ...[
      'I need to go to JFK at eleven with mail',
      'this has to start right',
      'something to go with birthday cake',
    ],
  ])('name nobody: %s', (text) => {
    expect(said(text)).not.toHaveProperty('person')
  })

  it('name somebody with a capital', () => {
    expect(said('That thing to Sarah Chen about it')).toMatchObject({ intent: 'other', person: 'Sarah Chen' })
  })

  it.each([
    'and in the afternoon?',
    'und am Nachmittag?',
    'what about the evening?',
    'und wie sieht es am Abend aus?',
    ...['and at four?', 'what about at 4?', 'and between two and four?', 'at 5 then', 'und um vier?'],
    ...['und von sieben bis elf abends?', 'and do the others fit in at four?'],
  ])('have no day that nobody said: %s', (text) => {
    expect(said(text)).not.toHaveProperty('from')
  })

  it.each([
    ['and this afternoon?', '2026-11-26T12:00:00-05:00'],
    ['und heute Nachmittag?', '2026-11-26T12:00:00-05:00'],
    ['and tomorrow afternoon?', '2026-11-27T12:00:00-05:00'],
    ['and tomorrow at four?', '2026-11-27T16:00:00-05:00'],
    ['and on Friday between seven and eleven in the evening?', '2026-11-27T19:00:00-05:00'],
  ])('have the day that was said: %s', (text, from) => {
    expect(said(text)['from']).toBe(from)
  })
})
