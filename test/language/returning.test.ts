/** "When I am back on Monday": the day is what counts; without one nothing is known of where the owner is, and the time is asked for. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

const extractor = createMessageExtractor()
/** A Friday. */
const AT = { now: Date.parse('2026-11-27T11:00:00Z'), timezone: 'Europe/Madrid' }
const read = (said: string) => {
  const { intent, topic, from } = extractor.extract(said, AT) as Readonly<Record<string, unknown>>
  return [intent, topic, String(from ?? '').slice(5, 16)]
}

it.each<[string, string, string]>([
  ['when I am back on Monday remind me to water the plants', 'water the plants', '11-30T09:00'],
  ["remind me when I'm back on Monday to call Tom", 'call Tom', '11-30T09:00'],
  ["when I'm back on Monday, remind me to call Tom", 'call Tom', '11-30T09:00'],
  ["remind me on Monday when I'm back to call Tom", 'call Tom', '11-30T09:00'],
  ['remind me to call Tom when I am back on Monday', 'call Tom', '11-30T09:00'],
  ['remind me to ask Tom when I am back on Monday whether he paid', 'ask Tom whether he paid', '11-30T09:00'],
  ["remind me about the boiler once I'm home tomorrow evening", 'the boiler', '11-28T18:00'],
  [
    "as soon as I'm back at the office on Thursday remind me to sign the lease",
    'sign the lease',
    '12-03T09:00',
  ],
  ["remind me to pack when I'm back from Lisbon on the 8th at 7pm", 'pack', '12-08T19:00'],
  ['erinner mich wenn ich Montag wieder da bin ans Gießen', 'Gießen', '11-30T09:00'],
  ['erinnere mich, wenn ich am Montag zurück bin, an die Post', 'Post', '11-30T09:00'],
  ['wenn ich am Montag wieder da bin, erinnere mich daran, Tom anzurufen', 'Tom anzurufen', '11-30T09:00'],
  ['wenn ich wieder da bin am Freitag erinnere mich an die Blumen', 'Blumen', '12-04T09:00'],
  ['erinnere mich an die Steuer, sobald ich Dienstag im Büro bin', 'Steuer', '12-01T09:00'],
  ['erinnere mich morgen um 7 ans Gießen', 'Gießen', '11-28T07:00'],
])('%s', (said, topic, at) => {
  expect(read(said)).toEqual(['reminder_set', topic, at])
})

it.each([['remind me to call mum when I get home'], ['erinnere mich an die Post, wenn ich wieder da bin']])(
  'has no time, which is asked for: %s',
  (said) => {
    expect(read(said)[0]).toBe('reminder_set')
    expect(read(said)[2]).toBe('')
  },
)

it('is no condition on somebody else', () => {
  expect(read('remind me when Tom is back on Monday to ask him')[0]).not.toBe('reminder_set')
  expect(read('remind me when Tom writes')).toEqual(['job_watch', undefined, ''])
})

it.each<[string, string]>([
  ['kauf noch Spülmittel und Brot', 'Spülmittel und Brot'],
  ['besorg bitte Milch, Eier und Mehl', 'Milch, Eier und Mehl'],
  ['kauf Brot ein', 'Brot'],
])('is put on the list: %s', (said, topic) => {
  expect(read(said)).toEqual(['task_add', topic, ''])
})

it.each([['kaufe mir ein Ticket nach Berlin'], ['kauf Aktien von Apple'], ['wir kaufen ein Haus']])(
  'is nothing for the list: %s',
  (said) => {
    expect(read(said)[0]).not.toBe('task_add')
  },
)
