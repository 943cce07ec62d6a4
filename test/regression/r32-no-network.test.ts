/**
 * R-32, T-15: from the command line to the answer without a network: event, template, plan, calls, answer. A real home
 * and the real `pfar ask`, both with every lookup and connection logged; the services stand on this machine.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { run } from '../e2e/terminal-bench.ts'
import { google, TITLE } from './home/google.ts'
import { configFor, type House, startHouse } from './home/house.ts'
import { createNetLog } from './home/net-log.ts'
import { type Outside, startOutside } from './outside.ts'

const net = createNetLog()
let outside: Outside
let house: House
beforeAll(async () => {
  outside = await startOutside()
  outside.page = google
  house = await startHouse(configFor(outside.origin), { env: net.env })
})
afterAll(async () => {
  await house.kill()
  await outside.close()
})

async function ask(words: string): Promise<TaskReport> {
  const environment = { ...process.env, ...net.env, PFAR_HOME: house.folder }
  const { code, out, err } = await run(['scripts/pfar.mjs', 'ask', words, '--json'], environment)
  expect(err).toBe('')
  expect(code).toBe(0)
  return JSON.parse(out) as TaskReport
}

test('an event becomes an answer, with no name looked up and nothing outside this machine connected to', async () => {
  const { reply, task } = await ask('what is on my calendar tomorrow')
  expect(task).toMatchObject({
    ...{ place: 'home', template: 'owner_private', planner: 'canned', model: 'rules', state: 'completed' },
    steps: [{ tool: 'calendar.list_events', outcome: 'done' }],
    delivered: [{ sink: 'sink:terminal:owner', label: 'sensitive' }],
  })
  expect(reply).toContain(TITLE)
  expect(new Set(net.lines())).toEqual(new Set(['connect 127.0.0.1']))
})

test('what needs no service connects to nothing at all', async () => {
  net.clear()
  await ask('remember that the spare key is with Mrs Olsen')
  expect((await ask('what do you know about the spare key')).reply).toContain('Mrs Olsen')
  expect(net.lines()).toEqual([])
})
