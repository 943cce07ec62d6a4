/** What comes again is read as that, or is named as unclear: it never becomes a single reminder, in either language (DESIGN §10). */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

const now = Date.parse('2026-11-20T11:00:00Z')
const extractor = createMessageExtractor()
const read = (said: string) => {
  const fields = extractor.extract(said, { now, timezone: 'Europe/Madrid' }) as Readonly<
    Record<string, unknown>
  >
  const { repeat, count, from: due } = fields
  return [repeat ?? null, count ?? null, typeof due === 'string' ? due.slice(0, 16) : null]
}

describe('reads', () => {
  it.each([
    ['remind me fortnightly on friday at 9 to pay', 'weekly', 2, '2026-11-27T09:00'],
    ['remind me every fortnight on friday at 9 to pay', 'weekly', 2, '2026-11-27T09:00'],
    ['remind me nightly at 22:00 to lock up', 'daily', 1, '2026-11-20T22:00'],
    ['remind me once a day at 22:00 to lock up', 'daily', 1, '2026-11-20T22:00'],
    ['remind me once a week on friday to pay', 'weekly', 1, '2026-11-27T09:00'],
    ['remind me to pay once per week on friday', 'weekly', 1, '2026-11-27T09:00'],
    ['remind me once a month on the 3rd at 9 to pay', 'monthly', 1, '2026-12-03T09:00'],
    ['erinnere mich alle zwei Wochen am Montag um 9 an den Müll', 'weekly', 2, '2026-11-23T09:00'],
    ['erinnere mich am Montag um 9 alle 2 Wochen an den Müll', 'weekly', 2, '2026-11-23T09:00'],
    ['erinnere mich an den Müll alle zwei Wochen am Montag um 9', 'weekly', 2, '2026-11-23T09:00'],
    ['erinnere mich alle drei Tage um 9 an die Blumen', 'daily', 3, '2026-11-21T09:00'],
    ['erinnere mich alle sechs Monate am 3. um 9 an den Zahnarzt', 'monthly', 6, '2026-12-03T09:00'],
    ['erinnere mich jede zweite Woche am Freitag um 9 an die Miete', 'weekly', 2, '2026-11-27T09:00'],
    ['erinnere mich 14-tägig am Freitag um 9 an die Miete', 'weekly', 2, '2026-11-27T09:00'],
    ['erinnere mich einmal die Woche am Freitag um 9 an die Blumen', 'weekly', 1, '2026-11-27T09:00'],
    ['erinnere mich einmal pro Woche am Freitag um 9 an die Blumen', 'weekly', 1, '2026-11-27T09:00'],
    ['erinnere mich einmal im Monat am 3. um 9 an die Miete', 'monthly', 1, '2026-12-03T09:00'],
    ['erinnere mich wöchentlich am Freitag um 9 an die Blumen', 'weekly', 1, '2026-11-27T09:00'],
    ['erinnere mich monatlich am 3. um 9 an die Miete', 'monthly', 1, '2026-12-03T09:00'],
    ['erinnere mich täglich um 9 an die Tabletten', 'daily', 1, '2026-11-21T09:00'],
    ['erinnere mich immer am Freitag um 9 an die Miete', 'weekly', 1, '2026-11-27T09:00'],
    ['remind me annually on may 5 to call Eve', 'monthly', 12, '2027-05-05T09:00'],
    ['remind me yearly on may 5 to call Eve', 'monthly', 12, '2027-05-05T09:00'],
    ['remind me once a year on may 5 to call Eve', 'monthly', 12, '2027-05-05T09:00'],
    ['remind me every year on 24 december at 8 to call home', 'monthly', 12, '2026-12-24T08:00'],
    ['remind me every 3rd of march to call Eve', 'monthly', 12, '2027-03-03T09:00'],
    ['remind me of Eve’s birthday every march 3', 'monthly', 12, '2027-03-03T09:00'],
    ['remind me every other year on may 5 to renew', 'monthly', 24, '2027-05-05T09:00'],
    ['remind me quarterly on the 3rd at 9 to pay', 'monthly', 3, '2026-12-03T09:00'],
    ['remind me every quarter on the 3rd at 9 to pay', 'monthly', 3, '2026-12-03T09:00'],
    ['remind me on the last day of every month to pay rent', 'month_end', 1, '2026-11-30T09:00'],
    ['remind me at the end of every month at 18:00 to pay rent', 'month_end', 1, '2026-11-30T18:00'],
    ['remind me every month on the last day to pay rent', 'month_end', 1, '2026-11-30T09:00'],
    ['erinnere mich jährlich am 5. Mai an Eves Geburtstag', 'monthly', 12, '2027-05-05T09:00'],
    ['erinnere mich jedes Jahr am 5. Mai an Eves Geburtstag', 'monthly', 12, '2027-05-05T09:00'],
    ['erinnere mich jeden 5. Mai an Eves Geburtstag', 'monthly', 12, '2027-05-05T09:00'],
    ['erinnere mich vierteljährlich am 3. um 9 an die Steuer', 'monthly', 3, '2026-12-03T09:00'],
    ['erinnere mich am letzten Tag jedes Monats an die Miete', 'month_end', 1, '2026-11-30T09:00'],
    ['erinnere mich immer am Monatsletzten um 18 Uhr an die Miete', 'month_end', 1, '2026-11-30T18:00'],
  ])('%s', (said, repeat, count, due) => {
    expect(read(said)).toEqual([repeat, count, due])
  })
})

describe('does not understand how often', () => {
  it.each([
    ['remind me biweekly on friday to pay'],
    ['remind me bi-weekly on friday to pay'],
    ['remind me hourly from 9 to drink'],
    ['remind me per week on friday at 9 to pay'],
    ['remind me always on friday at 9 to pay'],
    ['remind me on the last friday of the month at 9 to pay'],
    ['remind me every day at 9 until whenever to stretch'],
    ['remind me every day at 9 until yesterday to stretch'],
    ['remind me every day at 9 until noon to stretch'],
    ['erinnere mich jeden Tag um 9 bis irgendwann an die Tabletten'],
    ['remind me at 9 to call mum every day'],
    ['remind me on friday at 9 to call mum once a month'],
    ['erinnere mich alle paar Tage um 9 an die Blumen'],
    ['erinnere mich pro Woche am Freitag um 9 an die Miete'],
    ['erinnere mich am letzten Freitag des Monats um 9 an die Miete'],
    ['erinnere mich am letzten Tag des Monats um 9 an die Miete'],
  ])('%s', (said) => {
    expect(read(said)[0]).toBe('unclear')
  })

  it.each([
    ['remind me twice a week on friday to pay', 'which_days'],
    ['erinnere mich zweimal die Woche an die Blumen', 'which_days'],
    ['remind me three times a day at 9 to drink', 'which_times'],
    ['erinnere mich zweimal am Tag um 9 an die Tabletten', 'which_times'],
    ['erinnere mich jeden zweiten Freitag um 9 an die Miete', 'two_ways'],
    ['remind me mon, wed and fri at 7 to run', 'two_ways'],
  ])('and what is left to ask: %s', (said, asks) => {
    expect(read(said)[0]).toBe(asks)
  })
})

describe('the last such weekday of a month', () => {
  it.each([
    ['remind me every month on the last friday at 9 to pay', '2026-11-27T09:00'],
    ['remind me on the last monday of every month at 9 to pay', '2026-11-30T09:00'],
    ['remind me every last thursday of the month at 9 to pay', '2026-11-26T09:00'],
    ['erinnere mich jeden Monat am letzten Freitag um 9 an die Miete', '2026-11-27T09:00'],
    ['erinnere mich am letzten Mittwoch jedes Monats um 9 an die Miete', '2026-11-25T09:00'],
    ['erinnere mich jeden letzten Montag im Monat um 9 an die Miete', '2026-11-30T09:00'],
  ])('%s', (said, due) => {
    expect(read(said)).toEqual(['last_weekday', 1, due])
  })
})

it('begins today while the time of today is ahead', () => {
  const said = ['remind me every month on the third friday at 18:00 to pay', '2026-11-20T18:00'] as const
  expect(read(said[0])).toEqual(['monthly_weekday', 1, said[1]])
  expect(read('remind me every month on the third friday at 9 to pay')[2]).toBe('2026-12-18T09:00')
})

describe('ends', () => {
  const until = (said: string) => {
    const fields: Readonly<Record<string, unknown>> = extractor.extract(said, {
      now,
      timezone: 'Europe/Madrid',
    }) as never
    return [fields['topic'], fields['until'] ?? null]
  }
  it.each([
    ['remind me every day until christmas to stretch', 'stretch', '2026-12-24'],
    ['remind me every day at 9 to take my pills until christmas', 'take my pills', '2026-12-24'],
    ['remind me every day at 9 for two weeks to take my pills', 'take my pills', '2026-12-04'],
    ['remind me to take my pills every day at 9 for ten days', 'take my pills', '2026-11-30'],
    ['for the next two weeks remind me every day at 8 to call mum', 'call mum', '2026-12-04'],
    ['remind me every friday at 9 five times to water the plants', 'water the plants', '2026-12-25'],
    ['remind me every month on the 31st at 9 until the end of june to pay', 'pay', '2027-06-30'],
    ['remind me every month on the 31st at 9 three times to pay', 'pay', '2027-02-28'],
    ['erinnere mich täglich um 9 bis Ende März an die Tabletten', 'Tabletten', '2027-03-31'],
    ['erinnere mich bis Weihnachten jeden Tag um 9 an die Tabletten', 'Tabletten', '2026-12-24'],
    ['erinnere mich jeden Freitag um 9 noch dreimal an die Blumen', 'Blumen', '2026-12-11'],
    ['erinnere mich zwei Wochen lang jeden Tag um 9 an die Tabletten', 'Tabletten', '2026-12-04'],
    ["every day at 8 until christmas tell me what's on", "what's on", '2026-12-24'],
    ['remind me every day at 9 to take my pills until easter', 'take my pills', '2027-03-27'],
    ['remind me every day at 9 to take my pills until easter monday', 'take my pills', '2027-03-29'],
    ['erinnere mich jeden Tag um 9 bis Ostern an die Tabletten', 'Tabletten', '2027-03-27'],
    ['check my mail every 15 minutes for two weeks', 'my mail', '2026-12-03'],
    ['sag mir jeden Tag um 8 bis Weihnachten was ansteht', 'was ansteht', '2026-12-24'],
    // An end of what is to be done is none of the repetition.
    ['remind me every monday at 9 to book a room for two weeks', 'book a room for two weeks', null],
    ['remind me every day at 9 to do squats five times', 'do squats five times', null],
    ['every friday tell me what is due until monday', 'what is due until monday', null],
    ['remind me tomorrow at 9 to read for two weeks', 'read for two weeks', null],
  ])('%s', (said, topic, day) => {
    expect(until(said)).toEqual([topic, day])
  })
})

describe('a job at several times of a day', () => {
  const times = (said: string) => {
    const fields: Readonly<Record<string, unknown>> = extractor.extract(said, {
      now,
      timezone: 'Europe/Madrid',
    }) as never
    return fields['times'] ?? null
  }
  it.each([
    ["every day at 8, 12 and 6pm tell me what's on", [480, 720, 1080]],
    ["tell me what's on every day at 8, 12 and 18:00", [480, 720, 1080]],
    ['sag mir jeden Tag um 8, 12 und 18 Uhr was ansteht', [480, 720, 1080]],
    ["every day at 8, 12 and 16:00 tell me what's on", null],
    ["every day at 8, 7:30 and 18:00 tell me what's on", null],
  ])('%s', (said, expected) => {
    expect(times(said)).toEqual(expected)
  })
})

it.each([
  ['remind me tomorrow at 9 to read the daily news'],
  ['remind me tomorrow at 9 about the annual review'],
  ['remind me to pay the yearly fee tomorrow at 9'],
  ['remind me tomorrow at 9 to talk to each of them'],
  ['remind me tomorrow at 9 to call mum once'],
  ['erinnere mich morgen um 9 an den wöchentlichen Bericht'],
  ['erinnere mich morgen um 9 daran, alle zwei Fenster zu schließen'],
])('is once, whatever the thing is called: %s', (said) => {
  expect(read(said)).toEqual([null, null, '2026-11-21T09:00'])
})
