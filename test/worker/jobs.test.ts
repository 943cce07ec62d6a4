/**
 * The edge's alarm and jobs, in real workerd: it wakes for one that is due, also when the object was lost in between, takes each time once, and does not
 * run what the edge is not cleared for.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { jobDigest } from '../../kernel/features/jobs/frozen.ts'
import type { Job } from '../../kernel/features/jobs/port.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import { deliveriesAfter, endOf, owner, say } from './edge.ts'

const words: Job['words'] = {
  ...{ id: 'gone', version: 1, holds: { what: 'text' }, label: labelOf([]), taint: CLEAN },
}
const bound = {
  ...{ template: 'job_morning_briefing', sink: 'sink:terminal:owner', words, quiet: true },
  missed: 'once' as const,
  watch: null,
  budget: null,
  frozen: { plan: { steps: [], explanation: '' }, planner: 'canned' as const },
  page: null,
}
const REPEAT = { kind: 'daily', every: 1, first: '2026-11-20 08:00' }

const runs = () =>
  runInDurableObject(owner(), (_, { storage }) =>
    storage.sql.exec('select scheduled, outcome, task from job_runs order by scheduled').toArray(),
  )

test('an alarm takes the time of a job once, across evictions', async () => {
  await endOf((await say('hello')).task)
  const due = Date.now() - 1_000
  await runInDurableObject(owner(), (_, { storage }) => {
    storage.sql.exec(
      `insert into jobs (id, number, template, sink, words, frozen, digest, repeat, zone, missed, quiet, state, due, failures, at)
       values ('j1', 1, ?, ?, ?, ?, ?, ?, 'UTC', 'once', 1, 'on', ?, 0, 0)`,
      ...[bound.template, bound.sink, JSON.stringify(words), JSON.stringify(bound.frozen), jobDigest(bound)],
      ...[JSON.stringify(REPEAT), due],
    )
  })
  await abortAllDurableObjects()
  await endOf((await say('hello again')).task)
  await runDurableObjectAlarm(owner())
  await expect.poll(runs).toMatchObject([{ scheduled: due, outcome: 'failed', task: null }])
  await abortAllDurableObjects()
  await endOf((await say('hello once more')).task)
  await runDurableObjectAlarm(owner())
  expect(await runs()).toHaveLength(1)
  const alarm = await runInDurableObject(owner(), (_, { storage }) => storage.getAlarm())
  expect(alarm).toBeGreaterThan(Date.now())
  expect((await deliveriesAfter(0)).filter(({ text }) => text.includes('briefing'))).toEqual([])
})
