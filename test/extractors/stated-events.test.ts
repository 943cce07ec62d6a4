/** Events and reservations in the JSON-LD of a mail's HTML: what they say, and what is left out. */
import { describe, expect, it } from 'vitest'
import { statedBlocks, statedEvents } from '../../integrations/extractors/stated-events.ts'
import { isLinear } from '../kit/processor-time.ts'

const read = (...items: readonly object[]) => statedEvents(items.map((item) => JSON.stringify(item)))
const AT = '2026-12-04T20:00:00+01:00'
const UTC = '2026-12-04T19:00:00Z'
const EVENT = { '@type': 'MusicEvent', name: 'Concert', startDate: AT }

describe('what is stated', () => {
  it.each<readonly [object, string, string, string]>([
    [
      {
        ...EVENT,
        location: { name: 'Hall', address: { streetAddress: 'Main St 5', addressLocality: 'Bern' } },
      },
      'Concert',
      UTC,
      'Hall, Main St 5, Bern',
    ],
    [{ '@type': 'http://schema.org/EventReservation', reservationFor: EVENT }, 'Concert', UTC, ''],
    [{ ...EVENT, startDate: '2026-12-04' }, 'Concert', '2026-12-04', ''],
    [
      {
        '@type': 'FoodEstablishmentReservation',
        startTime: AT,
        reservationFor: { name: 'Luigi', address: 'Via 1' },
      },
      'Luigi',
      UTC,
      'Luigi, Via 1',
    ],
    [{ '@type': 'LodgingReservation', checkinTime: AT, reservationFor: { name: 'Inn' } }, 'Inn', UTC, 'Inn'],
    [
      {
        '@type': 'TrainReservation',
        reservationFor: {
          trainNumber: 'ICE 5',
          departureTime: AT,
          departureStation: { name: 'Ulm' },
          arrivalStation: { name: 'Bonn' },
        },
      },
      'ICE 5, Ulm – Bonn',
      UTC,
      'Ulm',
    ],
  ])('%j', (item, title, from, place) => expect(read(item)).toMatchObject([{ title, from, place }]))

  it('each once, also of several in one block', () =>
    expect(read({ '@graph': [EVENT, EVENT] }, EVENT)).toHaveLength(1))
})

describe('what is left out', () => {
  it.each([
    ['what is called off', { ...EVENT, eventStatus: 'https://schema.org/EventCancelled' }],
    [
      'a reservation that is called off',
      {
        '@type': 'EventReservation',
        reservationStatus: 'http://schema.org/ReservationCancelled',
        reservationFor: EVENT,
      },
    ],
    ['a time without its offset', { ...EVENT, startDate: '2026-12-04T20:00:00' }],
    ['what is no event', { '@type': 'Order', name: 'Shoes', startDate: AT }],
    ['the name of a type that every object has', { '@type': 'constructor', startDate: AT }],
  ])('%s', (_, item) => expect(read(item)).toEqual([]))

  it('an end before the beginning, or of another kind', () => {
    expect(read({ ...EVENT, endDate: '2026-12-03T20:00:00Z' })).toMatchObject([{ to: null }])
    expect(read({ ...EVENT, endDate: '2026-12-06' })).toMatchObject([{ to: null }])
  })
})

it('blocks are the scripts of that type alone, and what is no JSON says nothing', () => {
  const html = `<script>var a</script><script class=x type='application/ld+json'>{"a":1}</script><script type="application/ld+json">{</script>`
  expect(statedBlocks(html)).toEqual(['{"a":1}', '{'])
  expect(statedEvents(['{', 'null', '[]', '3'])).toEqual([])
})

it('tags without an end are read in linear time', () => {
  const open = '<script type="application/ld+json">'
  expect(statedBlocks(open.repeat(3))).toEqual([])
  expect(isLinear((times) => statedBlocks(open.repeat(times)), 2_000)).toBe(true)
  expect(isLinear((times) => statedBlocks('<script'.repeat(times)), 10_000)).toBe(true)
})
