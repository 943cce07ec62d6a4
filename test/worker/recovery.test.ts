/**
 * Evictions and crashes lose nothing and repeat nothing that was sent; home's answers reach their task (T-04,
 * T-13, B-21, Q-19).
 */
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RECOVERY_DELAY } from '../../durable-objects/principal/driver.ts'
import { FIRST_WAIT } from '../../kernel/features/deliveries/waiting-line.ts'
import type { HomeAnswer, HomeCall } from '../../kernel/features/places/home-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import {
  answersTo,
  decided,
  deliveriesAfter,
  emptyTunnel,
  endOf,
  inside,
  objectOf,
  owner,
  peer,
  refuseDeliveries,
  say,
  sayAs,
  sentTo,
  slowModel,
  until,
} from './edge.ts'
import { HomePeer } from './home-peer.ts'

beforeEach(async () => {
  await inside(OWNER_PRINCIPAL, ({ storage }) => storage.deleteAll())
  await emptyTunnel()
  await abortAllDurableObjects()
})

afterEach(async () => {
  vi.useRealTimers()
  await slowModel(0)
})

/** As after a crash: nothing runs until the alarm fires. */
async function alarmOf(principal: string): Promise<void> {
  await runDurableObjectAlarm(objectOf(principal))
}

test('after a crash during a model call the alarm resumes the task, and the person gets one answer', async () => {
  await slowModel(500)
  const { task } = await sayAs('cut', 'hello before the crash')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await abortAllDurableObjects()
  await slowModel(0)
  await alarmOf(peer('cut'))
  await endOf(task, peer('cut'))
  const sent = await sentTo('cut')
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  expect(sent.at(-1)?.text).toContain('hello before the crash')
})

test('after crashes at any moment every accepted message is answered, in order, under one delivery id each', async () => {
  for (let moment = 0; moment < 24; moment += 1) {
    const user = `crash${moment}`
    const taken = [await sayAs(user, 'first'), await sayAs(user, 'second')]
    await new Promise((resolve) => setTimeout(resolve, moment * 2))
    await abortAllDurableObjects()
    await until(
      async () => {
        await alarmOf(peer(user))
        return Promise.all(taken.map(({ task }) => objectOf(peer(user)).report(peer(user), task)))
      },
      (reports) => reports.every((report) => report.ok && report.value.task.state === 'completed'),
    )
    const ids = [...new Set((await sentTo(user)).map(({ id }) => id))]
    expect(ids).toEqual(taken.map(({ task }) => expect.stringContaining(task)).slice(0, 2))
  }
})

test('an alarm is set before a message is acknowledged', async () => {
  await slowModel(300)
  const { task } = await sayAs('armed', 'hello')
  const alarm = await inside(peer('armed'), ({ storage }) => storage.getAlarm())
  expect(alarm).toBeGreaterThan(Date.now())
  expect(alarm).toBeLessThanOrEqual(Date.now() + RECOVERY_DELAY)
  await endOf(task, peer('armed'))
})

test('an object that wakes with open work and no alarm sets one', async () => {
  await slowModel(500)
  const { task } = await sayAs('unarmed', 'hello')
  await inside(peer('unarmed'), ({ storage }) => storage.deleteAlarm())
  await abortAllDurableObjects()
  await slowModel(0)
  await objectOf(peer('unarmed')).report(peer('unarmed'), task)
  await endOf(task, peer('unarmed'))
})

test('the conversation before an eviction is still there after it', async () => {
  await sayAs('keeper', 'my plant is called basil-2201')
  await answersTo('keeper', 1)
  await evictDurableObject(objectOf(peer('keeper')))
  await sayAs('keeper', 'what did I tell you?')
  expect((await answersTo('keeper', 2)).at(-1)?.text).toContain('basil-2201')
})

const FREE = 'am I free tomorrow at 3pm?'

const answerTo = (call: HomeCall, over: { label?: string; reported?: string } = {}): HomeAnswer => {
  const slots = [{ from: '2026-11-02T09:00:00Z', to: '2026-11-02T17:00:00Z', busy: false }]
  const { id, task, step, provenance } = call
  return {
    id,
    task,
    step,
    ok: true,
    output: { slots },
    label: 'internal',
    inputs: provenance,
    reported: null,
    ...over,
  }
}

/** The next call; synced turns before it are acknowledged. */
async function callHeard(home: HomePeer): Promise<HomeCall> {
  for (;;) {
    const { body } = await home.take()
    if (body.type === 'home_call') return body.call
  }
}

test('a question that only home can answer goes there and back, across an eviction', async () => {
  const home = await HomePeer.greet()
  const { task } = await say(FREE)
  const call = await callHeard(home)
  expect(call).toMatchObject({ tool: 'calendar.freebusy', principal: OWNER_PRINCIPAL, task })
  await evictDurableObject(owner())
  home.put({ type: 'home_answer', answer: answerTo(call) })
  await home.acked()
  const report = await endOf(task)
  expect(report.task).toMatchObject({ state: 'completed', label: 'internal', trouble: null })
  expect(report.task.steps).toMatchObject([{ tool: 'calendar.freebusy', place: 'home' }])
})

test('a repeated answer of home counts once', async () => {
  const home = await HomePeer.greet()
  const { task } = await say(FREE)
  const call = await callHeard(home)
  home.put({ type: 'home_answer', answer: answerTo(call) })
  home.put({ type: 'home_answer', answer: answerTo(call) })
  await home.acked()
  await home.acked()
  await endOf(task)
  expect((await deliveriesAfter(0)).filter((delivery) => delivery.task === task)).toHaveLength(1)
})

test('an answer above the edge’s clearance is refused on receipt', async () => {
  const home = await HomePeer.greet()
  const { task } = await say(FREE)
  const call = await callHeard(home)
  home.put({ type: 'home_answer', answer: answerTo(call, { label: 'sensitive', reported: 'sensitive' }) })
  await home.acked()
  const report = await endOf(task)
  expect(report.task.trouble).toBe('place_not_cleared')
})

const stateOf = async (task: string) => {
  const report = await owner().report(OWNER_PRINCIPAL, task)
  if (!report.ok) throw new Error(report.reason.code)
  return report.value.task
}
const waitsAtHome = (task: string) =>
  until(
    () => stateOf(task),
    ({ state }) => state === 'awaiting_home',
  )
const atLater = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

async function asked(task: string): Promise<string> {
  await waitsAtHome(task)
  atLater(46_000)
  await alarmOf(OWNER_PRINCIPAL)
  const { approval } = await until(
    () => stateOf(task),
    (found) => found.approval !== null,
  )
  return approval ?? ''
}

test('when home stays away the owner is told once, asked once, and told the end once', async () => {
  const { task } = await say(FREE)
  const approval = await asked(task)
  const first = await deliveriesAfter(0)
  expect(first.map(({ kind, approval: id }) => [kind, id])).toEqual([['card', approval]])
  atLater(1_800_000)
  await alarmOf(OWNER_PRINCIPAL)
  expect((await endOf(task)).task.trouble).toBe('home_offline')
  const [, ...later] = await deliveriesAfter(0)
  expect(later.map(({ kind, task: of }) => [kind, of])).toEqual([['answer', task]])
})

test('a returning home finds the call, and its late answer is delivered across an eviction', async () => {
  const { task } = await say(FREE)
  await asked(task)
  await evictDurableObject(owner())
  atLater(60_000)
  const home = await HomePeer.greet()
  // Calls of earlier tests, which were sent already, come first.
  let call = await callHeard(home)
  while (call.task !== task) call = await callHeard(home)
  home.put({ type: 'home_answer', answer: answerTo(call) })
  await home.next('ack')
  const report = await endOf(task)
  expect(report.task).toMatchObject({ state: 'completed', trouble: null, approval: null })
  expect(report.reply).toMatch(/This answer is late/)
  expect((await deliveriesAfter(0)).map(({ kind }) => kind)).toEqual(['card', 'answer'])
})

test('an owner who does not wait is answered without home, by another task, also after an eviction (F-06)', async () => {
  const { task } = await say(FREE)
  const approval = await asked(task)
  await evictDurableObject(owner())
  const yes = await decided(approval, 'approve')
  if (!yes.ok) throw new Error(yes.reason.code)
  const report = await endOf(yes.value.task)
  expect(report.task).toMatchObject({ place: 'edge', trouble: 'home_offline' })
  expect((await stateOf(task)).state).toBe('cancelled')
})

test('a waiting task can be stopped, and the person is told', async () => {
  const { task } = await say(FREE)
  await until(
    async () => owner().report(OWNER_PRINCIPAL, task),
    (report) => report.ok && report.value.task.state === 'awaiting_home',
  )
  expect(await owner().stop(OWNER_PRINCIPAL, task)).toEqual({ ok: true, value: { task } })
  expect((await endOf(task)).task.state).toMatch(/^(cancelled|completed)$/)
  expect(await deliveriesAfter(0)).toHaveLength(1)
})

test('a delivery that the channel refuses for now is sent once by the alarm, also after an eviction', async () => {
  await refuseDeliveries(2)
  const { task } = await sayAs('busy', 'hello to a busy chat')
  await endOf(task, peer('busy'))
  expect(await sentTo('busy')).toEqual([])
  expect(await objectOf(peer('busy')).waiting(peer('busy'))).toMatchObject({
    ok: true,
    value: { waiting: [{ asked: expect.any(String) }], paused: null },
  })
  const waits = () => inside(peer('busy'), ({ storage }) => storage.getAlarm())
  await until(waits, (at) => at !== null && at < Date.now() + FIRST_WAIT + 1_000)
  await evictDurableObject(objectOf(peer('busy')))
  await until(
    () => sentTo('busy'),
    (sent) => sent.length > 0,
  )
  expect((await sentTo('busy')).map(({ text }) => text)).toEqual([expect.stringContaining('busy chat')])
  expect(await objectOf(peer('busy')).waiting(peer('busy'))).toEqual({
    ok: true,
    value: { waiting: [], paused: null },
  })
})
