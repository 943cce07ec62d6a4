/** "This week": what is left of it, and on a Sunday the week ahead, in both languages. */
import { expect, it } from 'vitest'
import { readDates } from '../../integrations/dates/read.ts'
import { createZone } from '../../integrations/dates/zone.ts'

const zone = createZone('Europe/Berlin')

it.each([
  ['2026-11-20T12:00:00Z', 'this week', '2026-11-20', '2026-11-23'],
  ['2026-11-22T12:00:00Z', 'this week', '2026-11-22', '2026-11-30'],
  ['2026-11-22T12:00:00Z', 'diese Woche', '2026-11-22', '2026-11-30'],
  ['2026-11-22T12:00:00Z', 'next week', '2026-11-23', '2026-11-30'],
])('on %s, %s', (now, text, from, to) => {
  const { span } = readDates(text, { now: Date.parse(now), zone })
  const day = (at: number | undefined): string => (at === undefined ? '' : zone.iso(at).slice(0, 10))
  expect([day(span?.from), day(span?.to)]).toEqual([from, to])
})
