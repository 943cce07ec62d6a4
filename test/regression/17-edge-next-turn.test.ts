/**
 * Regression 17 at the edge (S001 §17, R-28, T-13): turn 2 keeps an address that turn 1 read, although the object was
 * thrown out of memory in between; the planner names it by reference and never sees it. Real workerd.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideOn } from '../../sidecar/cli/chat/cards.ts'
import { until } from '../home/fixtures/wait.ts'
import { type Edge, startEdge } from './edge/house.ts'
import { HTML } from './outside.ts'

let edge: Edge
beforeAll(async () => {
  edge = await startEdge()
})
afterAll(() => edge.stop())

const STEPS = [{ id: 's1', do: 'tool', tool: 'memory.save', args: { text: { $ref: 'w1.links[0]' } } }]

test('an address of turn 1 is what turn 2 keeps, after an eviction, when the owner has said yes to it', async () => {
  const { outside } = edge
  const second = `${outside.origin}/second-of-the-first`
  outside.page = () => HTML('First', `The rest of it, which is long, stands <a href="${second}">here</a>.`)
  outside.model = ({ purpose, user }) =>
    purpose === 'plan' ? JSON.stringify({ steps: STEPS, explanation: '' }) : `shown: ${user}`
  const first = await edge.endOf(await edge.say(`read ${outside.origin}/first`))
  expect(first.task).toMatchObject({ state: 'completed', steps: [{ tool: 'web.read' }] })

  expect(await edge.evict()).toBe(true)
  const task = await edge.say('please do the unusual thing with it')
  const asked = await edge.endOf(task)
  const planning = outside.prompts.filter(({ purpose }) => purpose === 'plan').at(-1)
  expect(JSON.stringify(planning?.parts)).toContain('"w1"')
  expect(JSON.stringify(planning)).not.toContain('second-of-the-first')
  expect(asked.task).toMatchObject({ state: 'awaiting_approval', trouble: null })
  expect(asked.reply).toContain(second)

  expect(await edge.evict()).toBe(true)
  const decided = await decideOn(edge.line, asked.task.approval ?? '', 'approve')
  expect(decided.ok).toBe(true)
  const done = await until(async () => {
    const { task: now } = await edge.endOf(task)
    return now.state === 'awaiting_approval' ? null : now
  })
  expect(done).toMatchObject({
    state: 'completed',
    steps: [{ tool: 'memory.save', approved: true, outcome: 'done' }],
  })
  const asking = await edge.endOf(await edge.say('what do you know about it?'))
  expect(asking.reply).toContain(second)
  expect(outside.seen.map(({ line }) => line)).toEqual(['GET /first'])
})
