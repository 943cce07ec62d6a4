/** A condition on what could not be read: it holds for nothing, and what is asked only "if there is none" is not done then. */
import { expect, it } from 'vitest'
import { holds } from '../../kernel/call/values/select.ts'
import type { Task } from '../../kernel/task/task.ts'
import { createWorld } from './world.ts'

const reason = { code: 'tool_unavailable', facts: {} } as const

it.each([
  ['was not read', { kind: 'failed', reason }, false],
  ['was left out', { kind: 'skipped' }, true],
])('what %s', async (_, result, expected) => {
  const world = createWorld()
  await world.say('hello')
  const [task] = world.disk.store.recentTasks('principal:owner', 1)
  if (task === undefined) throw new Error('no task')
  const asked = { ...task, results: { s1: result } } as unknown as Task
  expect(await holds(world.powers, asked, { ref: 's1.appointments', is: 'empty' })).toBe(expected)
})
