/** A reminder at the edge, in real workerd: the object's alarm brings it once, also when the object was lost in between. */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { deliveriesAfter, endOf, owner, say } from './edge.ts'

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
