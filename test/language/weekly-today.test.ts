/** "Every friday at 16:20", said on a Friday: it begins today while that time is ahead, and a week later once it is past (G-01). */
import { expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'

const dueOf = (text: string, at: string) => readingOf(text, Date.parse(at)).calls[0]?.args['due']
/** Friday 27 November 2026 in Berlin: at midnight, at nine, at five in the afternoon. */
const [MIDNIGHT, NINE, FIVE] = [
  '2026-11-26T23:00:00Z',
  '2026-11-27T08:00:00Z',
  '2026-11-27T16:00:00Z',
] as const

it.each([
  ['remind me every friday at 16:20 to water the plants', MIDNIGHT, '2026-11-27T16:20:00+01:00'],
  ['remind me every friday at 16:20 to water the plants', NINE, '2026-11-27T16:20:00+01:00'],
  ['remind me every friday at 16:20 to water the plants', FIVE, '2026-12-04T16:20:00+01:00'],
  ['erinnere mich jeden freitag um 16:20 an die pflanzen', NINE, '2026-11-27T16:20:00+01:00'],
  ['remind me every monday at 16:20 to water the plants', NINE, '2026-11-30T16:20:00+01:00'],
  ['remind me every day at 16:20 to water the plants', NINE, '2026-11-27T16:20:00+01:00'],
])('%s, at %s', (text, at, due) => expect(dueOf(text, at)).toBe(due))
