/**
 * The edge's alarm and jobs, in real workerd: one that is set on the open line is told there once, also when the object was lost in between, for a bounded
 * number of rows; between times the alarm does not ring for it, and what the edge is not cleared for does not run.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobDigest } from '../../kernel/features/jobs/frozen.ts'
import { listJobs } from '../../kernel/features/jobs/operations/list.ts'
import type { Job } from '../../kernel/features/jobs/port.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import { decided, deliveriesAfter, emptyEdge, endOf, operated, owner, say, waiting } from './edge.ts'

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
/** Of a run with two reads that is told, from its alarm to the end of its row. */
const ROWS_OF_A_RUN = 64
const REPEAT = { kind: 'daily', every: 1, first: '2026-11-20 08:00' }

const runs = () =>
  runInDurableObject(owner(), (_, { storage }) =>
    storage.sql.exec('select scheduled, outcome, task from job_runs order by scheduled').toArray(),
  )

beforeEach(emptyEdge)
afterEach(emptyEdge)

const alarm = () => runInDurableObject(owner(), (_, { storage }) => storage.getAlarm())
const briefings = async () =>
  (await deliveriesAfter(0)).filter(
    ({ kind, text }) => kind === 'answer' && text.includes('Open on your list'),
  )

async function set(): Promise<void> {
  await endOf((await say('put milk on my list')).task)
  await endOf((await say('start the morning briefing')).task)
  const card = async () =>
    (await waiting()).ok && (await deliveriesAfter(0)).find(({ kind }) => kind === 'card')
  await expect.poll(card).toMatchObject({ sink: 'sink:openline:owner' })
  const asked = await waiting()
  const [{ id } = { id: '' }] = asked.ok ? asked.value : []
  expect(await decided(id, 'approve')).toMatchObject({ ok: true })
}

/** What is temporary is gone, as after some days. */
const aged = () =>
  runInDurableObject(owner(), async (_, { storage }) => {
    storage.sql.exec('update sealed set until = null')
    await storage.deleteAlarm()
  })

test('one that is set by talking is told once, across evictions, for few rows', async () => {
  await set()
  const due = Date.now() - 1_000
  await runInDurableObject(owner(), (_, { storage }) => {
    storage.sql.exec('update jobs set due = ?', due)
  })
  await abortAllDurableObjects()
  await operated(listJobs, {})
  const rows = await runInDurableObject(owner(), async (object, { storage }) => {
    const { sql } = storage
    const { exec } = sql
    let written = 0
    sql.exec = ((query: string, ...values: SqlStorageValue[]) => {
      const cursor = exec.call(sql, query, ...values)
      written += cursor.rowsWritten
      return cursor
    }) as typeof exec
    await object.alarm?.()
    sql.exec = exec
    return written
  })
  await expect.poll(runs).toMatchObject([{ scheduled: due, outcome: 'told' }])
  // With the alarm one more; a typed message with two reads writes as many.
  expect(rows).toBeGreaterThan(20)
  expect(rows).toBeLessThanOrEqual(ROWS_OF_A_RUN)
  await abortAllDurableObjects()
  await endOf((await say('hello again')).task)
  await runDurableObjectAlarm(owner())
  expect((await briefings()).map(({ text }) => text)).toEqual([
    'Morning briefing\n\nNo reminder is due.\n\nOpen on your list:\n1. milk',
  ])
  expect(await runs()).toHaveLength(1)
})

test('an idle edge wakes for its next time alone', async () => {
  await set()
  await aged()
  await abortAllDurableObjects()
  const listed = await operated(listJobs, {})
  const due = listed.ok ? listed.value.jobs[0]?.due : null
  await runInDurableObject(owner(), async (object) => object.alarm?.())
  expect(await alarm()).toBe(due)
})

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
  expect(await alarm()).toBeGreaterThan(Date.now())
  expect((await deliveriesAfter(0)).filter(({ text }) => text.includes('briefing'))).toEqual([])
})
