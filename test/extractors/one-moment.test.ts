/** The one appointment of a letter, by code: the words that say it, or nothing where a person would have to ask. */
import { describe, expect, it } from 'vitest'
import { readDates } from '../../integrations/dates/read.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { oneMomentIn } from '../../integrations/extractors/timed/one-moment.ts'
import { isLinear } from '../kit/processor-time.ts'

const ZONE = createZone('Europe/Berlin')
/** A Wednesday. */
const WRITTEN = { now: Date.parse('2026-11-25T10:00:00+01:00'), zone: ZONE }

/** When it begins and ends, as the words alone say it. */
function spanOf(text: string): string | null {
  const words = oneMomentIn(text, WRITTEN)
  const span = words === null ? null : readDates(words, WRITTEN).span
  return span === null ? null : `${ZONE.iso(span.from).slice(0, 16)} ${ZONE.iso(span.to).slice(11, 16)}`
}

describe('says one time', () => {
  it.each([
    ['Hi,\n\nsee you Thursday at 3 in Room 4.\n\nSarah', '2026-11-26T15:00 16:00'],
    [
      'this is a reminder of your check-up next week on Tuesday at 08:15. Call us at least 24 hours before.',
      '2026-12-01T08:15 09:15',
    ],
    ['Wir treffen uns morgen um 15 Uhr im Büro.', '2026-11-26T15:00 16:00'],
    ['Guten Morgen,\n\ndas Gespräch ist am 3. Dezember um 10:30 Uhr.', '2026-12-03T10:30 11:30'],
    ['The review is on 27 November from 14:00 to 15:30.', '2026-11-27T14:00 15:30'],
    ['Meeting on Friday at 10am for 2 hours', '2026-11-27T10:00 12:00'],
    ['Thanks for today! See you on Friday, 27 November 2026 at 10:00.', '2026-11-27T10:00 11:00'],
    // The same time said again.
    ['Dinner on Friday at 8pm? I will be there on Friday at 8pm.', '2026-11-27T20:00 21:00'],
    // What is quoted is of another letter.
    [
      'Friday at 11 works.\n\nOn Tue, 24 Nov 2026 at 09:12 Tom wrote:\n> Could we meet on Monday at 9?',
      '2026-11-27T11:00 12:00',
    ],
    ['The fee is 2,100 EUR. Your slot: 4 December, 16:45.', '2026-12-04T16:45 17:45'],
  ])('%s', (text, span) => expect(spanOf(text)).toBe(span))
})

describe('says none that code could know', () => {
  it.each([
    ['two times', 'See you Thursday at 3. If not, then Friday at 10.'],
    ['two times of one sentence', 'Does Thursday at 3 or Friday at 10 suit you?'],
    ['two times of one day', 'Doors open at 7. The concert is on Saturday at 8pm.'],
    ['another day to come', 'Are you free on Monday? Otherwise let us meet on Friday at 3pm.'],
    ['a day without a time', 'Can you confirm both by Thursday?'],
    ['a time without a day', 'dinner at seven'],
    ['no time at all', 'Thank you for the photos.'],
    ['a day that is none', 'See you on 31 November at 10:00.'],
    ['a year that is not believed', 'The meeting is on 3 March 2099 at 15:00.'],
    ['a short one', 'The meeting is on 03/03/99 at 15:00.'],
    ['an open end', 'Any time on Friday after 3pm.'],
    ['several days', 'Monday to Friday at 9'],
    ['a series', 'We meet every Thursday at 3pm.'],
    ['a weekday of two weeks', 'See you Wednesday at 3pm.'],
    ['only what is quoted', '> See you Friday at 3pm'],
  ])('%s', (_, text) => expect(oneMomentIn(text, WRITTEN)).toBeNull())
})

it('reads no letter of many lines, and none for long', () => {
  expect(oneMomentIn(`${'A line. '.repeat(500)}See you Friday at 3pm.`, WRITTEN)).toBeNull()
  expect(oneMomentIn('Friday '.repeat(2_500), WRITTEN)).toBeNull()
  expect(isLinear((times) => oneMomentIn('Friday '.repeat(times), WRITTEN), 600)).toBe(true)
})
