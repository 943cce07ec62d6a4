/** Data of the demo workspace, at any time and in any time zone. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayAfter, daysUntil, wallTime } from '../../scripts/demo/clock.ts'
import { articleAt } from '../../scripts/demo/pages.ts'
import { DEMO_CONTACTS } from '../../scripts/demo/people.ts'
import { seedEvents, seedLabels, seedMails } from '../../scripts/demo/seed.ts'

const SATURDAY = Date.parse('2026-10-24T22:30:00Z')

describe('clock', () => {
  test.each([
    ['Europe/Berlin', 0, '2026-10-25'],
    ['America/Los_Angeles', 0, '2026-10-24'],
    ['Pacific/Kiritimati', 1, '2026-10-26'],
    ['UTC', 7, '2026-10-31'],
  ])('day in %s plus %i', (zone, offset, expected) => expect(dayAfter(SATURDAY, offset, zone)).toBe(expected))
  test.each([
    ['UTC', 6, 0],
    ['UTC', 5, 6],
    ['Europe/Berlin', 0, 0],
    ['Europe/Berlin', 5, 5],
  ])('days in %s until weekday %i', (zone, weekday, expected) =>
    expect(daysUntil(SATURDAY, weekday, zone)).toBe(expected),
  )
  test.each([
    ['before a clock change', '2026-10-24', '12:00', 'Europe/Berlin', '2026-10-24T12:00:00+02:00'],
    ['after it', '2026-10-25', '12:00', 'Europe/Berlin', '2026-10-25T12:00:00+01:00'],
    ['in UTC', '2026-10-25', '09:30', 'UTC', '2026-10-25T09:30:00+00:00'],
    ['half an hour off', '2026-01-02', '00:15', 'Asia/Kolkata', '2026-01-02T00:15:00+05:30'],
    ['west', '2026-07-01', '23:45', 'America/New_York', '2026-07-01T23:45:00-04:00'],
  ])('wall time %s', (_name, day, time, zone, expected) => expect(wallTime(day, time, zone)).toBe(expected))
})

describe('calendar', () => {
  test('always has an event tomorrow, and a busy noon on each of the next two Fridays', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland']
    fc.assert(
      fc.property(fc.integer({ min: 1.7e12, max: 2e12 }), fc.constantFrom(...zones), (now, timezone) => {
        const events = seedEvents({ now, timezone })
        const tomorrow = dayAfter(now, 1, timezone)
        expect(
          events.filter((event) => event.start_date_time.startsWith(tomorrow)).length,
        ).toBeGreaterThanOrEqual(2)
        // If midnight passes after the start, the next question is about this day.
        const later = dayAfter(now, 2, timezone)
        expect(
          events.filter(
            ({ summary, start_date_time: start }) => /sync/.test(summary) && start.startsWith(later),
          ),
        ).toHaveLength(1)
        const noons = events.filter((event) => event.start_date_time.slice(10, 16) === 'T12:00')
        expect(noons).toHaveLength(2)
        for (const { start_date_time: start, end_date_time: end } of events) {
          expect(Date.parse(end)).toBeGreaterThan(Date.parse(start))
        }
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      }),
      { numRuns: 40 },
    )
  })
  test('leaves Friday at 13:00 free, for lunch with Sarah', () => {
    const clash = seedEvents({ now: SATURDAY, timezone: 'UTC' }).filter(
      (event) =>
        new Date(event.start_date_time).getUTCDay() === 5 && event.start_date_time.slice(11, 13) === '13',
    )
    expect(clash).toEqual([])
  })
})

describe('mailbox', () => {
  const mails = seedMails({ now: SATURDAY, timezone: 'UTC' })
  test('has its newest mail first, none from the future, and unique ids', () => {
    const dates = mails.map(({ date }) => Date.parse(date))
    expect(dates.length).toBeGreaterThanOrEqual(6)
    expect(dates).toEqual(dates.toSorted((a, b) => b - a))
    expect(Math.max(...dates)).toBeLessThan(SATURDAY)
    expect(new Set(mails.map(({ id }) => id)).size).toBe(mails.length)
  })
  test('contains one mail from Sarah, whose address is a contact', () => {
    const sarah = DEMO_CONTACTS.find(({ name }) => name.startsWith('Sarah'))?.email
    expect(mails.filter(({ from }) => from.includes(`<${sarah}>`))).toHaveLength(1)
  })
  test('contains one mail with a prompt injection', () => {
    expect(
      mails.filter(({ body_text }) => body_text.includes('ignore all earlier instructions')),
    ).toHaveLength(1)
  })
  test('has mails under labels, each of which is seeded, and none of them in the inbox', () => {
    const ids = seedLabels().map(({ id }) => id)
    const away = mails.filter(({ label_ids: labels }) => !labels.includes('INBOX'))
    expect(ids).toHaveLength(2)
    expect(new Set(away.flatMap(({ label_ids: labels }) => labels))).toEqual(new Set(ids))
  })
  test('uses only reserved domain names', () => {
    for (const mail of mails) expect(mail.from).toMatch(/@[a-z.-]+\.example>$/)
  })
})

test('the article has a title, an author and yesterday’s date, and hides an instruction', () => {
  const html = articleAt(SATURDAY)
  expect(html).toContain('<title>The harbour that stores the wind</title>')
  expect(html).toContain('content="Ingrid Solberg"')
  expect(html).toContain('content="2026-10-23T22:30:00Z"')
  expect(html).toContain('October 23, 2026')
  expect(html).toMatch(/display:none[^<]*ignore your instructions/)
  expect(html).not.toContain('{{')
})
