/** Events that come again, said in German with a place and an end: all of it is read, or none. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

/** Monday 30 November 2026, 16:33 in Berlin. */
const NOW = Date.parse('2026-11-30T15:33:00Z')
const read = (text: string) =>
  createMessageExtractor().extract(text, { now: NOW, timezone: 'Europe/Berlin' }) as Readonly<
    Record<string, unknown>
  >

const CLOCKS = ['um 18 uhr', '18 uhr']
const PLACES = ['', ' im studio süd', ' in der turnhalle']
const ENDS: readonly (readonly [string, string | undefined])[] = [
  ['', undefined],
  [' bis weihnachten', '2026-12-24'],
  [' bis 22. dezember', '2026-12-22'],
  [' bis zum 26.1.', '2027-01-26'],
]

it.each(
  CLOCKS.flatMap((clock) =>
    PLACES.flatMap((place) =>
      ENDS.map(([end, until]) => [`jeden dienstag ${clock} yoga${place}${end}`, place, until] as const),
    ),
  ),
)('%s', (text, place, until) => {
  const fields = read(text)
  // With its place alone it is read by its parts, at home.
  if (until === undefined && fields['intent'] === 'other') return expect(place).not.toBe('')
  expect(fields).toMatchObject({ intent: 'calendar_book', repeat: 'weekly', topic: `Yoga${place}` })
  expect(fields['from']).toBe('2026-12-01T18:00:00+01:00')
  expect(fields['until']).toBe(until)
})

it.each([
  'trag jeden dienstag 18 uhr yoga ein bis zum 26.1.',
  'trag jeden dienstag um 18 uhr yoga bis zum 26. januar ein',
])('an end behind the verb, or before it: %s', (text) =>
  expect(read(text)).toMatchObject({ topic: 'Yoga', until: '2027-01-26' }),
)
