/** When jobs run (G-03, G-04): over both changes of the clocks, leap days and the 31st; what was missed; and the digest of what was approved. */
import { describe, expect, it } from 'vitest'
import { isSamePlan, jobDigest } from '../../kernel/features/jobs/frozen.ts'
import type { Job } from '../../kernel/features/jobs/port.ts'
import { atTime, dayOf, nextKept, nextTimes, passed } from '../../kernel/features/jobs/schedule.ts'
import type { RepeatKind } from '../../kernel/features/reminders/repeat.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'

const job = (first: string, kind: RepeatKind = 'daily', zone = 'Europe/Madrid', every = 1) => ({
  ...{ repeat: { kind, every, first }, zone, missed: 'once' as const, due: null as number | null },
})
const iso = (times: readonly number[]) => times.map((at) => new Date(at).toISOString().slice(0, 16))
const at = (text: string) => Date.parse(`${text}Z`)

describe('the next times', () => {
  it.each([
    // Spring: 02:30 does not exist on the 28th, and moves on by the gap.
    [
      '2027-03-27T00:00',
      job('2027-01-01 02:30'),
      ['2027-03-27T01:30', '2027-03-28T01:30', '2027-03-29T00:30'],
    ],
    // Autumn: 02:30 comes twice on the 31st, and counts once.
    [
      '2027-10-30T00:00',
      job('2027-01-01 02:30'),
      ['2027-10-30T00:30', '2027-10-31T00:30', '2027-11-01T01:30'],
    ],
    [
      '2027-03-27T00:00',
      job('2027-01-01 08:00'),
      ['2027-03-27T07:00', '2027-03-28T06:00', '2027-03-29T06:00'],
    ],
    [
      '2027-03-13T00:00',
      job('2027-01-01 08:00', 'daily', 'America/New_York'),
      ['2027-03-13T13:00', '2027-03-14T12:00'],
    ],
    // A job in UTC keeps UTC.
    ['2027-03-27T08:00', job('2027-01-01 07:30', 'daily', 'UTC'), ['2027-03-28T07:30', '2027-03-29T07:30']],
    ['2026-11-27T12:00', job('2026-11-20 08:00', 'weekdays'), ['2026-11-30T07:00', '2026-12-01T07:00']],
    [
      '2026-11-20T12:00',
      job('2026-11-20 10:00', 'weekly', 'Europe/Madrid', 2),
      ['2026-12-04T09:00', '2026-12-18T09:00'],
    ],
    // The last Friday of a month, over the change of the clocks.
    [
      '2027-02-27T00:00',
      job('2026-11-27 09:00', 'last_weekday'),
      ['2027-03-26T08:00', '2027-04-30T07:00', '2027-05-28T07:00'],
    ],
    // Mondays and Thursdays.
    [
      '2026-11-27T12:00',
      job('2026-11-20 08:00', 'on_days', 'Europe/Madrid', 9),
      ['2026-11-30T07:00', '2026-12-03T07:00', '2026-12-07T07:00'],
    ],
    [
      '2027-01-30T00:00',
      job('2026-12-31 10:00', 'monthly', 'UTC'),
      ['2027-01-31T10:00', '2027-02-28T10:00', '2027-03-31T10:00'],
    ],
    ['2028-02-01T00:00', job('2026-12-29 10:00', 'monthly', 'UTC'), ['2028-02-29T10:00', '2028-03-29T10:00']],
  ])('after %s', (after, of, times) => {
    expect(iso(nextTimes(of, at(after), times.length))).toEqual(times)
  })
})

describe('times that have passed', () => {
  const due = at('2026-11-23T07:00')
  const HOUR = 3_600_000
  it.each([
    ['not yet', 'once', due - 1, null],
    ['on time', 'once', due, { missed: 0, runs: true, late: false, scheduled: due }],
    ['within two minutes', 'skip', due + 120_000, { missed: 0, runs: true, late: false, scheduled: due }],
    ['after a restart', 'skip', due + 600_000, { missed: 0, runs: true, late: true, scheduled: due }],
    ['hours later', 'once', due + 3 * HOUR, { missed: 0, runs: true, late: true, scheduled: due }],
    ['hours later', 'skip', due + 3 * HOUR, { missed: 0, runs: false, late: true, scheduled: due }],
    [
      'days later',
      'once',
      due + 73 * HOUR,
      { missed: 3, runs: true, late: true, scheduled: due + 72 * HOUR },
    ],
    [
      'days later',
      'skip',
      due + 75 * HOUR,
      { missed: 3, runs: false, late: true, scheduled: due + 72 * HOUR },
    ],
    // The clock jumped by eight years.
    ['years later', 'once', due + 70_000 * HOUR, { missed: 20, runs: true, late: true }],
  ] as const)('%s, %s', (_, missed, now, expected) => {
    const found = passed({ ...job('2026-11-20 08:00'), due, missed }, now)
    expect(found === null ? null : { ...found, missed: found.missed.length }).toEqual(
      expected === null ? null : expect.objectContaining(expected),
    )
    if (found !== null) expect(found.next).toBeGreaterThan(now)
  })

  it('a time that is left out is not the next one', () => {
    const of = { ...job('2026-11-20 08:00'), due, skips: dayOf(due, 'Europe/Madrid') }
    expect(nextKept(of)).toBe(due + 24 * HOUR)
    expect(nextKept({ ...of, skips: null })).toBe(due)
  })

  it('another time of day keeps the days', () => {
    expect(atTime(job('2026-11-20 08:00', 'weekly').repeat, 450).first).toBe('2026-11-20 07:30')
  })
})

describe('the digest', () => {
  const step = { id: 's1', do: 'tool', tool: 'task.list', args: {} } as const
  const words: Job['words'] = {
    id: 'w',
    version: 1,
    holds: { what: 'text' },
    label: labelOf([]),
    taint: CLEAN,
  }
  const bound = {
    ...{ template: 'job_own_words', sink: 'sink:terminal:owner', words, quiet: true },
    missed: 'once' as Job['missed'],
    watch: null as Job['watch'],
    budget: { messages: 24, since: 0 } as Job['budget'],
    page: null as Job['page'],
    frozen: { plan: { steps: [step], explanation: '' }, planner: 'canned' } as Job['frozen'],
  }

  it.each([
    [
      'plan',
      { frozen: { ...bound.frozen, plan: { steps: [{ ...step, tool: 'email.list' }], explanation: '' } } },
    ],
    ['planner', { frozen: { ...bound.frozen, planner: 'rules' } }],
    ['sink', { sink: 'sink:telegram:private' }],
    ['template', { template: 'job_morning_briefing' }],
    ['words', { words: { ...words, id: 'other' } }],
    ['missed', { missed: 'skip' }],
    ['quiet', { quiet: false }],
    ['budget', { budget: { messages: 96, since: 0 } }],
    ['page', { page: { tool: 'notion.append', at: words } }],
    ['condition', { watch: { kind: 'unless', since: 1 } }],
  ] as readonly (readonly [string, Partial<Job>])[])('is another for another %s', (_, change) => {
    expect(jobDigest({ ...bound, ...change })).not.toBe(jobDigest(bound))
  })

  it('a plan is the same by its steps, not by its explanation', () => {
    const { plan } = bound.frozen
    expect(isSamePlan(plan, { ...plan, explanation: 'else' })).toBe(true)
    expect(isSamePlan(plan, { ...plan, steps: [] })).toBe(false)
  })
})
