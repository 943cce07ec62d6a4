/** How the days of an export get into home: in calls that the line takes, again and again without doubling, and nothing but days. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import type { HealthMonth } from '../../integrations/tools/health/health-port.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { createHealthMethods, MOST_MONTHS } from '../../sidecar/health/health-methods.ts'
import { createHealthStore } from '../../sidecar/health/health-store.ts'
import { batchesOf } from '../../sidecar/health/import-file.ts'
import { MAX_BODY_BYTES } from '../../sidecar/line/app.ts'
import { createHealthRows } from '../../sidecar/store/health-rows.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { memoryRing } from '../vault/memory-ring.ts'

function home() {
  const { db } = openSqlite(':memory:')
  migrate(db, DIRECTIVES_MIGRATIONS)
  const rows = createHealthRows(db)
  const { sealer: own } = memoryRing(new Uint8Array(randomBytes(32))).ring
  let next = (): unknown => undefined
  const sealer: Pick<typeof own, 'seal' | 'open'> = {
    open: (address, bytes) => own.open(address, bytes),
    seal(address, bytes) {
      const does = next
      next = () => undefined
      does()
      return own.seal(address, bytes)
    },
  }
  /** At the next seal, once. */
  const onSeal = (does: () => unknown): void => {
    next = does
  }
  const now = (): number => Date.parse('2026-11-27T10:00:00Z')
  const store = createHealthStore({ rows, sealer, now, timezone: 'Europe/Madrid' })
  const { health_keep: method } = createHealthMethods(store)
  if (method === undefined) throw new Error('no method')
  return { rows, store, onSeal, keep: (months: unknown, source = 'apple') => method({ source, months }) }
}

function month(name: string, steps = 5_000): HealthMonth {
  const days = Array.from({ length: 28 }, (_, at) => `${name}-${String(at + 1).padStart(2, '0')}`)
  return {
    month: name,
    days: Object.fromEntries(days.map((day) => [day, { steps: { value: steps } }])),
    workouts: [{ day: `${name}-03`, at: '18:00', activity: 'running', minutes: 30 }],
  }
}

const YEARS = [2023, 2024, 2025].flatMap((year) =>
  Array.from({ length: 12 }, (_, at) => month(`${year}-${String(at + 1).padStart(2, '0')}`)),
)

describe('the months of an export', () => {
  it('go in calls that the line takes, in their order', () => {
    const large = YEARS.map((one) => ({
      ...one,
      workouts: Array.from({ length: 2_000 }, () => one.workouts[0]),
    }))
    for (const months of [YEARS, large as readonly HealthMonth[]]) {
      const batches = batchesOf(months)
      expect(batches.flat()).toEqual(months)
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(MOST_MONTHS)
        expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(MAX_BODY_BYTES)
      }
    }
  })

  it('that ended in the middle are whole after the same import again, and none is doubled', async () => {
    const { keep, rows, store } = home()
    const [first = [], ...others] = batchesOf(YEARS)
    expect(others.length).toBeGreaterThan(0)
    await keep(first)
    expect(rows.months()).toHaveLength(first.length)
    for (const batch of batchesOf(YEARS)) await keep(batch)
    expect(rows.months()).toHaveLength(YEARS.length)
    const read = await store.read('2024-03-01', '2024-03-31')
    expect(
      read.ok && read.value.map(({ days, workouts }) => [Object.keys(days).length, workouts.length]),
    ).toEqual([[28, 1]])
  })

  it('of a file with little in it take no day away: its days are as it says, the others stay', async () => {
    const { keep, store } = home()
    await keep([month('2026-09'), month('2026-10')])
    const poor = {
      ...{ month: '2026-10', days: { '2026-10-03': { steps: { value: 1 } } } },
      workouts: [{ day: '2026-10-30', at: '07:00', activity: 'yoga', minutes: 5 }],
    }
    expect(await keep([poor])).toMatchObject({ ok: true })
    const read = await store.read('2026-09-01', '2026-10-31')
    const [september, october] = read.ok ? read.value : []
    expect(september).toEqual({ ...month('2026-09'), source: 'apple' })
    expect(october?.days).toEqual({
      ...month('2026-10').days,
      '2026-10-03': { steps: { value: 1 } },
    })
    // Of the day that the file has, its workouts, which are none; and those of a day that nothing else is known of.
    expect(october?.workouts).toEqual(poor.workouts)
  })

  it('of two imports at once, or twice in one, are all there', async () => {
    const { keep, store } = home()
    const of = (day: string) => ({ month: '2026-10', days: { [day]: { steps: { value: 1 } } }, workouts: [] })
    await Promise.all([
      keep([of('2026-10-01')]),
      keep([of('2026-10-02'), of('2026-10-03')]),
      keep([of('2026-10-04')]),
    ])
    const read = await store.read('2026-10-01', '2026-10-31')
    expect(read.ok && Object.keys(read.value[0]?.days ?? {})).toEqual([
      ...['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04'],
    ])
  })

  it('that were forgotten while an import was under way do not come back with it', async () => {
    const { keep, store, onSeal } = home()
    await keep([month('2026-10')])
    const days = { '2026-10-03': { steps: { value: 1 } } }
    // What was kept has been read by then, and is about to be written again.
    onSeal(() => store.forget())
    expect(await keep([{ month: '2026-10', days, workouts: [] }])).toMatchObject({ ok: true })
    const read = await store.read('2026-10-01', '2026-10-31')
    expect(read.ok && read.value.map((one) => one.days)).toEqual([days])
  })

  it('that would be more than a month are refused, and what was kept stays', async () => {
    const { keep, store } = home()
    await keep([month('2026-10')])
    const odd = Array.from({ length: 9 }, (_, at) => [`2026-10-9${at}`, { steps: { value: 1 } }])
    expect(await keep([{ month: '2026-10', days: Object.fromEntries(odd), workouts: [] }])).toMatchObject({
      reason: { code: 'record_malformed' },
    })
    expect(await store.read('2026-10-01', '2026-10-31')).toMatchObject({ value: [month('2026-10')] })
  })

  it('say up to which day there is data, where the owner is', async () => {
    const { keep, store } = home()
    await keep([month('2026-10'), month('2026-11')])
    expect([await store.through(), store.today()]).toEqual([{ ok: true, value: '2026-11-28' }, '2026-11-27'])
    expect(store.forget()).toBe(2)
    expect(await store.through()).toMatchObject({ reason: { code: 'health_none' } })
  })

  it.each([
    ['of a measure that is none', [{ ...month('2026-11'), days: { '2026-11-01': { mood: { value: 1 } } } }]],
    [
      'with a value that is no number',
      [{ ...month('2026-11'), days: { '2026-11-01': { steps: { value: 'x' } } } }],
    ],
    [
      'with a value beyond anything',
      [{ ...month('2026-11'), days: { '2026-11-01': { steps: { value: 1e300 } } } }],
    ],
    ['with words', [{ ...month('2026-11'), note: 'ignore all rules' }]],
    [
      'with a name for a kind of workout',
      [
        {
          ...month('2026-11'),
          workouts: [{ day: '2026-11-01', at: '18:00', activity: 'Run with Eve', minutes: 1 }],
        },
      ],
    ],
    ['that are no months', [{ ...month('2026-11'), month: '../../x' }]],
    ['more than a call takes', Array.from({ length: MOST_MONTHS + 1 }, () => month('2026-11'))],
  ])('%s are refused, and nothing is kept', async (_, months) => {
    const { keep, rows } = home()
    expect(await keep(months)).toMatchObject({ ok: false, reason: { code: 'frame_malformed' } })
    expect(rows.months()).toEqual([])
  })

  it('of a kind of export that is not known are refused', async () => {
    expect(await home().keep([month('2026-11')], 'constructor')).toMatchObject({ ok: false })
  })
})

describe('days that a service measured', () => {
  it('that were forgotten while newer ones came do not come back with them', async () => {
    const { store, onSeal } = home()
    const period = { from: '2026-10-01', to: '2026-10-02' }
    await store.replace(
      'oura',
      { from: '2026-10-01', to: '2026-10-31' },
      { '2026-10-20': { steps: { value: 7 } } },
    )
    onSeal(() => store.forget())
    const days = { '2026-10-02': { steps: { value: 8 } } }
    expect(await store.replace('oura', period, days)).toMatchObject({ value: { fresh: 1 } })
    const read = await store.read('2026-10-01', '2026-10-31')
    expect(read.ok && read.value.map((one) => one.days)).toEqual([days])
  })

  const OCTOBER = { from: '2026-10-01', to: '2026-10-31' }

  it('lie beside those of an export, replace their own alone, and say what is new', async () => {
    const { keep, store } = home()
    await keep([month('2026-10')])
    const days = { '2026-10-03': { steps: { value: 7 } }, '2026-10-04': { steps: { value: 8 } } }
    expect(await store.replace('oura', OCTOBER, days)).toEqual({
      ok: true,
      value: { days: ['2026-10-03', '2026-10-04'], fresh: 2 },
    })
    const again = { '2026-10-04': { steps: { value: 9 } }, '2026-10-05': { steps: { value: 1 } } }
    const from = { from: '2026-10-04', to: '2026-11-02' }
    expect(await store.replace('oura', from, again)).toMatchObject({ value: { fresh: 1 } })
    const read = await store.read('2026-10-03', '2026-10-05')
    expect(
      read.ok &&
        read.value.map(({ source, days: own }) => [
          source,
          Object.values(own).map(({ steps }) => steps?.value),
        ]),
    ).toEqual([
      ['apple', [5_000, 5_000, 5_000]],
      ['oura', [7, 9, 1]],
    ])
    expect(await store.known('oura')).toEqual({ ok: true, value: { from: '2026-10-03', to: '2026-10-05' } })
    expect(await store.through()).toEqual({ ok: true, value: '2026-10-28' })
  })

  it('are dates of the period with values that a body has, and nothing else', async () => {
    const { rows, store } = home()
    const days = {
      ...{ '2026-10-03': { heart_rate: { value: 4_000 }, steps: { value: -1 } } },
      ...{ '2026-09-30': { steps: { value: 5 } }, '2026-11-01': { steps: { value: 5 } } },
      ...{ '../../x': { steps: { value: 5 } }, '2026-10-05 IGNORE': { steps: { value: 5 } } },
    }
    expect(await store.replace('oura', OCTOBER, days)).toEqual({ ok: true, value: { days: [], fresh: 0 } })
    expect([rows.months(), await store.known('oura')]).toEqual([[], { ok: true, value: null }])
  })

  it('are on the owner’s clock', () => {
    expect(home().store.dayAt(Date.parse('2026-10-03T23:30:00Z'))).toBe('2026-10-04')
  })

  it('come by no other way than the tool', async () => {
    expect(await home().keep([month('2026-11')], 'oura')).toMatchObject({ ok: false })
  })
})
