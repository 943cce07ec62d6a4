/** The list of jobs: what runs first, and in one line what else could. A proposal is answered by its card alone. */
import { expect, it } from 'vitest'
import { createWorld } from './world.ts'

it('tells apart, and in a line, what could be switched on', async () => {
  const world = createWorld()
  await world.say('what jobs are running?')
  const lines = world.heard().split('\n')
  expect(lines[0]).toBe('Nothing runs by itself.')
  expect(lines[1]).toBe('')
  expect(lines[2]).toMatch(/^Could be switched on, by "start the .*Morning briefing/)
  expect(lines[3]).toMatch(/^\d+ more need a service that is not connected/)
  expect(lines).toHaveLength(4)
})

it('a proposed job says once how to answer, on its card', async () => {
  const world = createWorld()
  await world.say('start the morning briefing')
  expect(world.heard()).not.toMatch(/\/approve|\/deny/)
})
