/** A thing with its day and hour is an appointment, and its title has nothing of the day, the hour, or the words that ask for it. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const made = (text: string) =>
  readingOf(text).calls.map(({ tool, args }) => [tool, args['title'], String(args['from']).slice(0, 16)])

const THINGS = ['budget review', 'wedding cake tasting', 'elternabend', 'parents evening']
const WAYS = [
  (what: string) => `${what} thursday 4pm`,
  (what: string) => `thursday 4pm ${what}, please put it in the calendar`,
  (what: string) => `on thursday at 4pm i have the ${what}, put it in my diary`,
  (what: string) => `calendar: ${what} thursday 16:00`,
  (what: string) => `${what}, donnerstag 16 uhr, bitte eintragen`,
]

describe('is put in as it is called', () => {
  it.each(THINGS.flatMap((what) => WAYS.map((way) => [way(what), what] as const)))('%s', (text, what) => {
    const [[tool, title, from] = [], ...others] = made(text)
    expect(others).toEqual([])
    expect({ tool, title: String(title).toLowerCase(), from }).toEqual({
      tool: 'calendar.create_event',
      title: what.toLowerCase(),
      from: '2026-11-26T16:00',
    })
  })
})

describe('is one though what is measured has its name', () => {
  it.each([
    ['walk sat at 8', 'Walk'],
    ['sleep saturday at 8', 'Sleep'],
    ['workout monday 6pm', 'Workout'],
    ['laufen am samstag um 8', 'Laufen'],
  ])('%s', (text, title) =>
    expect(made(text)).toMatchObject([['calendar.create_event', title, expect.any(String)]]),
  )

  it.each(['how far did I walk on saturday', 'my steps today', 'how many steps at 8'])(
    'and is none where it is asked: %s',
    (text) => expect(readingOf(text).calls.map(({ tool }) => tool)).not.toContain('calendar.create_event'),
  )
})

describe('with what belongs to it', () => {
  it.each([
    [
      'termin morgen halb acht bei fr krüger wegen sicherungskasten',
      'Termin bei fr krüger wegen sicherungskasten',
    ],
    ['put MOT for the cab in for 14/12 at 9.30am', 'MOT for the cab'],
  ])('%s', (text, title) => expect(made(text)[0]?.[1]).toBe(title))

  it('lasts as long as is said', () =>
    expect(
      readingOf('Kastration Kater Huber, Freitag dreiviertel neun, ca. eine Stunde, bitte eintragen').calls,
    ).toEqual([
      {
        tool: 'calendar.create_event',
        args: {
          title: 'Kastration Kater Huber',
          from: '2026-11-27T08:45:00+01:00',
          to: '2026-11-27T09:45:00+01:00',
        },
      },
    ]))
})

describe('is no appointment', () => {
  it.each([
    ...[
      'is the dentist on friday at 4?',
      'i was at the dentist on friday at 9',
      'the budget review on friday at 4 was fine',
    ],
    ...['bok dentist on tuesday at 9am', 'no dentist on friday at 4', 'if it rains, picnic friday 4pm'],
    ...['dentist tuesday at 4 or wednesday'],
  ])('%s', (text) => expect(made(text).filter(([tool]) => tool === 'calendar.create_event')).toEqual([]))
})
