/** Cron strings: the same times as `croner` gives them, over leap days and the ends of months; the plainest repetition; how often at most. */
import { Cron } from 'croner'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextTimes, passed, timesAYear } from '../../kernel/features/jobs/schedule.ts'
import { whenWords } from '../../kernel/features/jobs/shown.ts'
import { leastGap, parseCron } from '../../kernel/features/reminders/cron.ts'
import { repeatOfCron } from '../../kernel/features/reminders/cron-repeat.ts'
import { scheduleFault } from '../../kernel/template/job.ts'

const TODAY = '2026-11-20'
const START = Date.parse('2026-11-20T11:00:00Z')
const times = (cron: string, zone: string, after = START, count = 5) => {
  const repeat = repeatOfCron(cron, TODAY)
  return repeat === null
    ? null
    : nextTimes({ repeat, zone }, after, count).map((at) => new Date(at).toISOString())
}
const oracle = (cron: string, timezone: string, after = START, count = 5) =>
  new Cron(cron, { timezone, paused: true }).nextRuns(count, new Date(after)).map((at) => at.toISOString())

describe('the times of a cron string', () => {
  it.each([
    ['0 8 * * 1-5'],
    ['30 7 * * mon,wed,fri'],
    ['0 8,12,18 * * *'],
    ['*/15 * * * *'],
    ['*/20 9-17 * * 1-5'],
    ['0 0 1 * *'],
    ['0 10 31 * *'],
    ['0 10 29 2 *'],
    ['15 6 1,15 * *'],
    ['0 9 * jun-aug *'],
    ['0 9 13 * 5'],
    ['0 9 * * 7'],
    ['45 23 30 4,6,9,11 *'],
    ['0 9 1 1 *'],
  ])('%s: as croner gives them', (cron) => {
    for (const zone of ['UTC', 'Europe/Madrid', 'America/New_York'])
      expect(times(cron, zone)).toEqual(oracle(cron, zone))
  })

  it('any string: as croner gives them', () => {
    const list = (least: number, most: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 3 }).map(String),
        fc
          .tuple(fc.integer({ min: least, max: most }), fc.integer({ min: least, max: most }))
          .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
      )
    const field = fc.tuple(list(0, 59), list(0, 23), list(1, 28), list(1, 12), list(0, 6))
    fc.assert(
      fc.property(field, fc.integer({ min: 0, max: 3_000 }), (fields, day) => {
        const after = START + day * 86_400_000
        const cron = fields.join(' ')
        expect(times(cron, 'UTC', after, 3)).toEqual(oracle(cron, 'UTC', after, 3))
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['', null],
    ['0 8 * *', null],
    ['0 8 * * * *', null],
    ['60 8 * * *', null],
    ['0 24 * * *', null],
    ['0 8 0 * *', null],
    ['0 8 * 13 *', null],
    ['0 8 * * 8', null],
    ['0 8 5-1 * *', null],
    ['0 8 30 2 *', null],
    ['0 8 * * foo', null],
    ['*/0 8 * * *', null],
    ['@daily', null],
  ])('%s is none, or never comes', (text, none) => {
    expect(parseCron(text)).toBe(none)
  })

  it('one that comes once in years is not run for a time ahead after a long absence', () => {
    const repeat = repeatOfCron('0 10 29 2 *', TODAY)
    if (repeat === null) throw new Error('none')
    const due = Date.parse('2028-02-29T10:00:00Z')
    const found = passed({ repeat, zone: 'UTC', due, missed: 'once' }, due + 86_400_000)
    expect(found).toMatchObject({ scheduled: due, next: Date.parse('2032-02-29T10:00:00Z') })
  })
})

describe('in words', () => {
  it.each([
    ['0 8 * * 1-5', 'every weekday at 08:00'],
    ['0 8 * * *', 'every day at 08:00'],
    ['30 7 * * 1,4', 'every Monday and Thursday at 07:30'],
    ['0 10 * * fri', 'every Friday at 10:00'],
    ['0 8,14 * * *', 'every day at 08:00, 14:00'],
    ['0 */2 * * *', 'every day, every 2 hours from 00:00 to 22:00'],
    ['0 10 1 * *', 'every month on day 1 at 10:00'],
    ['0 10 31 * *', 'by the cron string "0 10 31 * *"'],
  ])('%s: %s', (cron, words) => {
    const repeat = repeatOfCron(cron, TODAY)
    expect(repeat === null ? null : whenWords(repeat)).toBe(words)
  })
})

describe('how often', () => {
  it.each([
    ['* * * * *', 1],
    ['*/10 * * * *', 10],
    ['*/15 * * * *', 15],
    ['0,5 8 * * *', 5],
    ['0 0,23 * * *', 60],
    ['55 23 * * *', 1_440],
    ['5,55 0,23 * * *', 10],
  ])('%s: %i minutes', (text, gap) => {
    const cron = parseCron(text)
    expect(cron === null ? null : leastGap(cron)).toBe(gap)
  })

  it.each([
    ['0 8 * * *', '0 8 * * 1-5'],
    ['0 8 * * 1-5', '0 8 * * 1,2'],
    ['0 8,9 * * *', '0 8 * * *'],
    ['0 8 31 * *', '0 8 31 1 *'],
    ['*/15 * * * *', '*/30 * * * *'],
  ])('%s is oftener than %s', (one, other) => {
    const [a, b] = [repeatOfCron(one, TODAY), repeatOfCron(other, TODAY)]
    expect(a !== null && b !== null && timesAYear(a) > timesAYear(b)).toBe(true)
  })
})

describe('in the file of a job', () => {
  const file = { title: 't', names: ['t'], request: 'r', tells: 't', missed: 'once', quiet: true } as const
  it.each([
    [{ cron: '0 8 * * 1-5' }, null],
    [{ repeat: 'daily', at: '08:00' } as const, null],
    [{ cron: '0 8 * * 1-5', at: '08:00' }, 'job.cron'],
    [{ cron: '*/5 * * * *' }, 'job.cron'],
    [{ cron: '*/15 * * * *', least: 60 }, 'job.cron'],
    [{ cron: '0 8 * * 9' }, 'job.cron'],
    [{ repeat: 'daily' } as const, 'job.at'],
    [{ at: '08:00' }, 'job.repeat'],
    [{ repeat: 'minutes', at: '08:00' } as const, 'job.every'],
  ])('%j: %s', (schedule, lax) => {
    expect(scheduleFault({ ...file, ...schedule })).toBe(lax)
  })
})
