/** Retention and schedule of backups: forty days of a simulated clock across both changes of daylight saving time (E-13, E-15, E-17, S-04). */
import { describe, expect, test } from 'vitest'
import { byAge, dayOf, isBackupName, nextName, toKeep } from '../../sidecar/backup/archive.ts'
import {
  dueAt,
  MISSED_AFTER,
  nextScheduled,
  RETRY_AFTER,
  RETRY_EDGE_AFTER,
} from '../../sidecar/backup/job.ts'

const HOUR = 3_600_000
const ZONE = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)

/** Age in days of each kept backup, counted from the last one. */
const agesOf = (names: Iterable<string>, last: string) =>
  [...names].map((name) => (at(last) - at(name)) / (24 * HOUR)).sort((a, b) => a - b)

describe('forty days', () => {
  test.each([
    ['autumn', '2026-10-01T12:00:00Z'],
    ['spring', '2026-03-01T12:00:00Z'],
  ])('in %s: one backup a day at 03:00 local time; seven days and four Sundays are kept', (_name, begin) => {
    let last = at(begin)
    let archive: readonly string[] = []
    const made: string[] = []
    for (let now = last; now < at(begin) + 40 * 24 * HOUR; now += HOUR / 2) {
      if (!dueAt({ now, last, failedAt: null, partialAt: null, timezone: ZONE }).run) continue
      const name = nextName(archive, dayOf(now, ZONE))
      made.push(new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' }).format(now))
      const kept = toKeep([...archive, name])
      archive = [...archive, name].filter((one) => kept.has(one))
      last = now
    }
    expect(made).toEqual(Array.from({ length: 40 }, () => '03:00'))
    expect(archive).toHaveLength(11)
    const [newest = ''] = byAge(archive)
    expect(agesOf(archive, newest).slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6])
    const weekly = byAge(archive).slice(7)
    // The current week is not over; the earlier ones are represented by their Sunday.
    expect(weekly.slice(1).map((name) => new Date(name).getUTCDay())).toEqual([0, 0, 0])
    expect(agesOf(weekly, newest).at(-1)).toBeGreaterThan(3 * 7)
  })
})

describe('retention', () => {
  test.each([
    ['nothing of nothing', [], []],
    ['one', ['2026-11-22'], ['2026-11-22']],
    [
      'the newest of an older day',
      ['2026-11-21', '2026-11-21-2', '2026-11-22'],
      ['2026-11-21-2', '2026-11-22'],
    ],
    ['all of the last day', ['2026-11-22', '2026-11-22-2'], ['2026-11-22', '2026-11-22-2']],
    [
      'four of the last day, by number and not by text',
      ['2026-11-22', '2026-11-22-2', '2026-11-22-9', '2026-11-22-10', '2026-11-22-11'],
      ['2026-11-22-2', '2026-11-22-9', '2026-11-22-10', '2026-11-22-11'],
    ],
    [
      'seven days that have one, however far apart',
      ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01'],
      ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01', '2026-07-01'],
    ],
    ['no other folder', ['lost+found', '.partial-1', '2026-13-01', '2026-11-22-1'], []],
  ])('%s', (_name, names, kept) => {
    expect([...toKeep(names)].sort()).toEqual([...kept].sort())
  })

  test.each([
    ['the first', [], '2026-11-22'],
    ['the second', ['2026-11-22'], '2026-11-22-2'],
    ['above a number that became free', ['2026-11-22-2'], '2026-11-22-3'],
    ['after nine', ['2026-11-22-9'], '2026-11-22-10'],
    ['beside another day', ['2026-11-21-4'], '2026-11-22'],
  ])('the name of a new backup: %s', (_name, taken, name) => {
    expect(nextName(taken, '2026-11-22')).toBe(name)
    expect(isBackupName(name)).toBe(true)
  })
})

describe('the next backup is due', () => {
  const last = at('2026-11-21T02:00:00Z')
  const due = at('2026-11-22T02:00:00Z')
  test.each([
    ['before 03:00', due - 1, null, { run: false, missed: false, next: due }],
    ['at 03:00', due, null, { run: true, missed: false, next: due }],
    ['after a failure', due + 1, due, { run: false, missed: false, next: due + RETRY_AFTER }],
    [
      'an hour after a failure',
      due + RETRY_AFTER,
      due,
      { run: true, missed: false, next: due + RETRY_AFTER },
    ],
    ['26 hours after the last', last + MISSED_AFTER, null, { run: true, missed: true, next: due }],
    ['three days after the last', last + 72 * HOUR, null, { run: true, missed: true, next: due }],
  ])('%s', (_name, now, failedAt, expected) => {
    expect(dueAt({ now, last, failedAt, partialAt: null, timezone: ZONE })).toEqual(expected)
  })
  test('six hours after one without the edge’s part, and not earlier', () => {
    const [early, late] = [last + RETRY_EDGE_AFTER - 1, last + RETRY_EDGE_AFTER]
    const partial = { last, failedAt: null, partialAt: last, timezone: ZONE }
    expect(dueAt({ ...partial, now: early })).toEqual({ run: false, missed: false, next: late })
    expect(dueAt({ ...partial, now: late }).run).toBe(true)
  })

  test.each([
    ['Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T02:00:00.000Z'],
    ['Asia/Kolkata', '2026-11-22T12:00:00Z', '2026-11-22T21:30:00.000Z'],
    ['America/New_York', '2026-11-22T12:00:00Z', '2026-11-23T08:00:00.000Z'],
  ])('03:00 in %s after %s', (zone, after, expected) => {
    expect(new Date(nextScheduled(at(after), zone)).toISOString()).toBe(expected)
  })
})

describe('as the owner set it (S-04)', () => {
  const names = Array.from({ length: 40 }, (_, age) =>
    new Date(at('2026-11-22') - age * 24 * HOUR).toISOString().slice(0, 10),
  )

  test.each([
    [{ days: 1, weeks: 0 }, 1],
    [{ days: 14, weeks: 0 }, 14],
    [{ days: 7, weeks: 2 }, 9],
    [{ days: 366, weeks: 0 }, 40],
  ])('of days and weeks %j, %i stay', (kept, count) => {
    expect(toKeep(names, kept).size).toBe(count)
    expect(toKeep(names, kept).has('2026-11-22')).toBe(true)
  })

  test('it is made at that time of the day', () => {
    const last = at('2026-11-22T05:00:00Z')
    const situation = { last, failedAt: null, partialAt: null, timezone: ZONE, times: '15 23 * * *' }
    expect(dueAt({ ...situation, now: at('2026-11-22T22:14:00Z') }).run).toBe(false)
    expect(dueAt({ ...situation, now: at('2026-11-22T22:15:00Z') }).run).toBe(true)
    expect(new Date(nextScheduled(last, ZONE, '15 23 * * *')).toISOString()).toBe('2026-11-22T22:15:00.000Z')
  })
})
