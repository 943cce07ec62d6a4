/** Reminders in German: time, words, repetition; a repetition that is not understood never becomes one reminder. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

const MOMENT = { now: Date.parse('2026-11-27T12:00Z'), timezone: 'Europe/Berlin' }
const read = (text: string) =>
  createMessageExtractor().extract(text, MOMENT) as Readonly<Record<string, unknown>>

it.each([
  ['erinnere mich morgen um 9 an den Zahnarzt', 'Zahnarzt', '2026-11-28T09:00:00+01:00', undefined],
  [
    'erinner mich in 20 Minuten daran, die Wäsche aufzuhängen',
    'die Wäsche aufzuhängen',
    '2026-11-27T13:20:00+01:00',
    undefined,
  ],
  [
    'Erinnere mich bitte am Freitag um 15:30 daran, dass ich Mama anrufe.',
    'ich rufe Mama an',
    '2026-12-04T15:30:00+01:00',
    undefined,
  ],
  [
    'erinnere mich morgen um 9 an den Anruf bei der Bank',
    'Anruf bei der Bank',
    '2026-11-28T09:00:00+01:00',
    undefined,
  ],
  ['erinnere mich morgen um 9 an die Mail', 'die Mail', '2026-11-28T09:00:00+01:00', undefined],
  ['erinnere mich morgen um 9 an meinen Zug', 'mein Zug', '2026-11-28T09:00:00+01:00', undefined],
  ['erinnere mich an den Müll morgen um 8', 'Müll', '2026-11-28T08:00:00+01:00', undefined],
  ['erinnere mich in einer halben Stunde an den Tee', 'Tee', '2026-11-27T13:30:00+01:00', undefined],
  ['erinner mich in zwei Stunden an die Wäsche', 'Wäsche', '2026-11-27T15:00:00+01:00', undefined],
  ['erinnere mich in fünfzehn Minuten an den Ofen', 'Ofen', '2026-11-27T13:15:00+01:00', undefined],
  ['erinner mich in anderthalb Stunden an den Tee', 'Tee', '2026-11-27T14:30:00+01:00', undefined],
  ['erinner mich am 3. Dezember um 15 Uhr 30 an den Bus', 'Bus', '2026-12-03T15:30:00+01:00', undefined],
  ['erinner mich am 3.12. um 15 Uhr an den Bus', 'Bus', '2026-12-03T15:00:00+01:00', undefined],
  ['erinner mich am 31. Jänner um 9 an den Bus', 'Bus', '2027-01-31T09:00:00+01:00', undefined],
  ['erinner mich am Montag, den 7. Dezember um 9 an den Bus', 'Bus', '2026-12-07T09:00:00+01:00', undefined],
  ['erinner mich morgen um zehn vor neun an den Bus', 'Bus', '2026-11-28T08:50:00+01:00', undefined],
  ['erinner mich morgen um fünf vor halb neun an den Bus', 'Bus', '2026-11-28T08:25:00+01:00', undefined],
  [
    'erinner mich morgen um viertel nach drei nachmittags an den Bus',
    'Bus',
    '2026-11-28T15:15:00+01:00',
    undefined,
  ],
  ['erinnere mich jeden Montag um 8 an den Müll', 'Müll', '2026-11-30T08:00:00+01:00', 'weekly'],
  ['erinnere mich täglich um 7 an die Tabletten', 'Tabletten', '2026-11-28T07:00:00+01:00', 'daily'],
  ['erinnere mich werktags um 8 an den Bus', 'Bus', '2026-11-30T08:00:00+01:00', 'weekdays'],
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

it.each([
  ['erinner mich um 8, dass der zug um 9 fährt', 'der zug fährt um 9', '2026-11-28T08:00:00+01:00'],
  ['training am dienstag um 6, erinner mich um 5', 'training am dienstag um 6', '2026-11-27T17:00:00+01:00'],
  [
    'montag um 9:15 fährt der zug, erinner mich um 8',
    'montag um 9:15 fährt der zug',
    '2026-11-28T08:00:00+01:00',
  ],
  ['termin am freitag um 3, erinner mich um 2', 'termin am freitag um 3', '2026-11-27T14:00:00+01:00'],
  ['erinner mich morgen um 9 zug um 10', 'zug um 10', '2026-11-28T09:00:00+01:00'],
  ['morgen um 9 erinnere mich an den Zahnarzt', 'Zahnarzt', '2026-11-28T09:00:00+01:00'],
  ['Erinnerung: morgen um 9 Müll', 'Müll', '2026-11-28T09:00:00+01:00'],
])('keeps the times in its words, and is due when it is to be said: %s', (text, topic, due) => {
  expect(read(text)).toMatchObject({ intent: 'reminder_set', topic, from: due })
})

it.each([
  'deine erinnerung um 9 war zu spät',
  'das wochenende war schön, danke für die erinnerung',
  'ich habe keine erinnerung an gestern um 9',
  'die erinnerung um 9 hat geholfen',
  'keine erinnerung mehr um 9',
  'du hast gesagt, erinnere mich um 9',
  "you didn't remind me at 9",
  'why didnt you remind me at 9',
  'my sister used to remind me at 9',
  'schreib sara@example.com: komme um 5. erinner mich um 4',
])('sets nothing where a reminder is only told of: %s', (text) => {
  expect(read(text)['intent']).not.toBe('reminder_set')
})

it.each([
  ['erinnere mich am Mo um 7 ans Dehnen', 'erinnere mich am Montag um 7 ans Dehnen'],
  ['erinnere mich jeden Do um 9 an den Müll', 'erinnere mich jeden Donnerstag um 9 an den Müll'],
  [
    'erinnere mich jeden Mo, Mi und Fr um 7 ans Dehnen',
    'erinnere mich jeden Montag, Mittwoch und Freitag um 7 ans Dehnen',
  ],
  ['erinnere mich Mo und Mi um 7 ans Dehnen', 'erinnere mich Montag und Mittwoch um 7 ans Dehnen'],
  ['erinner mich So um 10 an den Kuchen', 'erinner mich Sonntag um 10 an den Kuchen'],
])('a day of two letters is the day: %s', (short, long) => {
  expect(read(short)).toEqual(read(long))
})

it('"so" and "do" in small letters are words', () => {
  expect(read('erinnere mich so um 7 ans Dehnen')).toMatchObject({ from: '2026-11-28T07:00:00+01:00' })
})
