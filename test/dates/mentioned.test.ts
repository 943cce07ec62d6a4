/** Days that a letter names from the day on which it was written (J-04). */
import { describe, expect, it } from 'vitest'
import { mentionedDates } from '../../integrations/dates/mentioned.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { isLinear } from '../kit/processor-time.ts'

/** A Thursday. */
const SENT = Date.parse('2026-11-26T10:00:00Z')
const sent = { now: SENT, zone: createZone('America/New_York') }

describe('in a letter of Thursday, 26 November 2026', () => {
  it.each([
    ['this is a reminder of your check-up next week on Tuesday at 08:15.', ['2026-12-01T08:15:00-05:00']],
    ['Lunch on Friday?', ['2026-11-27']],
    ['I am away from Monday to Wednesday.', ['2026-11-30', '2026-12-02']],
    ['See you in two weeks', ['2026-12-10']],
    ['We met last Tuesday.', ['2026-11-24']],
    ['on 3 December or on 5 December', ['2026-12-03', '2026-12-05']],
    ['bis nächsten Mittwoch um 10 Uhr', ['2026-12-02T10:00:00-05:00']],
    ['Ihr Termin ist morgen um halb neun.', ['2026-11-27T08:30:00-05:00']],
    ['next Thursday at noon', ['2026-12-03T12:00:00-05:00']],
    // Two readers take two days for it.
    ['Can you confirm both by Thursday?', []],
    ['Guten Morgen', []],
    // None of a single day.
    ['the renewal in September is 1,800 EUR, up from 1,500 EUR', []],
    ['I saw it in May, and you may too', []],
    ['this week: a clock that is wound once a year', []],
    ['call us at least 24 hours before, or at 14:30', []],
    // With its year it is read elsewhere.
    ['on Friday, 4 December 2026', []],
  ])('%s', (text, dates) => expect(mentionedDates([text], sent, 20)).toEqual(dates))
})

it('stops at its bounds', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `The ${(index % 28) + 1} March is busy.`)
  expect(mentionedDates(many, sent, 20)).toHaveLength(20)
  expect(isLinear((times) => mentionedDates(['Friday '.repeat(times)], sent, 20), 1_250)).toBe(true)
})
