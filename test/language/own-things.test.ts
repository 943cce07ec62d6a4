/** What is kept, ticked off or shown in words that no sentence has: the parts are found, what is missing is asked for, and half of a message is never done. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const madeOf = (text: string): readonly (readonly unknown[])[] =>
  readingOf(text).calls.map(({ tool, args }) =>
    [tool, args['text'], args['due'], args['repeat']].filter((one) => one !== undefined),
  )

describe('a reminder', () => {
  it.each([
    [
      'I should like to be reminded every evening at eight to feed the tortoise',
      'feed the tortoise',
      '2026-11-22T20:00:00+01:00',
      'daily',
    ],
    ['wake me at quarter to five, the ferry goes early', 'the ferry goes early', '2026-11-23T04:45:00+01:00'],
    ['Thursday morning, the boiler man, remind me', 'the boiler man', '2026-11-26T08:00:00+01:00'],
    [
      'I have a tram to catch, remind me on the 12th to oil the gate',
      'oil the gate',
      '2026-12-12T09:00:00+01:00',
    ],
  ])('is set for what is left without its time: %s', (text, ...made) =>
    expect(madeOf(text)).toEqual([['reminder.set', ...made]]),
  )

  it.each([
    ['remind me every day at 5 to stretch, except sundays', 'repeats_unclear'],
    ['nudge me after supper about the budget of Carla', 'needs_time'],
  ])('asks for what is not said, and is never made a single one of several: %s', (text, why) => {
    const { calls, explanation } = readingOf(text)
    expect([calls, explanation]).toEqual([[], why])
  })

  it.each([
    'remind me if it rains to take the washing in at 5',
    'remind me at 3 to call Olga and at 5 again',
    'stop reminding me at 9 about the drops',
    'remind me in 20 min the eggs are on... no wait 12 min',
    'alarm off at 7',
  ])('is none with a condition, a second time, a correction, or an end: %s', (text) =>
    expect(madeOf(text)).toEqual([]),
  )
})

describe('the list', () => {
  it.each([
    ['throw gherkins and mustard on the grocery list', ['gherkins', 'mustard']],
    [
      'add candles and string to the shop list. oh and those hooks for the hall',
      ['candles', 'string', 'those hooks for the hall'],
    ],
    [
      'add a lamp, varnish and brushes (the wide ones) to shopping',
      ['a lamp', 'varnish', 'brushes (the wide ones)'],
    ],
  ])('gets each thing: %s', (text, things) =>
    expect(madeOf(text)).toEqual(things.map((thing) => ['task.add', thing])),
  )

  it.each([
    ['the bench is sanded, cross it off', ['bench sanded']],
    ['Der Zaun ist gestrichen, kannst du abhaken', ['Zaun']],
  ])('loses what is done: %s', (text, things) =>
    expect(madeOf(text)).toEqual(things.map((thing) => ['task.done', thing])),
  )

  it.each([
    'did i tick off the gutters',
    'tick everything off',
    'do not take the gutters off the list',
    'take it off',
  ])('loses nothing by %s', (text) => expect(madeOf(text)).toEqual([]))

  it('is changed by both requests of a message, or by none', () => {
    expect(madeOf('tick off candles and add string to the list')).toEqual([
      ['task.done', 'candles'],
      ['task.add', 'string'],
    ])
    expect(madeOf('tick off candles and sort the thing with the bank')).toEqual([])
  })
})

describe('a fact', () => {
  it.each([
    ['my locker code is 4471 can you hang on to that', 'my locker code is 4471'],
    ['the chimney sweep charges 75 now, keep that safe please', 'the chimney sweep charges 75 now'],
    ['Omas Grab ist Feld 7, Reihe 12. Behalt das bitte für mich.', 'Omas Grab ist Feld 7, Reihe 12'],
  ])('is kept without what asks for it: %s', (text, fact) =>
    expect(madeOf(text)).toEqual([['memory.save', fact]]),
  )

  it.each([
    'printer takes black toner, save that somewhere',
    'the sweep charges 75, keep that and book him for friday',
  ])('is not half of it: %s', (text) =>
    expect(madeOf(text).filter(([, kept]) => !String(kept).includes('toner'))).toEqual([]),
  )
})

describe('a list to be shown', () => {
  it.each([
    ['which to-dos are overdue', 'reminders.tasks'],
    ['tell me what jobs have I left to do', 'reminders.tasks'],
    ['what reminders have I got running', 'reminders.list'],
    ['how many tokens did I use', 'usage'],
    ['is slack still connected', 'status'],
  ])('is found by what is asked: %s', (text, operation) => expect(readingOf(text).operation).toBe(operation))

  it.each([
    'what jobs have I left to do on friday',
    'show my to-dos and add milk',
    'every morning show me my to-dos',
  ])('is not of a day, of two requests, or to come again: %s', (text) =>
    expect(readingOf(text).operation).toBe(null),
  )
})

describe('what is left of a reminder', () => {
  it.each([
    ['weck mi morgen um 7', 'aufwachen'],
    ['Reminder: expenses, friday noon, wherever I am', 'expenses, wherever I am'],
    ['mind me to water the tomatoes at six tonight', 'water the tomatoes'],
  ])('is clean: %s', (text, topic) => expect(readingOf(text).calls[0]?.args['text']).toBe(topic))

  it('is of the month that is named', () =>
    expect(readingOf('am 1. märz die bienen füttern, bitte erinnern').calls).toEqual([
      { tool: 'reminder.set', args: { text: 'die bienen füttern', due: '2027-03-01T09:00:00+01:00' } },
    ]))

  it.each([
    ['of a month beside another', 'am 1. märz im april die bienen füttern, bitte erinnern'],
    ['of a day that there is not', 'am 31. februar die bienen füttern, bitte erinnern'],
    [
      'of what is not wanted any more',
      'Erinner mich ned mehr ans Wäscheaufhängen, das macht jetzt der Franz',
    ],
    [
      'of what comes after something',
      'Would you remind me, after Mass on Sunday, to ask Cecily about the copies',
    ],
  ])('is none %s', (_, text) => expect(readingOf(text).calls).toEqual([]))
})
