/**
 * A reminder at the edge, in real workerd: the object's alarm brings it once, also when the object was lost
 * in between.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test, vi } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { showQuiet } from '../../kernel/features/quiet/operations/show.ts'
import { deliveriesAfter, emptyEdge, endOf, operated, owner, say } from './edge.ts'
import { HomePeer, homeWasHere } from './home-peer.ts'

const reminders = async () => (await deliveriesAfter(0)).filter(({ id }) => id.startsWith('reminder:'))

test('an alarm delivers it once, across evictions', async () => {
  const { task } = await say('in 20 minutes remind me to check the oven')
  const { steps } = (await endOf(task)).task
  expect(steps).toMatchObject([{ tool: 'reminder.set', outcome: 'done' }])
  expect(await reminders()).toEqual([])
  const alarm = await runInDurableObject(owner(), (_, { storage }) => storage.getAlarm())
  expect(alarm).toBeLessThanOrEqual(Date.now() + 20 * 60_000)
  await runInDurableObject(owner(), (_, { storage }) => {
    storage.sql.exec('update reminders set due = ?', Date.now() - 1_000)
  })
  await abortAllDurableObjects()
  expect(await runDurableObjectAlarm(owner())).toBe(true)
  await expect.poll(reminders).toHaveLength(1)
  await abortAllDurableObjects()
  await endOf((await say('hello')).task)
  await runDurableObjectAlarm(owner())
  expect((await reminders()).map(({ text }) => text)).toEqual([
    'Reminder 1: check the oven\n1 Done · 2 In an hour · 3 Tomorrow at 9',
  ])
})

/** As the object has it, without asking it, which would make it look for itself. */
const quietThere = () =>
  runInDurableObject(owner(), (_, { storage }) =>
    storage.sql.exec<{ value: string }>("select value from owner_settings where name = 'quiet'").toArray(),
  )

test('quiet hours that were said at home hold here, at once, and end with those', async () => {
  await endOf((await say('hello')).task)
  const home = await HomePeer.greet()
  const quiet = { hours: { from: 1_320, to: 420 }, until: null }
  home.put({ type: 'profile', timezone: 'Europe/Madrid', quiet })
  await expect.poll(quietThere).toEqual([{ value: JSON.stringify(quiet) }])
  expect(await operated(showQuiet, {})).toEqual({ ok: true, value: quiet })
  home.put({ type: 'profile', timezone: 'Europe/Madrid' })
  await expect.poll(quietThere).toEqual([])
})

const saidAway = async () => (await deliveriesAfter(0)).filter(({ id }) => id.startsWith('reminder-away:'))
const dueThere = () =>
  runInDurableObject(owner(), (_, { storage }) =>
    storage.sql
      .exec<{ value: string }>("select value from owner_settings where name = 'due_heard'")
      .toArray()
      .map(({ value }) => JSON.parse(value)),
  )
const ringAt = (at: number) => {
  vi.setSystemTime(at)
  return runDurableObjectAlarm(owner())
}

test('the time of a private reminder that home told is named once by the alarm, while home is away', async () => {
  await emptyEdge()
  await endOf((await say('hello')).task)
  const home = await HomePeer.greet()
  const due = Date.now() + 60 * 60_000
  home.put({ type: 'profile', timezone: 'UTC', due: [due] })
  await expect.poll(dueThere).toEqual([{ times: [due], done: 0 }])
  home.close()
  await homeWasHere()
  const alarm = await runInDurableObject(owner(), (_, { storage }) => storage.getAlarm())
  expect(alarm).toBeLessThanOrEqual(due + 2 * 60_000)
  await abortAllDurableObjects()
  await ringAt(due + 60_000)
  expect(await saidAway()).toEqual([])
  await ringAt(due + 2 * 60_000 + 1)
  await expect.poll(saidAway).toMatchObject([
    {
      text: expect.stringMatching(
        /^A reminder of your private line was due at \d\d:\d\d\. Your home box is not connected;/,
      ),
    },
  ])
  await abortAllDurableObjects()
  await ringAt(due + 60 * 60_000)
  expect(await saidAway()).toHaveLength(1)
  const back = await HomePeer.greet()
  back.put({ type: 'profile', timezone: 'UTC' })
  await expect.poll(dueThere).toEqual([])
  vi.useRealTimers()
})

test('what home took back is not named, though the tunnel slept when it was said', async () => {
  await emptyEdge()
  await endOf((await say('hello')).task)
  const home = await HomePeer.greet()
  const due = Date.now() + 60 * 60_000
  home.put({ type: 'profile', timezone: 'UTC', due: [due] })
  await expect.poll(dueThere).toEqual([{ times: [due], done: 0 }])
  // As after a sleep of the tunnel: KernelObject alone heard that nothing is to be known any more.
  await env.KERNEL.getByName(KERNEL_NAME).setProfile({ timezone: 'UTC' })
  home.close()
  await homeWasHere()
  await ringAt(due + 2 * 60_000 + 1)
  await expect.poll(dueThere).toEqual([])
  expect(await saidAway()).toEqual([])
  vi.useRealTimers()
})
