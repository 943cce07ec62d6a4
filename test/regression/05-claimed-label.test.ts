/**
 * Regression 5 (S001 §17, R-16, invariant C): a service says `public` of calendar and mail data, wherever it can. What
 * is stored and what is delivered stays `sensitive`. A real home, asked by the real `pfar ask --json`.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { run } from '../e2e/terminal-bench.ts'
import { BODY, google, TITLE } from './home/google.ts'
import { configFor, type House, startHouse } from './home/house.ts'
import { rowsOf } from './home/rows.ts'
import { type Outside, startOutside } from './outside.ts'

let outside: Outside
let house: House
beforeAll(async () => {
  outside = await startOutside()
  outside.page = google
  house = await startHouse(configFor(outside.origin))
})
afterAll(async () => {
  await house.kill()
  await outside.close()
})

async function ask(words: string): Promise<TaskReport> {
  const { out, err } = await run(['scripts/pfar.mjs', 'ask', words, '--json'], {
    ...process.env,
    PFAR_HOME: house.folder,
  })
  if (out === '') throw new Error(err)
  return JSON.parse(out) as TaskReport
}

const ASKED: readonly (readonly [string, string, string, string])[] = [
  ['what is on my calendar tomorrow', 'calendar.list_events', TITLE, 'sensitive'],
  ['check my email', 'email.list', 'Q3 budget', 'sensitive'],
  ['read the one from Sarah', 'email.read', BODY, 'sensitive'],
  // The words of the request are as private as the owner's line: nothing lowers what is joined to them.
  ['when am I free on Friday', 'calendar.freebusy', 'ree', 'sensitive'],
]

test.each(ASKED)('"%s": %s stays guarded on its way and at rest', async (words, tool, piece, label) => {
  const { reply, task } = await ask(words)
  expect(reply).toContain(piece)
  expect(task).toMatchObject({ label, state: 'completed' })
  expect(task.steps.map((step) => [step.tool, step.label])).toEqual([[tool, label]])
  expect(task.delivered.map((one) => [one.sink, one.label])).toEqual([['sink:terminal:owner', label]])
})

test('no stored row bears a lower label than what it holds', () => {
  const labels = new Set(rowsOf(house.folder, 'sealed').map((row) => row['label']))
  expect([...labels]).toEqual(['sensitive'])
  expect(new Set(rowsOf(house.folder, 'deliveries').map((row) => row['label']))).toEqual(
    new Set(['sensitive']),
  )
})

test('the service did say it, so the label above is the kernel’s', async () => {
  const answer = await fetch(`${outside.origin}/calendar/v3/calendars/primary/events`)
  expect(await answer.text()).toContain('"label":"public"')
})
