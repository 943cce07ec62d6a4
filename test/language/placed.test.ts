/** The weather of a place that is named anywhere in a message; asked for where none is, and not read beside another request. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const PLACES = ['dublin', 'Bad Ischl', 'Stockport']
const WAYS = [
  (place: string) => `should i take an umbrella in ${place}, got the market`,
  (place: string) => `will it be warm enough to sit outside in ${place} on saturday`,
  (place: string) => `will it stay dry till sunday round ${place}, want to cut the grass`,
  (place: string) => `regnets heut abend in ${place}`,
  (place: string) => `wie wird das weter morgen in ${place} muss aufs dach`,
]

describe('a place that is named', () => {
  it.each(PLACES.flatMap((place) => WAYS.map((way) => [way(place), place] as const)))('%s', (text, place) =>
    expect(readingOf(text).calls).toEqual([{ tool: 'weather.forecast', args: { place } }]),
  )
})

describe('no place', () => {
  it.each(['any rain sat', 'do i need an umbrella', 'is it going to rain saturday? we have the market'])(
    'is asked for: %s',
    (text) => expect(readingOf(text)).toMatchObject({ calls: [], explanation: 'needs_place' }),
  )
  it.each(['will it rain in the morning', 'bleibt es am nachmittag trocken'])(
    'is no part of a day: %s',
    (text) => expect(readingOf(text).calls).toEqual([]),
  )
})

it('does nothing by half', () =>
  expect(
    readingOf('wie wird das wetter am sa in luzern und hab ich da schon was vor?').calls,
  ).not.toHaveLength(1))
