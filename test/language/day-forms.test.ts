/** Whole messages with days as people write them: the number belongs to the day and not to the title, and a day that fits nothing books nothing. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { answerFor } from '../../integrations/models/rules/answers/answer.ts'
import { promptParts } from './fixtures.ts'

/** Sunday 22 November 2026, 11:30 in Berlin. */
const callOf = (text: string) => readingOf(text).calls[0]

it.each([
  ['dentist tues 8th 8am', 'Dentist', '2026-12-08T08:00:00+01:00'],
  ['put dentist in on friday 27th 9am', 'Dentist', '2026-11-27T09:00:00+01:00'],
  ['trag Zahnarzt Di 10.30 ein', 'Zahnarzt', '2026-11-24T10:30:00+01:00'],
  ['Zahnarzt Do 16 eintragen', 'Zahnarzt', '2026-11-26T16:00:00+01:00'],
])('books %s', (text, title, from) => expect(callOf(text)?.args).toMatchObject({ title, from }))

it.each([
  ['trag inventur am 31. januar ganztägig in den Kalender ein', 'Inventur', '2027-01-31', '2027-02-01'],
  ['trag Inventur am 31. Jänner den ganzen Tag in den Kalender ein', 'Inventur', '2027-01-31', '2027-02-01'],
  ['trag Betriebsausflug am Freitag ganztags ein', 'Betriebsausflug', '2026-11-27', '2026-11-28'],
  ['put stocktake in my calendar on the 28th all day', 'Stocktake', '2026-11-28', '2026-11-29'],
  ['block friday the whole day for painting', 'Painting', '2026-11-27', '2026-11-28'],
  ['book harvest on 2026-12-07 all day', 'Harvest', '2026-12-07', '2026-12-08'],
])('books the whole day: %s', (text, title, first, after) =>
  expect(callOf(text)).toEqual({
    tool: 'calendar.create_event',
    args: { title, from: `${first}T00:00:00+01:00`, to: `${after}T00:00:00+01:00` },
  }),
)

it.each([
  ['remind me on tues 8th at 8am to call mum', 'call mum', '2026-12-08T08:00:00+01:00'],
  ['remind me to pay the rent on the ninth', 'pay the rent', '2026-12-09T09:00:00+01:00'],
  ['erinnere mich Di 8. um 9 an die Steuer', 'Steuer', '2026-12-08T09:00:00+01:00'],
  // Nine of today is over, and the rest of the month is not.
  ['remind me b4 end of month to pay rent', 'pay rent', '2026-11-23T09:00:00+01:00'],
])('reminds: %s', (text, what, due) => expect(callOf(text)?.args).toMatchObject({ text: what, due }))

it.each([
  ["what's on w/c 7th", '2026-12-07T00:00:00+01:00', '2026-12-14T00:00:00+01:00'],
  ['whats on in the first half of december', '2026-12-01T00:00:00+01:00', '2026-12-16T00:00:00+01:00'],
  ['was steht in der Woche vom 7. an', '2026-12-07T00:00:00+01:00', '2026-12-14T00:00:00+01:00'],
  ['was ist heut Abend los', '2026-11-22T18:00:00+01:00', '2026-11-22T23:00:00+01:00'],
])('lists: %s', (text, from, to) =>
  expect(callOf(text)).toEqual({ tool: 'calendar.list_events', args: { from, to } }),
)

describe('a day that fits nothing', () => {
  it.each([
    ...['put dentist in tues 14th 8am', 'remind me thursday the ninth to call mum', "what's on tues 14th"],
    ...['cancel the dentist on tues 14th', 'remind me tomorrow the 25th at 9 to call mum'],
    ...['erinner mich am Dienstag den 14. an die Steuer', 'wake me tues 14th at 7'],
  ])('is asked about: %s', (text) => {
    const { calls, explanation } = readingOf(text)
    expect([calls, explanation]).toEqual([[], 'needs_date'])
    expect(answerFor(promptParts({ request: text, instruction: explanation }))).toMatch(/^Which date\?/)
  })

  it.each(['dentist tues 14th 8am', 'move the dentist to tues 14th 8am'])('changes nothing: %s', (text) =>
    expect(readingOf(text).calls).toEqual([]),
  )
})
