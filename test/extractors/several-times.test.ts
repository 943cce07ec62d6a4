/** Of several clock times in a message without a name none is the message's: a planner reads them itself. */
import { expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'

const CONTEXT = { now: Date.parse('2026-11-26T15:00:00Z'), timezone: 'America/New_York' }
const read = (text: string) => createMessageExtractor().extract(text, CONTEXT) as Record<string, unknown>

it.each([
  [
    'three things for tomorrow, remind me of each: 8.30 call the plumber, noon order the cake, 4pm pick up the parcel',
  ],
  ['Starte bitte das Morgenbriefing um 6:45 und den Abendrückblick um 20 Uhr.'],
  ['juggle the plumber at 9am and the cake at 4pm'],
])('no time is given of: %s', (text) => expect(read(text)).not.toHaveProperty('from'))

it.each([
  ['juggle the plumber tomorrow at 4pm', '2026-11-27T21:00:00.000Z'],
  ['juggle the plumber tomorrow from 4pm to 5pm', '2026-11-27T21:00:00.000Z'],
  ['juggle the plumber at 4pm, yes, at 16:00', '2026-11-26T21:00:00.000Z'],
])('the one time is given of: %s', (text, from) =>
  expect(new Date(String(read(text)['from'])).toISOString()).toBe(from),
)
