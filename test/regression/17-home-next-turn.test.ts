/**
 * Regression 17 at home (S001 §17, R-28, B-17): turn 2 reads a mail by the id that turn 1 listed, although the process
 * was killed in between. A real home, twice, over one folder.
 */
import { afterAll, expect, test } from 'vitest'
import { BODY, google } from './home/google.ts'
import { configFor, type House, startHouse } from './home/house.ts'
import { startOutside } from './outside.ts'

const outside = await startOutside()
outside.page = google
const houses: House[] = []
afterAll(async () => {
  for (const house of houses) await house.kill()
  await outside.close()
})

async function start(path?: string): Promise<House> {
  const house = await startHouse(configFor(outside.origin), path === undefined ? {} : { path })
  houses.push(house)
  return house
}

const asked = (path: string) => outside.seen.filter(({ line }) => line.startsWith(`GET ${path}`)).length

test('"read the one from Sarah" after "check my email" and a SIGKILL', async () => {
  const first = await start()
  const listed = await first.ask('check my email')
  expect(listed.task).toMatchObject({ state: 'completed', steps: [{ tool: 'email.list' }] })
  const lists = asked('/gmail/v1/users/me/messages?')
  const reads = asked('/gmail/v1/users/me/messages/m1?')
  await first.kill()

  const second = await start(first.folder)
  const read = await second.ask('read the one from Sarah')
  expect(read.task.steps.map(({ tool }) => tool)).toEqual(['email.read'])
  expect(read.task).toMatchObject({ state: 'completed', label: 'sensitive', trouble: null })
  expect(read.reply).toContain(BODY)
  expect(asked('/gmail/v1/users/me/messages?')).toBe(lists)
  expect(asked('/gmail/v1/users/me/messages/m1?')).toBe(reads + 1)
})

test('in a folder without turn 1 the same words need a list first, so the id above came from turn 1', async () => {
  const fresh = await start()
  const read = await fresh.ask('read the one from Sarah')
  expect(read.task.steps.map(({ tool }) => tool)).toEqual(['email.list', 'email.read'])
})
