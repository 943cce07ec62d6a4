/** Plan mode on the open line, in real workerd (P-19): set, stored and answered across evictions of the owner's object. */
import { abortAllDurableObjects } from 'cloudflare:test'
import { afterAll, expect, test } from 'vitest'
import { decided, endOf, say, sayAs, until, waiting } from './edge.ts'

const NOTE = 'remember that the lanterns are in the shed'

/** Questions of a kind, once there is one. */
async function asked(): Promise<{ readonly id: string; readonly card: string }> {
  const found = await until(waiting, (views) => views.ok && views.value.some(({ kind }) => kind === 'plan'))
  const view = found.ok ? found.value.find(({ kind }) => kind === 'plan') : undefined
  if (view === undefined) throw new Error('no plan is asked about')
  return view
}

afterAll(async () => void (await endOf((await say('/plan off')).task)))

test('a plan waits for its approval, across evictions before the message, the card and the approval', async () => {
  await endOf((await say('/plan on')).task)
  await abortAllDurableObjects()
  const { task } = await say(NOTE)
  const view = await asked()
  expect(view.card.split('\n').slice(0, 3)).toEqual([
    'This is my plan. Shall I go?',
    `  you asked: ${NOTE}`,
    '1. WRITES, at the edge: Keep this in mind for later. (memory.save) It takes from: your message.',
  ])
  await abortAllDurableObjects()
  expect((await decided(view.id, 'approve')).ok).toBe(true)
  const report = await endOf(task)
  expect(report.task).toMatchObject({ state: 'completed', steps: [{ tool: 'memory.save', outcome: 'done' }] })
})

test('a refusal ends the plan, with nothing done', async () => {
  const { task } = await say(`${NOTE}, too`)
  await decided((await asked()).id, 'deny')
  const report = await endOf(task)
  expect(report.task).toMatchObject({ state: 'cancelled', steps: [{ outcome: 'skipped' }] })
  expect(report.reply).toBe('Cancelled: I did not do it.')
})

test('a stranger cannot set plan mode', async () => {
  await sayAs('planner', '/plan off')
  const { task } = await say('/plan')
  expect((await endOf(task)).reply).toMatch(/^Plan mode is on/)
})
