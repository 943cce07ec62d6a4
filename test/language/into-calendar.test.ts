/** Into which calendar an event goes: the words that name it are no part of its title, wherever they stand, in both languages. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { isNamed } from '../../integrations/tools/calendar/calendars.ts'

const EXTRACTOR = createMessageExtractor()
const read = (text: string) => {
  const fields = EXTRACTOR.extract(text, {
    now: Date.parse('2026-11-20T12:00:00Z'),
    timezone: 'Europe/Berlin',
  })
  const { topic, into } = fields as { readonly topic?: string; readonly into?: string }
  return [topic, into]
}

describe('the calendar that is named, and the title without it', () => {
  it.each([
    ['put dinner friday at 7pm in the family calendar', 'dinner', 'family'],
    ['book dinner on friday at 19:00, goes in the family calendar', 'dinner', 'family'],
    ['dinner with Tom friday 7pm, family calendar please', 'dinner with tom', 'family'],
    ['add the offsite on friday at 9 to my work calendar', 'offsite', 'work'],
    ['trag am Freitag um 19 Uhr Essen in den Familienkalender ein', 'essen', 'familienkalender'],
    [
      'Trag bitte Zahnarzt am Freitag um 9 ein, kommt in den Familienkalender',
      'zahnarzt',
      'familienkalender',
    ],
  ])('%s', (text, title, calendar) => {
    expect(read(text).map((one) => one?.toLowerCase())).toEqual([title, calendar])
  })

  it.each([
    'book dinner on friday at 19:00 in my calendar',
    'trag am Freitag um 19 Uhr Essen in den Kalender ein',
  ])('none: %s', (text) => expect(read(text)[1]).toBeUndefined())
})

it.each([
  ['Familienkalender', 'Familie', true],
  ['Arbeitskalender', 'Arbeit', true],
  ['Familienkalender', 'Familienkalender', true],
  ['family', 'Family calendar', true],
  ['Familienkalender', 'Fußball', false],
  ['Kalender', 'Familie', false],
  ['families', 'Family', false],
])('%s is the calendar %s: %s', (wanted, name, is) => expect(isNamed({ id: 'x', name }, wanted)).toBe(is))

it.each([
  ['goes in the family calendar: dinner with Sarah friday at 7', 'family'],
  ['dinner with Sarah friday at 7, goes in the family calendar', 'family'],
  ['book dinner friday at 7 in my calendar', undefined],
])('%s: planned for %s', (text, calendar) => {
  expect(readingOf(text).calls.map(({ args }) => args['calendar'])).toEqual([calendar])
})
