/** No look answers another question than was asked: each class of such messages is made of its parts, beside what is asked of the owner's own time. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const tools = (text: string): readonly string[] => readingOf(text).calls.map(({ tool }) => tool)
const LOOKS = ['calendar.list_events', 'calendar.freebusy']

describe('of another person or thing', () => {
  const SUBJECTS = ['Jo', 'mum', 'Mrs Okafor', 'the church hall', 'Karl']
  const WAYS = [
    (who: string) => `is ${who} free on thursday? we need someone`,
    (who: string) => `so tired lol. does ${who} have anything on friday`,
    (who: string) => `ok und hat ${who} am freitag zeit, sonst frag ich oma`,
  ]
  it.each(SUBJECTS.flatMap((who) => WAYS.map((way) => way(who))))('%s', (text) =>
    expect(tools(text).filter((tool) => LOOKS.includes(tool))).toEqual([]),
  )
  it.each(['am I free on thursday? we need someone', 'is friday morning free?', 'bin ich am freitag frei'])(
    'but of the owner: %s',
    (text) => expect(tools(text)).toEqual(['calendar.freebusy']),
  )
})

describe('of what stands in no calendar', () => {
  it.each([
    ...[
      'when is Easter in 2028',
      'wann sind die herbstferien in bayern',
      'is the 14.10 from Totnes running today',
    ],
    ...[
      'when is the surgery open over the bank holiday',
      'how far is it to the clinic on monday',
      'wie lang fahr ich da hin',
    ],
    ...['10 am PST is what in IST now?', 'wann fährt heute der letzte zug nach olten'],
  ])('%s', (text) => expect(tools(text).filter((tool) => LOOKS.includes(tool))).toEqual([]))

  it.each(['when is my train on friday', 'when is the dentist', 'am I open on friday?'])(
    'but of what may stand there: %s',
    (text) => expect(LOOKS).toContain(tools(text)[0]),
  )
})

describe('of something that is to be done, of all but something, or of what was asked before', () => {
  it.each([
    'I need to move my haircut from wednesday to next week, when would work?',
    'ich muss den termin am montag verschieben, wann ginge es',
    'what is on my calendar tomorrow except the gym',
    'and the same for next month please',
    'the architect is on tuesday and the builder on thursday, sort the diary',
    'kannst du das formular unterschreiben? es ist bei den dateien',
  ])('%s', (text) => expect(tools(text)).toEqual([]))
})

describe('a length that is asked for', () => {
  const LENGTHS = [
    ['2 hours', 120],
    ['a 90 min slot', 90],
    ['45 mins', 45],
    ['an hour', 60],
  ] as const
  it.each(LENGTHS)('is that of the times: %s', (words, minutes) =>
    expect(
      readingOf(`when could i find ${words} free next week for the report, mornings preferred`).calls,
    ).toEqual([
      {
        tool: 'calendar.find_times',
        args: { from: '2026-11-23T00:00:00+01:00', to: '2026-11-30T00:00:00+01:00', minutes },
      },
    ]),
  )
  it('is within the days before one', () =>
    expect(readingOf('find 2 hours somewhere free before thursday for the report').calls[0]?.args['to']).toBe(
      '2026-11-26T00:00:00+01:00',
    ))
  it('is with whoever is named, who is asked for', () =>
    expect(readingOf('i am needing one free hour with Anil this week, can you look please').explanation).toBe(
      'contact_unknown',
    ))
  it('is no time of a clock', () =>
    expect(readingOf('hab ich nächste woche irgendwann 2h am stück zeit zum lernen??').calls).toEqual([
      {
        tool: 'calendar.freebusy',
        args: { from: '2026-11-23T00:00:00+01:00', to: '2026-11-30T00:00:00+01:00' },
      },
    ]))
})
