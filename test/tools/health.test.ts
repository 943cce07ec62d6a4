/** The health tool: which measure and days a question means, and the numbers that it is answered with. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import type {
  DayValues,
  HealthMonth,
  HealthPort,
  KeptMonth,
  Workout,
} from '../../integrations/tools/health/health-port.ts'
import { measureNamed } from '../../integrations/tools/health/measures.ts'
import { periodNamed } from '../../integrations/tools/health/period.ts'
import { createHealthTool } from '../../integrations/tools/health/run.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { tokenFor } from './calls.ts'

/** A Friday. */
const TODAY = '2026-11-27'

describe('a period', () => {
  it.each([
    ['today', TODAY, TODAY],
    ['last night', TODAY, TODAY],
    ['yesterday', '2026-11-26', '2026-11-26'],
    ['gestern', '2026-11-26', '2026-11-26'],
    ['this week', '2026-11-23', TODAY],
    ['diese Woche', '2026-11-23', TODAY],
    ['last week', '2026-11-16', '2026-11-22'],
    ['this month', '2026-11-01', TODAY],
    ['last month', '2026-10-01', '2026-10-31'],
    ['in November', '2026-11-01', TODAY],
    ['in December', '2025-12-01', '2025-12-31'],
    ['im März', '2026-03-01', '2026-03-31'],
    ['in February 2024', '2024-02-01', '2024-02-29'],
    ['since October', '2026-10-01', TODAY],
    ['seit Oktober', '2026-10-01', TODAY],
    ['since last week', '2026-11-16', TODAY],
    ['on Monday', '2026-11-23', '2026-11-23'],
    ['last Friday', '2026-11-20', '2026-11-20'],
    ['on Friday', TODAY, TODAY],
    ['over the last two weeks', '2026-11-14', TODAY],
    ['in den letzten 3 Tagen', '2026-11-25', TODAY],
    ['on 5 November', '2026-11-05', '2026-11-05'],
    ['on December 24th', '2025-12-24', '2025-12-24'],
    ['2026-11-01 to 2026-11-07', '2026-11-01', '2026-11-07'],
  ])('%s is %s to %s', (typed, from, to) => {
    expect(periodNamed(typed, TODAY)).toEqual({ from, to })
  })

  it.each(['tomorrow', 'next week', 'on 31 February', '2026-13-01', 'whenever', '', 'in 3026', '2030-01-01'])(
    '"%s" names no days that were',
    (typed) => {
      expect(periodNamed(typed, TODAY)).toBeNull()
    },
  )
})

it.each([
  ['Resting heart rate', 'resting_heart_rate'],
  ['blood_pressure', 'systolic'],
  ['heart_rate', 'heart_rate'],
  ['Ruhepuls', 'resting_heart_rate'],
  ['constructor', null],
  ['mood', null],
])('"%s" is the measure %s', (typed, measure) => {
  expect(measureNamed(typed)).toBe(measure)
})

describe('a question', () => {
  const extractor = createMessageExtractor()
  const matter = (text: string): unknown => {
    const fields = extractor.extract(text, { now: Date.parse('2026-11-27T10:00:00Z'), timezone: 'UTC' })
    return (fields as { readonly matter?: string }).matter
  }

  it.each([
    'how did I sleep last night?',
    'How many steps did I do yesterday?',
    'how many steps did I do this week',
    "what's my resting heart rate?",
    'how has my weight changed since October?',
    'did I work out this week?',
    'how much did I walk in November?',
    'show me my health data for last week',
    'is my sleep getting better?',
    'wie habe ich letzte Nacht geschlafen?',
    'wie viele Schritte habe ich gestern gemacht?',
    'wie hoch ist mein Ruhepuls?',
    'wie hat sich mein Gewicht seit Oktober verändert?',
    'why do I sleep so badly after a long run?',
  ])('"%s" is about health', (text) => {
    expect(matter(text)).toBe('health')
  })

  it.each([
    'remind me to sleep at ten',
    'find my mail about my weight loss programme',
    'what is on my calendar this week?',
    'book sleep study on Friday at 10',
    'remember that my weight was 80 kg',
    'how many steps are in this recipe?',
    'find my file about the heart rate monitor',
    'hello',
  ])('"%s" is not', (text) => {
    expect(matter(text)).toBeUndefined()
  })
})

const WORKOUT: Workout = {
  day: '2026-11-24',
  at: '18:00',
  activity: 'running',
  minutes: 31,
  km: 5.02,
  kcal: 300,
}

function daysOf(
  values: Readonly<Record<string, HealthMonth['days'][string]>>,
  workouts: readonly Workout[] = [],
) {
  const months = [
    ...new Set([...Object.keys(values), ...workouts.map(({ day }) => day)].map((day) => day.slice(0, 7))),
  ]
  return months.sort().map((month) => ({
    month,
    days: Object.fromEntries(Object.entries(values).filter(([day]) => day.startsWith(month))),
    workouts: workouts.filter(({ day }) => day.startsWith(month)),
  }))
}

function portOf(months: readonly (HealthMonth & Partial<KeptMonth>)[], through = TODAY): HealthPort {
  return {
    today: () => TODAY,
    through: async () => (months.length === 0 ? err('health_none') : ok(through)),
    read: async (from, to) =>
      ok(
        months.map((one) => ({
          source: 'apple',
          ...one,
          days: Object.fromEntries(Object.entries(one.days).filter(([day]) => day >= from && day <= to)),
          workouts: one.workouts.filter(({ day }) => day >= from && day <= to),
        })),
      ),
  }
}

async function ask(health: HealthPort | undefined, action: string, args: Record<string, string> = {}) {
  const tool = createHealthTool(health === undefined ? {} : { health })
  const http = { request: () => Promise.reject(new Error('asked')) }
  const done = await tool.execute({ action, args, credential: null, http, capability: tokenFor(action) })
  return done.ok ? done.output : done.reason.code
}

describe('an answer', () => {
  const WEEK = daysOf({
    '2026-11-24': { steps: { value: 4_000 }, resting_heart_rate: { value: 60 } },
    '2026-11-25': { steps: { value: 6_000 }, resting_heart_rate: { value: 58 } },
    '2026-11-27': {
      ...{ steps: { value: 1_000 }, sleep: { value: 425 }, deep_sleep: { value: 60 } },
      ...{ rem_sleep: { value: 90 }, light_sleep: { value: 275 } },
    },
  })

  it('has a night by hours and stages', async () => {
    expect(await ask(portOf(WEEK), 'health.measure', { of: 'sleep', period: 'last night' })).toEqual({
      ...{ from: TODAY, to: TODAY, measure: 'sleep', unit: 'minutes', on: TODAY },
      ...{ told: true, value: 425, deep: 60, rem: 90, light: 275, counted: 1, asked: 1 },
    })
  })

  it('has the total of a week, a day of it, and how many days it is made of', async () => {
    expect(await ask(portOf(WEEK), 'health.measure', { of: 'steps', period: 'this week' })).toMatchObject({
      ...{ value: 11_000, total: true, each: 3_667, counted: 3, asked: 5, partly: true },
    })
  })

  it('has mean, bounds and the last value of what is measured, over a month where nobody said when', async () => {
    expect(await ask(portOf(WEEK), 'health.measure', { of: 'resting heart rate' })).toMatchObject({
      ...{ value: 59, average: true, low: 58, high: 60, latest: 58, latest_day: '2026-11-25', counted: 2 },
    })
  })

  it('says up to which day there is data, where that is not the end', async () => {
    const stale = portOf(WEEK, '2026-11-20')
    expect(await ask(stale, 'health.measure', { of: 'weight' })).toMatchObject({
      ...{ ends: '2026-11-20', empty: true, counted: 0 },
    })
  })

  it('compares first and last of what is weighed, and weeks of what differs from day to day', async () => {
    const weighed = portOf(
      daysOf({ '2026-10-03': { weight: { value: 82 } }, '2026-11-20': { weight: { value: 79.5 } } }),
    )
    const args = { of: 'weight', period: 'since October' }
    expect(await ask(weighed, 'health.change', args)).toMatchObject({
      ...{ first: 82, first_day: '2026-10-03', last: 79.5, last_day: '2026-11-20', down: 2.5, weekly: false },
    })
    const slept = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `2026-11-${String(at + 1).padStart(2, '0')}`,
        { sleep: { value: at < 10 ? 400 : 430 } },
      ]),
    )
    expect(
      await ask(portOf(daysOf(slept)), 'health.change', { of: 'sleep', period: 'in November' }),
    ).toMatchObject({
      ...{ first: 400, last: 430, up: 30, weekly: true },
    })
    expect(await ask(weighed, 'health.change', { of: 'steps' })).toMatchObject({ empty: true })
  })

  it('sets the last week against the four before, of days that are over', async () => {
    const days = Object.fromEntries(
      Array.from({ length: 36 }, (_, at) => [
        new Date(Date.parse(TODAY) - at * 86_400_000).toISOString().slice(0, 10),
        { steps: { value: at === 0 ? 90_000 : at <= 7 ? 6_000 : 5_000 } },
      ]),
    )
    expect(await ask(portOf(daysOf(days)), 'health.trend', { of: 'steps' })).toMatchObject({
      ...{ recent: 6_000, before: 5_000, up: 1_000, percent: 20, counted: 7, counted_before: 28 },
    })
  })

  it('lists workouts, newest first, and what a day had', async () => {
    const port = portOf(
      daysOf({ '2026-11-24': { steps: { value: 4_000 } } }, [WORKOUT, { ...WORKOUT, day: '2026-11-25' }]),
    )
    expect(await ask(port, 'health.workouts', { period: 'this week' })).toMatchObject({
      workouts: [
        { day: '2026-11-25', activity: 'running', minutes: 31, km: 5, kcal: 300 },
        { day: '2026-11-24' },
      ],
      total: 2,
    })
    expect(await ask(port, 'health.summary', { period: '2026-11-24' })).toMatchObject({
      rows: [{ measure: 'steps', value: 4_000, counted: 1 }],
      workouts: 1,
    })
  })

  it.each([
    ['health.measure', { of: 'mood' }, 'tool_arguments_invalid'],
    ['health.measure', { of: 'steps', period: 'tomorrow' }, 'tool_arguments_invalid'],
    ['health.workouts', { period: 'whenever' }, 'tool_arguments_invalid'],
  ])('%s of %o is refused: %s', async (action, args, code) => {
    expect(await ask(portOf(WEEK), action, args)).toBe(code)
  })

  it('is refused where nothing was imported', async () => {
    expect(await ask(portOf([]), 'health.summary')).toBe('health_none')
    expect(await ask(undefined, 'health.summary')).toBe('health_none')
  })
})

describe('of two sources', () => {
  const dated = (days: Readonly<Record<string, DayValues>>, source: KeptMonth['source']) =>
    daysOf(days).map((one) => ({ ...one, source }))
  const steps = (value: number): DayValues => ({ steps: { value } })
  const BOTH = portOf([
    ...dated({ '2026-11-23': steps(1_000), '2026-11-24': steps(2_000), '2026-11-25': steps(3_000) }, 'apple'),
    ...dated({ '2026-11-25': steps(9_000), '2026-11-26': steps(4_000) }, 'oura'),
  ])

  it('no day counts twice, and it is said whose the days are', async () => {
    expect(await ask(BOTH, 'health.measure', { of: 'steps', period: 'this week' })).toMatchObject({
      ...{ value: 10_000, counted: 4, asked: 5, by: 'apple', also: 'oura', also_counted: 1 },
    })
    expect(await ask(BOTH, 'health.summary', { period: 'this week' })).toMatchObject({
      rows: [{ measure: 'steps', value: 10_000, by: 'apple', also: 'oura', also_counted: 1 }],
    })
  })

  it('the one that measured more days counts, and nothing is said of one that gave nothing', async () => {
    const output = await ask(BOTH, 'health.measure', { of: 'steps', period: '2026-11-25 to 2026-11-26' })
    expect(output).toMatchObject({ value: 13_000, by: 'oura' })
    expect(output).not.toHaveProperty('also')
  })

  it.each([
    ['resting heart rate', 'resting_heart_rate'],
    ['hrv', 'heart_rate_variability'],
  ] as const)('the %s of one is not mixed with that of the other', async (of, measure) => {
    const port = portOf([
      ...dated(
        { '2026-11-23': { [measure]: { value: 60 } }, '2026-11-24': { [measure]: { value: 60 } } },
        'oura',
      ),
      ...dated({ '2026-11-26': { [measure]: { value: 90 } } }, 'apple'),
    ])
    const output = await ask(port, 'health.measure', { of, period: 'this week' })
    expect(output).toMatchObject({ value: 60, counted: 2, by: 'oura' })
    expect(output).not.toHaveProperty('also')
  })

  it('the stages of a night are of the one whose night it is', async () => {
    const port = portOf([
      ...dated({ [TODAY]: { sleep: { value: 400 }, deep_sleep: { value: 50 } } }, 'apple'),
      ...dated(
        { [TODAY]: { sleep: { value: 420 }, deep_sleep: { value: 70 }, rem_sleep: { value: 99 } } },
        'oura',
      ),
    ])
    const output = await ask(port, 'health.measure', { of: 'sleep', period: 'last night' })
    expect(output).toMatchObject({ value: 400, deep: 50, by: 'apple' })
    expect(output).not.toHaveProperty('rem')
  })

  it('changes and trends say whose they are', async () => {
    const days = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        new Date(Date.parse(TODAY) - at * 86_400_000).toISOString().slice(0, 10),
        steps(5_000),
      ]),
    )
    const port = portOf(dated(days, 'oura'))
    for (const action of ['health.change', 'health.trend'])
      expect(await ask(port, action, { of: 'steps' })).toMatchObject({ same: true, by: 'oura' })
  })
})
