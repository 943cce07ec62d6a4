/** A new time of an event is read where an old one, or a word, says that it is new; generated from ways to say it, events and times. */
import { describe, expect, it } from 'vitest'
import { NOW, readingOf, TIMEZONE } from '../../bench/phrases/score.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { correctedIn } from '../../integrations/extractors/message/message-corrected.ts'

const zone = createZone(TIMEZONE)
const read = (text: string) => {
  const found = correctedIn(text, { now: NOW, zone })
  if (found === null) return null
  const { topic, at, move, newTime, by } = found
  const day = (instant: number): string => zone.iso(instant).slice(0, 10)
  return {
    ...{ topic, move, by, at: at === null ? null : day(at.from) },
    to: newTime === null ? null : zone.iso(newTime).slice(0, 16),
  }
}

const EVENTS = [
  ['the physio', 'physio'],
  ['dinner with Mum', 'dinner Mum'],
  ['my haircut', 'haircut'],
] as const

describe('what is, and what is not', () => {
  const WAYS = [
    (what: string) => `${what} is on friday not thursday`,
    (what: string) => `no sorry, ${what} is on friday, not on thursday`,
    (what: string) => `${what} is friday instead of thursday, can you fix that`,
    (what: string) => `${what} has moved from thursday to friday; please amend my diary`,
  ]
  it.each(EVENTS.flatMap(([what, topic]) => WAYS.map((way) => [way(what), topic] as const)))(
    '%s',
    (text, topic) =>
      expect(read(text)).toEqual({ topic, move: 'day', by: null, at: '2026-11-26', to: '2026-11-27T00:00' }),
  )
})

describe('a new time of day', () => {
  it.each([
    ['the physio is at half 2 not half 1', 'physio', 'time', '2026-11-22T14:30'],
    [
      'die chorprobe beginnt nicht um 19 uhr, sondern erst um 20 uhr',
      'chorprobe',
      'time',
      '2026-11-22T20:00',
    ],
    [
      'Der Apéro bei Aebischers beginnt um 18 Uhr, nicht um 17',
      'Apéro Aebischers',
      'time',
      '2026-11-22T18:00',
    ],
    ['zahnarzt ist am 4. nicht am 3.', 'zahnarzt', 'day', '2026-12-04T00:00'],
    ['the viewing is now friday at quarter to three', 'viewing', 'both', '2026-11-27T14:45'],
  ])('%s', (text, topic, move, to) => expect(read(text)).toMatchObject({ topic, move, to }))
})

describe('later or earlier', () => {
  it.each([
    ['mrs kerrigan put back a week, same time', 'mrs kerrigan', 'days', 7],
    ['prepone my 1:1 with mike by half an hour', 'mike', 'shift', -30],
    ['den reifenwechsel um zwei wochen nach hinten schieben', 'reifenwechsel', 'days', 14],
    ['the briefing starts an hour earlier', 'briefing', 'shift', -60],
  ])('%s', (text, topic, move, by) => expect(read(text)).toMatchObject({ topic, move, by, to: null }))
})

describe('is not read', () => {
  it.each([
    ...[
      'dinner with Jules is at Trullo not Padella',
      'mein referat ist donnerstag 14 uhr in raum 221 nicht 212',
    ],
    ...['move the viewing to 11.15 and tell Mr Hussain', 'move my dentist to friday and shorten it'],
    ...['training is at six instead of five on tuesdays', 'move my 1:1 to tomorrow if she is free'],
    ...['the reminder is at 4 not 3', 'push dentist to the fri after', 'the dentist is on friday'],
    ...['schieb die impfung auf montag in einer woche', 'is the physio at 2 not 1?'],
  ])('%s', (text) => expect(read(text)).toBeNull())
})

describe('as a plan', () => {
  it('looks for the event on its old day', () =>
    expect(readingOf('the party of Lucía is on friday not saturday, i put it wrong').calls).toMatchObject([
      { tool: 'calendar.list_events', args: { from: '2026-11-28T00:00:00+01:00' } },
      { tool: 'calendar.update_event' },
    ]))
  it.each(['i am not 30 but 31', 'the capital is Bern not Zürich', 'he is coming at 4 not 3'])(
    'is none for what is no event: %s',
    (text) => expect(readingOf(text).calls).toEqual([]),
  )
})
