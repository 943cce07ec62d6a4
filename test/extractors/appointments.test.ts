/** The appointments of a letter, by code: times, whole days and places, or nothing where code cannot be sure. */
import { describe, expect, it } from 'vitest'
import { createZone } from '../../integrations/dates/zone.ts'
import { appointmentsIn } from '../../integrations/extractors/timed/appointments.ts'
import { isLinear } from '../kit/processor-time.ts'

const ZONE = createZone('Europe/Berlin')
/** A Wednesday. */
const WRITTEN = { now: Date.parse('2026-11-25T10:00:00+01:00'), zone: ZONE }

/** When each begins and ends, and where it is. */
const spansOf = (text: string): readonly string[] =>
  appointmentsIn(text, WRITTEN).map(({ span: { from, to, named }, place }) => {
    const [start, end] = [ZONE.iso(from), ZONE.iso(to)]
    const times =
      named === 'time'
        ? `${start.slice(0, 16)} ${end.slice(11, 16)}`
        : `${start.slice(0, 10)} ${end.slice(0, 10)}`
    return place === null ? times : `${times} ${place}`
  })

describe('says one time', () => {
  it.each([
    ['Hi,\n\nsee you Thursday at 3 in Room 4.\n\nSarah', '2026-11-26T15:00 16:00 Room 4'],
    [
      'this is a reminder of your check-up next week on Tuesday at 08:15. Call us at least 24 hours before.',
      '2026-12-01T08:15 09:15',
    ],
    ['Wir treffen uns morgen um 15 Uhr im Büro.', '2026-11-26T15:00 16:00 Büro'],
    ['Guten Morgen,\n\ndas Gespräch ist am 3. Dezember um 10:30 Uhr.', '2026-12-03T10:30 11:30'],
    ['The review is on 27 November from 14:00 to 15:30.', '2026-11-27T14:00 15:30'],
    ['Meeting on Friday at 10am for 2 hours', '2026-11-27T10:00 12:00'],
    ['It is 1,800 EUR in September, up from 1,500 EUR. Friday at 10?', '2026-11-27T10:00 11:00'],
    ['Thanks for today! See you on Friday, 27 November 2026 at 10:00.', '2026-11-27T10:00 11:00'],
    // The same time said again.
    ['Dinner on Friday at 8pm? I will be there on Friday at 8pm.', '2026-11-27T20:00 21:00'],
    // What is quoted is of another letter.
    [
      'Friday at 11 works.\n\nOn Tue, 24 Nov 2026 at 09:12 Tom wrote:\n> Could we meet on Monday at 9?',
      '2026-11-27T11:00 12:00',
    ],
    ['The fee is 2,100 EUR. Your slot: 4 December, 16:45.', '2026-12-04T16:45 17:45'],
  ])('%s', (text, span) => expect(spansOf(text)).toEqual([span]))
})

describe('says whole days, or several', () => {
  it.each([
    ['The fair is on 4 December.', ['2026-12-04 2026-12-05']],
    ['Die Messe geht von Montag bis Mittwoch.', ['2026-11-30 2026-12-03']],
    ['The offsite is 4–6 December in Hamburg.', ['2026-12-04 2026-12-07 Hamburg']],
    ['Can you confirm both by Thursday?', ['2026-11-26 2026-11-27']],
    ['RSVP by 1 December. The party is on 5 December at 7pm.', ['2026-12-05T19:00 20:00']],
    [
      'See you Thursday at 3. If not, then Friday at 10.',
      ['2026-11-26T15:00 16:00', '2026-11-27T10:00 11:00'],
    ],
    ['Does Thursday at 3 or Friday at 10 suit you?', ['2026-11-26T15:00 16:00', '2026-11-27T10:00 11:00']],
    // A second time without its day is of the one day.
    [
      'The concert is on Thursday at 17:30 in the Aula. Children should be there at 17:00.',
      ['2026-11-26T17:30 18:30 Aula', '2026-11-26T17:00 18:00'],
    ],
    [
      'Das Konzert ist am 10. Dezember um 17:30 Uhr, Einlass um 17 Uhr.',
      ['2026-12-10T17:30 18:30', '2026-12-10T17:00 18:00'],
    ],
    [
      'Are you free on Monday? Otherwise let us meet on Friday at 3pm.',
      ['2026-11-30 2026-12-01', '2026-11-27T15:00 16:00'],
    ],
    [
      'Friday at 3pm, Monday at 10am or Tuesday at 4pm?',
      ['2026-11-27T15:00 16:00', '2026-11-30T10:00 11:00', '2026-12-01T16:00 17:00'],
    ],
  ])('%s', (text, spans) => expect(spansOf(text)).toEqual(spans))
})

describe('says where it is', () => {
  it.each([
    ["Dinner on Saturday at 8pm at Luigi's with Tom", "Luigi's"],
    ['The party is on 5 December at 7pm at the Old Mill, Mill Lane 3.', 'Old Mill, Mill Lane 3'],
    ['am Freitag von 14 bis 16 Uhr im Café Sol. Bei Fragen: 030 123', 'Café Sol'],
    ['Wir treffen uns in der Stadthalle am 3. Dezember um 10:30 Uhr.', 'Stadthalle'],
    [
      'Der Termin ist am Montag um 9 Uhr bei Dr. Weber, Hauptstr. 5, Berlin.',
      'Dr. Weber, Hauptstr. 5, Berlin',
    ],
    ['Wann: 3. Dezember, 10:30 Uhr\nWo: Hauptstr. 5, Berlin', 'Hauptstr. 5, Berlin'],
  ])('%s', (text, place) => expect(appointmentsIn(text, WRITTEN)).toMatchObject([{ place }]))

  it.each([
    'Friday at 3pm in the office of whoever is free',
    'On Friday at 3pm, in case you can.',
    'Am Freitag um 15 Uhr bei Bedarf.',
    'Is it Friday at 3pm?\nWhere: here\nPlace: there',
  ])('not in %s', (text) => expect(appointmentsIn(text, WRITTEN)).toMatchObject([{ place: null }]))
})

describe('says none that code could know', () => {
  it.each([
    ['two times of one day', 'Doors open at 7. The concert is on Saturday at 8pm.'],
    ['a time without a day', 'dinner at seven'],
    ['no time at all', 'Thank you for the photos.'],
    ['a day that is over', 'Thanks for coming on Tuesday, 24 November 2026.'],
    ['an afternoon', 'Are you there on Saturday afternoon?'],
    ['two days in one', 'It is on Monday and Wednesday.'],
    ['a month', 'We meet in December.'],
    ['a day that is none', 'See you on 31 November at 10:00.'],
    ['a year that is not believed', 'The meeting is on 3 March 2099 at 15:00.'],
    ['a short one', 'The meeting is on 03/03/99 at 15:00.'],
    ['an open end', 'Any time on Friday after 3pm.'],
    ['several days', 'Monday to Friday at 9'],
    ['a series', 'We meet every Thursday at 3pm.'],
    ['a weekday of two weeks', 'See you Wednesday at 3pm.'],
    ['only what is quoted', '> See you Friday at 3pm'],
    [
      'more than a person compares',
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((day) => `Slot on ${day} December at 9:00.`).join(' '),
    ],
  ])('%s', (_, text) => expect(spansOf(text)).toEqual([]))
})

it('reads no letter of many lines, and none for long', () => {
  expect(spansOf(`${'A line. '.repeat(500)}See you Friday at 3pm.`)).toEqual([])
  expect(spansOf('Friday '.repeat(2_500))).toEqual([])
  expect(isLinear((times) => appointmentsIn('Friday '.repeat(times), WRITTEN), 600)).toBe(true)
})
