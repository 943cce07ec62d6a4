/** Store cases of the cost of model calls: reserved, settled, summed (P-24, D-11). Run by contract.ts. */
import { expect } from 'vitest'
import type { UsageRow } from '../../kernel/features/usage/port.ts'
import { type Cases, OWNER, taskOf } from './records.ts'

const row = (more: Partial<UsageRow> = {}): UsageRow => ({
  ...{ at: 1, day: '2026-11-20', task: 't1', principal: OWNER, template: 'x', purpose: 'plan', model: 'big' },
  ...{ metered: true, tokens: { input: 100, output: 50 }, cost: 900 },
  ...more,
})
const DAY = { day: '2026-11-20' }

export const USAGE: Cases = [
  [
    'counts what is held back until it is settled, and then what it came to',
    (store) => {
      const call = store.openUsage(row())
      expect(store.spentOn(DAY)).toEqual({ tokens: 150, cost: 900 })
      store.settleUsage(call, { tokens: { input: 10, output: 5 }, cost: 60, failed: false })
      expect(store.spentOn(DAY)).toEqual({ tokens: 15, cost: 60 })
      expect(store.spentOn({ task: 't1' })).toEqual({ tokens: 15, cost: 60 })
    },
  ],
  [
    'counts a call that is noted when it is over like one that was held',
    (store) => {
      const settled = {
        tokens: { input: 10, output: 5, cached: { read: 4, written: 2 } },
        cost: 60,
        failed: true,
      }
      store.noteUsage(row(), settled)
      const noted = store.usageBy('day', '2026-11-20', 1)
      store.settleUsage(store.openUsage(row({ day: '2026-11-21' })), settled)
      const [held] = store.usageBy('day', '2026-11-21', 1)
      expect(noted).toEqual([{ ...held, name: '2026-11-20' }])
      expect(noted[0]).toMatchObject({
        calls: 1,
        failed: 1,
        input: 10,
        output: 5,
        cacheRead: 4,
        cacheWritten: 2,
        cost: 60,
      })
      expect(store.spentOn(DAY)).toEqual({ tokens: 15, cost: 60 })
    },
  ],
  [
    'counts for a cap only what is metered, of that day and that task',
    (store) => {
      store.openUsage(row({ metered: false }))
      store.openUsage(row({ day: '2026-11-19', task: null }))
      expect(store.spentOn(DAY)).toEqual({ tokens: 0, cost: 0 })
      expect(store.spentOn({ task: 't1' })).toEqual({ tokens: 0, cost: 0 })
      expect(store.spentOn({ day: '2026-11-19' })).toEqual({ tokens: 150, cost: 900 })
    },
  ],
  [
    'sums what one principal used since a moment, metered or not, and without one task',
    (store) => {
      const job = { principal: 'principal:cron:j1', metered: false }
      store.openUsage(row({ ...job, at: 99, task: 'before' }))
      store.openUsage(row({ ...job, at: 100, task: 'run 1' }))
      store.settleUsage(store.openUsage(row({ ...job, at: 101, task: 'run 2' })), {
        ...{ tokens: { input: 10, output: 5 }, cost: null, failed: true },
      })
      store.openUsage(row({ ...job, at: 102, task: null }))
      store.openUsage(row({ at: 102 }))
      const of = { principal: job.principal, from: 100 }
      expect(store.tokensSince({ ...of, but: null })).toBe(150 + 15 + 150)
      expect(store.tokensSince({ ...of, but: 'run 1' })).toBe(15 + 150)
      expect(store.tokensSince({ ...of, principal: 'principal:cron:j2', but: null })).toBe(0)
      expect([...store.tokensOf(['run 1', 'run 9'], 100)]).toEqual([['run 1', 150]])
    },
  ],
  [
    'sums a task’s calls from when it was made',
    (store) => {
      const at = 1_700_000_000_000
      store.addTask(taskOf('t1', 1, { at: 'extracting' }), [])
      for (let n = 20; n > 0; n -= 1) store.openUsage(row({ at: at - n, task: 'other' }))
      store.openUsage(row({ at: at + 1 }))
      store.openUsage(row({ at: at + 2, task: 'other' }))
      store.openUsage(row({ at: at + 3 }))
      expect(store.spentOn({ task: 't1' })).toEqual({ tokens: 300, cost: 1_800 })
      expect(store.spentOn({ task: 'other' }).tokens).toBe(21 * 150)
    },
  ],
  [
    'sums by each key: days newest first, the rest the dearest first, no more than asked for',
    (store) => {
      const cached = { read: 60, written: 20 }
      const call = store.openUsage(row())
      store.settleUsage(call, { tokens: { input: 100, output: 50, cached }, cost: 500, failed: true })
      store.openUsage(row({ day: '2026-11-19', model: 'small', purpose: 'compact', cost: null, task: null }))
      store.openUsage(row({ day: '2026-11-01', model: 'gone' }))
      expect(store.usageBy('day', '2026-11-02', 9).map(({ name }) => name)).toEqual([
        '2026-11-20',
        '2026-11-19',
      ])
      expect(store.usageBy('day', '2026-11-02', 1)).toHaveLength(1)
      expect(store.usageBy('model', '2026-11-02', 9)).toEqual([
        {
          ...{ name: 'big', calls: 1, failed: 1, input: 100, output: 50, cacheRead: 60, cacheWritten: 20 },
          ...{ cost: 500, unpriced: 0 },
        },
        {
          ...{ name: 'small', calls: 1, failed: 0, input: 100, output: 50, cacheRead: 0, cacheWritten: 0 },
          ...{ cost: 0, unpriced: 1 },
        },
      ])
      expect(store.usageBy('task', '2026-11-02', 9).map(({ name }) => name)).toEqual(['t1', null])
      expect(store.usageBy('purpose', '2026-12-01', 9)).toEqual([])
    },
  ],
  [
    'keeps a running sum that is what the rows say, whatever is opened, settled, noted and left open',
    (store) => {
      const real = () => {
        const [sum] = store.usageBy('day', DAY.day, 1)
        return { tokens: (sum?.input ?? 0) + (sum?.output ?? 0), cost: sum?.cost ?? 0 }
      }
      const same = (): void => expect(store.spentOn(DAY)).toEqual(real())
      const settled = { tokens: { input: 7, output: 3 }, cost: 40, failed: false }
      same()
      const calls = [1, 2, 3].map((n) => store.openUsage(row({ cost: n * 10 })))
      same()
      store.spentOn({ day: '2026-11-19' })
      for (const call of calls.slice(1)) {
        store.settleUsage(call, settled)
        same()
      }
      store.noteUsage(row(), { ...settled, cost: null })
      same()
      // A call that this process did not open, as far as the store knows.
      store.settleUsage(calls[1] ?? 0, { ...settled, tokens: { input: 1, output: 1 } })
      same()
    },
  ],
  [
    'lets go of what no report shows any more, and of nothing else',
    (store) => {
      const on = (day: string): UsageRow => row({ day, at: Date.parse(`${day}T12:00:00Z`) })
      for (const day of ['2025-11-01', '2025-11-17', '2025-11-20', '2026-11-20']) store.openUsage(on(day))
      store.noteUsage(on('2026-11-21'), { tokens: { input: 1, output: 1 }, cost: null, failed: false })
      const kept = store.usageBy('day', '2000-01-01', 9).map(({ name }) => name)
      expect(kept).toEqual(['2026-11-21', '2026-11-20', '2025-11-20'])
    },
  ],
]
