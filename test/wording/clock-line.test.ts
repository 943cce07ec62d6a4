/** The clock of a prompt: day, date, time, offset and zone, also near a change of the clocks. */
import { expect, test } from 'vitest'
import { clockLine, zonedMinute } from '../../kernel/wording/output.ts'

test.each([
  ['2026-11-23T17:44', 'America/New_York', 'Monday 2026-11-23 17:44 -05:00 America/New_York'],
  ['2026-07-05T00:05', 'Europe/Berlin', 'Sunday 2026-07-05 00:05 +02:00 Europe/Berlin'],
  ['2026-10-25T23:30', 'Europe/Berlin', 'Sunday 2026-10-25 23:30 +01:00 Europe/Berlin'],
  ['2026-03-08T01:30', 'America/New_York', 'Sunday 2026-03-08 01:30 -05:00 America/New_York'],
  ['2026-05-15T10:00', 'Asia/Kolkata', 'Friday 2026-05-15 10:00 +05:30 Asia/Kolkata'],
  ['2026-05-15T10:00', 'UTC', 'Friday 2026-05-15 10:00 +00:00 UTC'],
])('%s in %s', (local, zone, line) => expect(clockLine(local, zone)).toBe(line))

test('an instant with the offset of the zone', () => {
  expect(zonedMinute(Date.parse('2026-11-27T18:30:00Z'), 'America/New_York')).toBe('2026-11-27T13:30-05:00')
})
