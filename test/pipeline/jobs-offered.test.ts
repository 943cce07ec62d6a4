/** The list of jobs: what runs first, and in one line what else could. A proposal is answered by its card alone. */
import { expect, it } from 'vitest'
import { createWorld } from './world.ts'

it('tells in one line what could be switched on', async () => {
  const world = createWorld()
  await world.say('what jobs are running?')
  const lines = world.heard().split('\n')
  expect(lines[0]).toBe('Nothing runs by itself.')
  expect(lines[1]).toMatch(/^Others can be switched on, by "start the .*morning briefing/)
  expect(lines).toHaveLength(2)
})

it('a proposed job says once how to answer, on its card', async () => {
  const world = createWorld()
  await world.say('start the morning briefing')
  expect(world.heard()).not.toMatch(/\/approve|\/deny/)
})
