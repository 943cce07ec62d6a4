/**
 * Home is away and comes back, from outside: the edge alone is asked, the owner gets the notice with its choice, both
 * places start again, and the answer comes by itself (DESIGN §1, T-07).
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { createOpenLink } from '../../sidecar/cli/line/open-link.ts'
import { readEdgeRecord } from '../../sidecar/cli/line/own-edge.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../sidecar/tunnel/device-key.ts'
import { createTestClock } from '../clock/clock.ts'
import { type Asked, createBench, waitFor } from './terminal-bench.ts'

/** Milliseconds that home has to come up, dial, and answer. */
const SOON_MS = 60_000

/** Milliseconds by which the clock goes on, and of real time between: no call of a program takes so long that it runs out of its own. */
const STEP_MS = 4_000
const BETWEEN_MS = 400

const clock = createTestClock({ at: Date.now() })
const bench = createBench({ env: clock.env })
// What the test signs for the edge is of that moment, too.
const own = vi.spyOn(Date, 'now').mockImplementation(clock.now)
afterAll(async () => {
  own.mockRestore()
  await bench.remove()
  clock.remove()
})

/** What an answer is waited for passes step by step, until it is there. */
async function hurried(asked: Promise<Asked>): Promise<Asked> {
  let isThere = false
  const answered = asked.finally(() => {
    isThere = true
  })
  for (; !isThere; await pause(BETWEEN_MS)) await clock.jump(STEP_MS)
  return answered
}

function openLine(): ReturnType<typeof createOpenLink> {
  const record = readEdgeRecord(statePaths({ PFAR_HOME: bench.folder }).edgeFile)
  const folder = openStateFolder(bench.folder)
  const device = folder.ok ? loadDeviceKey(folder.value) : folder
  if (!record.ok || record.value === null || !device.ok) throw new Error('the edge cannot be reached')
  return createOpenLink({ edge: record.value.url, device: device.value })
}

test('asked while home is away: a notice, a question where the edge could do a part, and both answers once home is back', async () => {
  await bench.start('--only', 'edge')
  const { code, report } = await hurried(bench.ask('when am I free on Friday?', '--line', 'open'))
  expect(code).toBe(0)
  expect(report.reply).toMatch(/home box does not answer/)
  expect(report.reply).not.toContain('without your private data')
  expect(report.task).toMatchObject({ place: 'edge', state: 'awaiting_home', trouble: 'home_offline' })
  const both = await hurried(
    bench.ask('when am I free on Friday? And what do you know about the spare key?', '--line', 'open'),
  )
  expect(both.report.reply).toMatch(/home box does not answer[\s\S]*without your private data/)
  expect(both.report.task).toMatchObject({ place: 'edge', state: 'awaiting_home', trouble: null })
  const listed = JSON.parse((await bench.pfar('approvals', '--line', 'open', '--json')).out)
  expect(listed.map(({ id }: { id: string }) => id)).toEqual([both.report.task.approval])

  await bench.stop()
  await bench.start()
  const link = openLine()
  await waitFor(async () => {
    const found = await link.report(report.task.id)
    return found.ok && found.value.task.state === 'completed'
  }, SOON_MS)
  const answered = await link.report(report.task.id)
  link.close()
  if (!answered.ok) throw new Error(answered.reason.code)
  expect(answered.value.reply).toMatch(/free/)
  expect(answered.value.task).toMatchObject({ label: 'internal', trouble: null, approval: null })
  expect(answered.value.task.steps).toMatchObject([{ tool: 'calendar.freebusy', place: 'home' }])
})

test('locked from home the edge takes nothing in; unlocked it answers again (T-10)', async () => {
  expect((await bench.pfar('lock')).out).toBe('The edge is locked.\n')
  const refused = await bench.pfar('ask', 'hello', '--line', 'open')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('pfar unlock')])
  expect((await bench.pfar('unlock', '--line', 'open')).code).toBe(1)
  expect((await bench.pfar('unlock')).out).toBe('The edge is unlocked.\n')
  const { report } = await bench.ask('hello', '--line', 'open')
  expect(report.task).toMatchObject({ place: 'edge', state: 'completed' })
})
