/** What strangers typed and was not understood before: facts with what asks to keep them behind, questions about what was told, lists, thanks. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

const fieldsOf = (text: string, now: number) =>
  createMessageExtractor().extract(text, { now, timezone: 'UTC' }) as Readonly<Record<string, unknown>>
const callsOf = (text: string) => readingOf(text).calls.map(({ tool, args }) => [tool, args])
const saved = (text: string) => [['memory.save', { text }]]
const searched = (query: string) => [['memory.search', { query }]]
const added = (...items: readonly string[]) => items.map((text) => ['task.add', { text }])

describe('a fact', () => {
  it.each([
    ['her loft hatch is 560 by 740. Hang on to that.', 'her loft hatch is 560 by 740'],
    [
      'the teacher is Miss Ford and the class is Larks, keep that somewhere',
      'the teacher is Miss Ford and the class is Larks',
    ],
    ['launch is on 2 June, bitte merken Sie sich das, ich werde ständig gefragt', 'launch is on 2 June'],
    ['das passwort von opa ist Amsel77 merk dir das ma', 'das passwort von opa ist Amsel77'],
    ['fyi our day rate is 425', 'our day rate is 425'],
  ])('is kept: %s', (text, fact) => expect(callsOf(text)).toEqual(saved(fact)))

  it.each([
    'remember the wifi is harbour and book lunch tomorrow',
    'my locker is 12, keep that somewhere, and what is on tomorrow?',
    'remember to take the bins out every monday',
  ])('swallows nothing else: %s', (text) => {
    const kept = JSON.stringify(callsOf(text).filter(([tool]) => tool === 'memory.save'))
    expect(kept).not.toMatch(/book|tomorrow|monday/)
  })
})

describe('a question about what was told', () => {
  it.each([
    ['What paint did the landlord want? Told you a couple of weeks back.', 'paint did the landlord want'],
    ['whats my tax number, gave it you ages ago', 'tax number'],
    [
      'Wie hieß doch gleich der Dachdecker, der uns geholfen hat? Ich hatte Ihnen den Namen genannt.',
      'Dachdecker',
    ],
    ['what was it I told you the tuner charges', 'the tuner charges'],
  ])('is asked of memory: %s', (text, query) => expect(callsOf(text)).toEqual(searched(query)))

  it('is one question', () => {
    expect(callsOf('what was schuldet mir jonas nochmal, und habe ich die karten schon?')).toEqual([])
  })
})

describe('a list', () => {
  it('is the one that is named', () =>
    expect(callsOf('Auf den Einkaufszettel gehören noch Brot, Quark und zwei Zitronen.')).toEqual(
      ['Brot', 'Quark', 'zwei Zitronen'].map((text) => ['task.add', { text, list: 'Einkaufszettel' }]),
    ))

  it.each([
    [
      'Need 4x 2.4m oak boards, a tub of glue. Stick them on the list.',
      ['4x 2.4m oak boards', 'a tub of glue'],
    ],
    [
      'batteries for the stand lights, throat sweets, folders, on the list',
      ['batteries for the stand lights', 'throat sweets', 'folders'],
    ],
    ['Für den Einkauf: Rahm und Eier', ['Rahm', 'Eier']],
  ])('%s', (text, items) => expect(callsOf(text)).toEqual(added(...items)))
})

describe('a time', () => {
  const NOW = Date.parse('2026-11-26T10:00:00Z')
  const dueOf = (text: string): unknown => fieldsOf(text, NOW)['from']

  it.each([
    ['remnd me to get the chicken out about half 8 tonite', '2026-11-26T20:30:00+00:00'],
    [
      'Seien Sie so freundlich und erinnern Sie mich jeden Abend gegen acht Uhr an meine Tablette.',
      '2026-11-26T20:00:00+00:00',
    ],
  ])('%s', (text, due) => expect(dueOf(text)).toBe(due))

  it('is none in a 1:1', () => {
    expect(dueOf('is my 1:1 with Tom next week?')).not.toMatch(/T(?:01|13):01/)
  })

  it('of a second request is not that of the first', () => {
    const tools = callsOf(
      'Sagen Sie die Fußpflege am Montag ab und erinnern Sie mich am Nachmittag daran, zu telefonieren.',
    ).map(([tool]) => tool)
    expect(tools).toEqual(['calendar.list_events', 'calendar.delete_event', 'reminder.set'])
  })
})

describe('thanks', () => {
  const intentOf = (text: string): unknown => fieldsOf(text, 0)['intent']

  it.each([
    'cheers mate, good week that',
    'youre a star honestly, off to bed',
    'Danke dir, Schluss für heute, jetzt gibt es ein Bier',
  ])('ask for nothing: %s', (text) => expect(intentOf(text)).toBe('chat'))

  it.each([
    'cheers, lunch with Tom friday',
    'danke, milch auf die liste',
    'thanks, and add milk to the list',
    'danke, trag den zahnarzt morgen um 9 ein',
  ])('%s', (text) => expect(intentOf(text)).not.toBe('chat'))
})
