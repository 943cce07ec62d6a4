/**
 * `npm start` as the owner runs it, and SIGKILL in the middle of tasks: of the edge, of home, of the tunnel, of
 * everything. Nothing is lost, no write happens twice, and the person is told (T-04, T-13, Q-14, Q-17, Q-19, B-24).
 */

import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decideOn } from '../../sidecar/cli/chat/cards.ts'
import { readEdgeRecord } from '../../sidecar/cli/line/own-edge.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { openEdgePins } from '../../sidecar/tunnel/pairing.ts'
import { type HomeProcess, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { sampled } from '../kit/soak.ts'
import {
  configure,
  killAll,
  type Line,
  lineOf,
  placesOf,
  type ScriptedGoogle,
  SOON,
  startGoogle,
  startProxy,
} from './chaos-bench.ts'
import { createBench } from './terminal-bench.ts'

const FREE = 'when am I free on Friday?'
const FREE_BUSY = 'POST /calendar/v3/freeBusy'
const WRITE = 'POST /calendar/v3/calendars/primary/events'

const bench = createBench()
const places = placesOf(bench.folder)
const openLine = lineOf(bench.folder, 'open')
const privateLine = lineOf(bench.folder, 'private')
let google: ScriptedGoogle

beforeAll(async () => {
  google = await startGoogle()
  configure(bench.folder, google.origin)
})

/** Afresh each time: what crashes again and again is started, and dialled, ever more slowly. */
beforeEach(async () => {
  await bench.start('--no-demo')
  for (const line of [openLine, privateLine]) await line.delivered()
})

afterEach(async () => {
  google.release()
  await bench.stop()
})

afterAll(async () => {
  await bench.kill()
  killAll(places.all())
  await until(() => places.all().length === 0, SOON)
  await bench.remove()
  await google.close()
})

/** Asks, and waits until Google has been asked and lets everybody wait. */
async function askHanging(line: Line): Promise<string> {
  const before = google.asked(FREE_BUSY)
  google.hold()
  const task = await line.say(FREE)
  await until(() => google.asked(FREE_BUSY) > before, SOON)
  return task
}

async function answeredOnce(line: Line, task: string): Promise<void> {
  await until(() => line.isAnswered(task), SOON)
  expect(await line.delivered()).toMatchObject([
    { task, kind: 'answer', text: expect.stringMatching(/free/i) },
  ])
  const report = await line.link((link) => link.report(task))
  expect(report.ok && report.value.task).toMatchObject({ state: 'completed', trouble: null })
}

/** Other processes than those that were killed, and they answer. */
async function edgeIsBack(killed: readonly (number | null)[]): Promise<void> {
  const stands = (pid: number | null) => pid !== null && !killed.includes(pid)
  await until(() => stands(places.edge()) && stands(places.workerd()), SOON)
  await until(edgeAnswers, SOON)
}

const edgeAnswers = async (): Promise<boolean> => (await openLine.link((link) => link.status())).ok

describe('a question on the open line that home is working on', () => {
  test.each(
    sampled(
      [
        ['the edge, both its processes', () => [places.edge(), places.workerd()], true],
        ['workerd alone', () => [places.workerd()], false],
        ['the parent of workerd alone', () => [places.edge()], true],
      ] as const,
      3,
    ),
  )('killed: %s. Home works on, and its answer finds the task', async (_, victims, isTold) => {
    const before = google.asked(FREE_BUSY)
    const task = await askHanging(openLine)
    const killed = victims()
    killAll(killed)
    await edgeIsBack(killed)
    google.release()
    await answeredOnce(openLine, task)
    expect(google.asked(FREE_BUSY)).toBe(before + 1)
    // The parent starts workerd again by itself, and at once.
    expect(bench.printed().includes('edge   stopped on its own; starting it again')).toBe(isTold)
  })

  test('killed: home. The read is run again', async () => {
    const before = google.asked(FREE_BUSY)
    const task = await askHanging(openLine)
    killAll([places.home()])
    await until(() => google.asked(FREE_BUSY) === before + 2, SOON)
    google.release()
    await answeredOnce(openLine, task)
    expect(google.asked(FREE_BUSY)).toBe(before + 2)
    expect(bench.printed()).toContain('home   stopped on its own; starting it again')
  })
})

async function askForApproval(words: string): Promise<{ readonly task: string; readonly approval: string }> {
  const task = await privateLine.say(words)
  const approval = await until(async () => {
    const report = await privateLine.link((link) => link.report(task))
    return report.ok ? report.value.task.approval : null
  }, SOON)
  return { task, approval }
}

test('a booking that was being written when home was killed: not repeated, and the person is told', async () => {
  const before = google.asked(WRITE)
  const { task, approval } = await askForApproval('book "Dentist" tomorrow from 15:00 to 16:00')
  google.hold()
  const decided = await privateLine.link((link) => decideOn(link, approval, 'approve'))
  expect(decided.ok).toBe(true)
  await until(() => google.asked(WRITE) === before + 1, SOON)
  killAll([places.home()])
  google.release()

  await until(() => privateLine.isAnswered(task), SOON)
  const rows = (await privateLine.delivered()).filter((row) => row.task === task && row.kind === 'answer')
  expect(rows.map(({ text }) => text)).toEqual([expect.stringMatching(/cannot tell whether it happened/)])
  const report = await privateLine.link((link) => link.report(task))
  expect(report.ok && report.value.task).toMatchObject({ trouble: 'write_outcome_unknown' })
  expect(google.asked(WRITE)).toBe(before + 1)
})

describe('twenty messages on the open line, and the edge killed when the last one has its 202', () => {
  test.each(
    sampled(
      [
        ['while they wait behind a question that home works on', 1],
        ['while they are being answered', 0],
      ] as const,
      2,
    ),
  )('%s: all are answered, in order, none twice', async (_, questions) => {
    const tasks: string[] = []
    if (questions > 0) tasks.push(await askHanging(openLine))
    for (let number = 1; number <= 20; number += 1) tasks.push(await accepted(`hello number ${number}`))
    const killed = [places.edge(), places.workerd()]
    killAll(killed)
    await edgeIsBack(killed)
    google.release()
    await until(() => openLine.isAnswered(tasks.at(-1) ?? ''), SOON)
    expect((await openLine.delivered()).map((row) => row.task)).toEqual(tasks)
  })
})

/** One message, sent once: what was promised by its 202 is what is tested. */
async function accepted(text: string): Promise<string> {
  const sent = await openLine.link((link) => link.send({ id: randomUUID(), text }))
  if (!sent.ok) throw new Error(sent.reason.code)
  return sent.value.task
}

const MOMENTS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['while its children still stop', () => Promise.resolve()],
  ['when its children have gone', () => until(() => places.all().length === 0, SOON)],
  [
    'with its children killed too, all but workerd',
    () => Promise.resolve(killAll([places.edge(), places.home()])),
  ],
]

/** The killed one's children stop by themselves; each row finds them at another moment. */
describe('npm start killed, and started again on the same port', () => {
  test.each(sampled(MOMENTS, 3))('%s: the work goes on', async (_, meanwhile) => {
    const { task: booking, approval } = await askForApproval('book "Checkup" tomorrow from 9:00 to 10:00')
    const open = await askHanging(openLine)
    const own = await askHanging(privateLine)
    const writes = google.asked(WRITE)
    const port = edgePort()
    await bench.kill()
    await meanwhile()
    google.release()
    await bench.start('--no-demo', '--port', String(port))

    await answeredOnce(openLine, open)
    await until(() => privateLine.isAnswered(own), SOON)
    expect((await privateLine.link((link) => decideOn(link, approval, 'approve'))).ok).toBe(true)
    await until(() => privateLine.isAnswered(booking), SOON)
    expect(google.asked(WRITE)).toBe(writes + 1)
    const told = (await privateLine.delivered())
      .filter(({ kind }) => kind === 'answer')
      .map(({ task }) => task)
    expect(told).toEqual([own, booking])
  })
})

function edgePort(): number {
  const record = readEdgeRecord(statePaths({ PFAR_HOME: bench.folder }).edgeFile)
  if (!record.ok || record.value === null) throw new Error('there is no edge yet')
  return record.value.port
}

/** Home believes an edge by its key, whatever address it is reached by; the owner paired it under this one, too. */
function pinProxy(url: string): void {
  const folder = openStateFolder(bench.folder)
  if (!folder.ok) throw new Error('no folder')
  const pins = openEdgePins(folder.value)
  const edge = pins.pinOf(`http://127.0.0.1:${edgePort()}`)
  if (edge === null || !pins.pin({ ...edge, url }).ok) throw new Error('the edge is not pinned')
}

describe('home dials through a network that loses what matters', () => {
  test('the call, the connection, the answer and its receipt are lost: one answer', async () => {
    await bench.stop()
    await bench.start('--no-demo', '--only', 'edge')
    const proxy = await startProxy(edgePort())
    pinProxy(proxy.origin)
    const home = spawnHome(bench.folder, { PFAR_EDGE_URL: proxy.origin })
    const isUp = () => proxy.live() === 1
    try {
      await until(isUp, SOON)
      const before = google.asked(FREE_BUSY)
      google.hold()
      proxy.cutOn('to home', '"home_call"')
      const task = await openLine.say(FREE)
      await until(() => google.asked(FREE_BUSY) === before + 1, SOON)
      expect(proxy.cuts()).toBe(1)
      for (const cut of [2, 3]) {
        await until(isUp, SOON)
        proxy.cut()
        expect(proxy.cuts()).toBe(cut)
      }
      await until(isUp, SOON)
      proxy.cutOn('to edge', '')
      google.release()
      await until(() => proxy.cuts() === 4, SOON)
      proxy.cutOn('to home', '"ack"')
      await until(() => proxy.cuts() === 5, SOON)
      await until(isUp, SOON)
      await answeredOnce(openLine, task)
      expect(google.asked(FREE_BUSY)).toBe(before + 1)
    } finally {
      await end(home)
      await proxy.close()
    }
  })
})

async function end({ child, ended }: HomeProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended
}
