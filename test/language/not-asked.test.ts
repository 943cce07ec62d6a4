/** What people say beside requests, and what looks like one: nothing is set, booked or kept that nobody asked for. */
import { describe, expect, it, test } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const WRITES =
  /^(?:reminder|memory\.save|task|calendar\.(?:create|delete|update)|email\.(?:send|reply|delete))/
const written = (text: string): readonly string[] =>
  readingOf(text)
    .calls.map(({ tool }) => tool)
    .filter((tool) => WRITES.test(tool))

describe('nothing is changed by', () => {
  test.each([
    'timer for 10 minutes cancel',
    'timer 10 min stop',
    'alarm at 6 off please',
    'alarm for 6:30 is too early, make it 7',
    'alarm went off at 3:15 last night',
    'alarm system costs 45 euro a month',
    'Timer 3 was broken',
    'wecker um 7 aus',
    'Monday post office is closed',
    'Tuesday water is turned off in the building',
    'Today charge was 45 euro',
    'Thursday call was cancelled',
    'tomorrow ring road closed',
    'sunday call me when you can',
    'She used to nag me at 9 every day',
    'kids prod me every morning at 6',
    'the neighbours wake us every sunday at 7',
    'die Katze weckt mich jeden Morgen um 5',
    'he poke me at 5 yesterday',
    'Deepak changed his mind. Old one delete',
    'milk eggs bin bags cat litter',
  ])('“%s”', (text) => expect(written(text)).toEqual([]))

  test.each([
    'my password is hunter2222',
    'mein passwort ist geheim2024',
    'my bank pin is 4821',
    'my credit card is 4111 1111 1111 1111',
    'my api key is sk12345678',
    'my tan is 482910',
    'our next call is 1500',
    'my appointment is 1530 tomorrow',
    'for the record, cancel my 3pm',
    'For future reference delete the mail from tom',
    'mind that you cancel the meeting tomorrow',
    'for your reference when is the dentist',
  ])('“%s”, and nothing is kept', (text) => expect(written(text)).toEqual([]))
})

it.each([
  ['my student no. is 20418837', 'memory.save'],
  ["For future reference, my sister's new address is 7 Larch Close", 'memory.save'],
  ['1st thing monday phone the plumber about the wee toilet', 'reminder.set'],
  ['monday water the plants', 'reminder.set'],
  ['nag me at 5 to leave', 'reminder.set'],
  ['timer 10 minutes for the eggs', 'reminder.set'],
])('“%s” is %s', (text, tool) => expect(written(text)).toEqual([tool]))

it.each([
  ['i forgot my umbrella, is it going to rain?'],
  ["I can't remember where I parked, when is my meeting?"],
  ['what have i got on christmas eve, 24 december'],
])('a question beside a remark is not asked of memory: %s', (text) =>
  expect(readingOf(text).calls.map(({ tool }) => tool)).not.toContain('memory.search'),
)

/** Its words go to a foreign service as typed. */
describe('a place of the weather', () => {
  const places = (text: string): readonly unknown[] =>
    readingOf(text)
      .calls.filter(({ tool }) => tool === 'weather.forecast')
      .map(({ args }) => args['place'])

  test.each([
    'send sara@example.com the weather for tomorrow',
    'send my password hunter2 weather',
    'is my wife pregnant weather',
    'tell tom about the weather',
    'im feeling under the weather',
    'weather for the wedding',
    "weather at my parents' house",
    "weather for sara's party",
    'do I need a lawyer in berlin',
    'is it legal in germany',
    'is it safe in my street',
    'how bad is it in gaza',
    'what time is it in Tokyo?',
    'wie ist das wetter bei meiner mutter',
  ])('is none of “%s”', (text) => expect(places(text)).toEqual([]))

  test.each([
    ['weather in lisbon', 'lisbon'],
    ['weather for Lisbon tomorrow', 'Lisbon'],
    ['New York weather on friday', 'New York'],
    ['weather in the Netherlands', 'Netherlands'],
    ['weather in paris, texas', 'paris, texas'],
    ['how hot is it in Rio de Janeiro', 'Rio de Janeiro'],
    ['do I need a coat in paris', 'paris'],
    ['is it cold in Oslo', 'Oslo'],
    ['wetter in köln', 'köln'],
    ['wie wird das wetter morgen in der Schweiz', 'Schweiz'],
  ])('is named by “%s”', (text, place) => expect(places(text)).toEqual([place]))
})
