/** Whose clock a time is of: places by what people call them, words that leave the place open, and the instant that is meant. */
import { describe, expect, it } from 'vitest'
import { zoneNamed } from '../../integrations/dates/place-zones.ts'
import { clocksIn, openPlaceIn, placeIn } from '../../integrations/dates/places.ts'
import { readDates } from '../../integrations/dates/read.ts'
import { createZone } from '../../integrations/dates/zone.ts'

/** Thursday 26 November 2026, 10:00 in New York. */
const moment = { now: Date.parse('2026-11-26T15:00:00Z'), zone: createZone('America/New_York') }
const at = (text: string): string | null => {
  const { span } = readDates(text, moment)
  return span === null ? null : new Date(span.from).toISOString().slice(0, 16)
}

describe('a zone by its name', () => {
  it.each([
    ['Tokyo', 'Asia/Tokyo'],
    ['são paulo', 'America/Sao_Paulo'],
    ['New Yorker', 'America/New_York'],
    ['Zürcher', 'Europe/Zurich'],
    ['Münchner', 'Europe/Berlin'],
    ['deutscher', 'Europe/Berlin'],
    ['Wiener', 'Europe/Vienna'],
    ['Eastern', 'America/New_York'],
    ["London's", 'Europe/London'],
  ])('%s is %s', (name, zone) => {
    expect(zoneNamed(name)).toBe(zone)
  })

  it.each(['Gotham', 'story', 'lunch', 'Casey', 'Regina', 'their', ''])('"%s" is none', (name) => {
    expect(zoneNamed(name)).toBeNull()
  })

  it('names only zones that this runtime knows', () => {
    for (const name of ['Mumbai', 'Kyiv', 'Kathmandu', 'Hanoi', 'Montreal', 'Hawaii', 'Greenwich'])
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zoneNamed(name) ?? 'none' })).not.toThrow()
  })
})

describe('a time of a place', () => {
  it.each([
    ['Tuesday 9am Tokyo time', '2026-12-01T00:00'],
    ['at 9am Tokyo time', '2026-11-27T00:00'],
    ['tomorrow at noon London time', '2026-11-27T12:00'],
    ['tomorrow morning London time', '2026-11-27T08:00'],
    ['on 1 July 2027 at 9am London time', '2027-07-01T08:00'],
    ['am Montag um 15 Uhr Londoner Zeit', '2026-11-30T15:00'],
    ['am Montag um 15 Uhr MEZ', '2026-11-30T14:00'],
    ['am Montag um 15 Uhr meiner Zeit', '2026-11-30T20:00'],
  ])('%s', (text, instant) => {
    expect(at(text)).toBe(instant)
  })

  it('is taken out of the text with its place, and a place without a time is not', () => {
    expect(readDates('call on Tuesday 9am Tokyo time', moment).rest.trim()).toBe('call')
    expect(readDates('the Tokyo time table', moment)).toMatchObject({
      span: null,
      rest: 'the Tokyo time table',
    })
    expect(readDates('Tokyo time table on Tuesday', moment).rest).toContain('Tokyo time table')
  })

  it.each([
    '9am story time',
    'have I got time at 3',
    'hast du um 10 Zeit',
    'the New York Times at 9',
    'all the time',
  ])('is not in "%s"', (text) => {
    expect([placeIn(text), openPlaceIn(text)]).toEqual([null, null])
  })
})

describe('a place that is left open', () => {
  it.each([
    ['9am for them', 'for them'],
    ['at 9 on Tuesday their time', 'their time'],
    ['um 9 Uhr bei ihnen ein', 'bei ihnen'],
    ['um 15:30 Ortszeit', 'Ortszeit'],
    ['at 9am there.', 'there'],
    ['um 9 Uhr Gothamer Zeit', 'Gothamer Zeit'],
  ])('%s', (text, words) => {
    expect(openPlaceIn(text)).toBe(words)
  })

  it.each([
    '9am for her birthday',
    'flowers for them',
    'take their time',
    'at 9 there is a call',
    'at 9am Tokyo time',
  ])('not in "%s"', (text) => {
    expect(openPlaceIn(text)).toBeNull()
  })
})

it('counts times of day, a range as one', () => {
  expect(
    ['9am', '9-10am', 'from 9am to 11am', 'noon and 3pm', 'von 9 bis 11 Uhr', 'none'].map(clocksIn),
  ).toEqual([1, 1, 1, 2, 1, 0])
})
