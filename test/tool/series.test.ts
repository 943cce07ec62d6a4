/** Repetitions as typed arguments: which days they are, what a shorter month and a leap year do, and what is no repetition. */
import { describe, expect, it } from 'vitest'
import { ruleOf } from '../../integrations/tools/calendar/rule.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { firstDays, MOST_TIMES, type Series, seriesIn, spanOn } from '../../kernel/tool/series.ts'

const BERLIN = 'Europe/Berlin'
/** A Tuesday. */
const TUESDAY = { from: '2026-12-01T07:00+01:00', to: '2026-12-01T08:00+01:00' }
const day = (from: string) => ({
  from,
  to: new Date(Date.parse(from) + 86_400_000).toISOString().slice(0, 10),
})

function seriesOf(args: { readonly [key: string]: Json }): Series {
  const read = seriesIn(args, BERLIN)
  if (!read.ok || read.value === null) throw new Error(JSON.stringify(read))
  return read.value
}

const daysOf = (args: { readonly [key: string]: Json }, most: number): readonly string[] =>
  firstDays(seriesOf(args), most).map((one) => new Date(one * 86_400_000).toISOString().slice(0, 10))

describe('the days of a series', () => {
  it.each([
    ['every Tuesday', { ...TUESDAY, repeat: 'weekly' }, 'FREQ=WEEKLY;BYDAY=TU', '12-01 12-08 12-15'],
    [
      'every other Tuesday until a day between two of them',
      { ...TUESDAY, repeat: 'weekly', every: 2, until: '2027-01-20' },
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=4',
      '12-01 12-15 12-29 01-12',
    ],
    [
      'Tuesday and Thursday of every other week',
      { ...TUESDAY, repeat: 'weekly', every: 2, days: ['thursday', 'tuesday'] },
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH',
      '12-01 12-03 12-15 12-17',
    ],
    [
      'every weekday until a Saturday',
      { ...TUESDAY, repeat: 'weekdays', until: '2026-12-05' },
      'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;COUNT=4',
      '12-01 12-02 12-03 12-04',
    ],
    [
      'every third day until the 8th, that day included',
      { ...TUESDAY, repeat: 'daily', every: 3, until: '2026-12-08' },
      'FREQ=DAILY;INTERVAL=3;COUNT=3',
      '12-01 12-04 12-07',
    ],
    [
      'the first of each month',
      { ...TUESDAY, repeat: 'monthly' },
      'FREQ=MONTHLY;BYMONTHDAY=1',
      '12-01 01-01 02-01',
    ],
    [
      'the 31st, which a shorter month has on its last day',
      { ...day('2026-12-31'), repeat: 'monthly' },
      'FREQ=MONTHLY;BYMONTHDAY=-1',
      '12-31 01-31 02-28 03-31 04-30',
    ],
    [
      'the 30th, which February has on its last day',
      { ...day('2026-11-30'), repeat: 'monthly' },
      'FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1',
      '11-30 12-30 01-30 02-28 03-30',
    ],
    [
      'the fifth Tuesday, which not every month has',
      { ...day('2026-12-29'), repeat: 'monthly_weekday' },
      'FREQ=MONTHLY;BYDAY=5TU',
      '12-29 03-30 06-29',
    ],
    [
      'the second Tuesday of a month',
      { ...day('2026-12-08'), repeat: 'monthly_weekday' },
      'FREQ=MONTHLY;BYDAY=2TU',
      '12-08 01-12 02-09',
    ],
    [
      'a birthday',
      { ...day('2027-05-03'), repeat: 'yearly' },
      'FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3',
      '05-03 05-03',
    ],
    [
      'a leap day, which other years have on 28 February',
      { ...day('2028-02-29'), repeat: 'yearly' },
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1',
      '02-29 02-28 02-28 02-28 02-29',
    ],
  ])('%s', (_, args, rule, days) => {
    const wanted = days.split(' ')
    expect(daysOf(args, wanted.length).map((one) => one.slice(5))).toEqual(wanted)
    expect(ruleOf(seriesOf(args))).toBe(rule)
  })

  it.each([
    ['2026-10-20T07:00+02:00', ['05:00', '06:00'], 'back'],
    ['2027-03-23T07:00+01:00', ['06:00', '05:00'], 'forward'],
  ])('keep the time on the clock where the clocks go: from %s', (from, utc) => {
    const to = new Date(Date.parse(from) + 3_600_000).toISOString()
    const series = seriesOf({ from, to, repeat: 'weekly' })
    const starts = firstDays(series, 2).map((one) =>
      new Date(spanOn(series, one, BERLIN).start).toISOString(),
    )
    expect(starts.map((one) => one.slice(11, 16))).toEqual(utc)
  })
})

describe('no series', () => {
  it.each([
    ['10,000 times', { repeat: 'daily', until: '2054-04-17' }, 'until'],
    ['more days than a calendar takes', { repeat: 'daily', until: '2029-01-01' }, 'many'],
    ['every 0 weeks', { repeat: 'weekly', every: 0 }, 'every'],
    ['every half week', { repeat: 'weekly', every: 0.5 }, 'every'],
    ['every 60 weeks', { repeat: 'weekly', every: 60 }, 'every'],
    ['every other weekday', { repeat: 'weekdays', every: 2 }, 'every'],
    ['a first time on none of its days', { repeat: 'weekly', days: ['monday'] }, 'from'],
    ['a Saturday of the weekdays', { ...day('2026-12-05'), repeat: 'weekdays' }, 'from'],
    ['an end before it begins', { repeat: 'weekly', until: '2026-11-30' }, 'until'],
    ['an end in another century', { repeat: 'yearly', until: '2126-12-01' }, 'until'],
    ['no days at all', { repeat: 'weekly', days: [] }, 'days'],
    ['days of a month', { repeat: 'monthly', days: ['tuesday'] }, 'days'],
    ['an end of what does not repeat', { until: '2026-12-24' }, 'repeat'],
    ['every other of what does not repeat', { every: 2 }, 'repeat'],
  ])('%s', (_, args, rule) => {
    expect(seriesIn({ ...TUESDAY, ...args }, BERLIN)).toEqual({
      ok: false,
      reason: { code: 'series_unfit', facts: { rule } },
    })
  })

  it('without any of its arguments', () =>
    expect(seriesIn(TUESDAY, BERLIN)).toEqual({ ok: true, value: null }))

  it('has as many times as it may', () => {
    // 1 December, and 399 days more.
    const most = { ...TUESDAY, repeat: 'daily', until: '2028-01-04' }
    expect(ruleOf(seriesOf(most))).toBe(`FREQ=DAILY;COUNT=${MOST_TIMES}`)
    expect(seriesIn({ ...most, until: '2028-01-05' }, BERLIN).ok).toBe(false)
  })
})
