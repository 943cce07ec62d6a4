/** Reminders in German: time, words, repetition; a repetition that is not understood never becomes one reminder. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message.ts'

const MOMENT = { now: Date.parse('2026-11-27T12:00Z'), timezone: 'Europe/Berlin' }
const read = (text: string) =>
  createMessageExtractor().extract(text, MOMENT) as Readonly<Record<string, unknown>>

it.each([
  ['erinnere mich morgen um 9 an den Zahnarzt', 'den Zahnarzt', '2026-11-28T09:00:00+01:00', undefined],
  [
    'erinner mich in 20 Minuten daran, die Wäsche aufzuhängen',
    'die Wäsche aufzuhängen',
    '2026-11-27T13:20:00+01:00',
    undefined,
  ],
  [
    'Erinnere mich bitte am Freitag um 15:30 daran, dass ich Mama anrufe.',
    'ich Mama anrufe',
    '2026-12-04T15:30:00+01:00',
    undefined,
  ],
  ['erinnere mich an den Müll morgen um 8', 'den Müll', '2026-11-28T08:00:00+01:00', undefined],
  ['erinnere mich in einer halben Stunde an den Tee', 'den Tee', '2026-11-27T13:30:00+01:00', undefined],
  ['erinnere mich jeden Montag um 8 an den Müll', 'den Müll', '2026-11-30T08:00:00+01:00', 'weekly'],
  ['erinnere mich täglich um 7 an die Tabletten', 'die Tabletten', '2026-11-28T07:00:00+01:00', 'daily'],
  ['erinnere mich werktags um 8 an den Bus', 'den Bus', '2026-11-30T08:00:00+01:00', 'weekdays'],
])('%s', (text, topic, due, repeat) => {
  expect(read(text)).toMatchObject({ intent: 'reminder_set', from: due, ...(repeat && { repeat }) })
  expect(String(read(text)['topic']).replace(/[.]$/, '')).toBe(topic)
})

it.each(['erinnere mich jedes zweite Wochenende an den Rasen', 'erinnere mich alle paar Tage an die Blumen'])(
  '%s',
  (text) => {
    expect(read(text)['from']).toBeUndefined()
  },
)
