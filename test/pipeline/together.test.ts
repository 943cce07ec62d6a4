/**
 * A plan with two writes of the same kind, such as a swap: each card says which of how many it is and what
 * the other one would do, and a yes is for its own bytes alone.
 */
import { expect, it } from 'vitest'
import { planning, waiting } from './approvals-owner.ts'
import { decideFirst } from './asked-world.ts'
import { createWorld, type ScriptedTool } from './world.ts'

const event = (id: string, title: string, hour: number) => ({
  ...{ id, title, attendees: 0, allDay: false, people: [] },
  ...{ from: `2026-11-27T${hour}:00:00Z`, to: `2026-11-27T${hour + 1}:00:00Z` },
})
const EVENTS = [event('e1', 'Standup', 10), event('e2', 'Dentist', 11)]
const changed: ScriptedTool = ({ id, from }) => ({
  ok: true,
  output: {
    ...{ id: String(id), from: String(from), to: '2026-11-27T12:00:00Z' },
    before: { from: '2026-11-27T10:00:00Z', to: '2026-11-27T11:00:00Z' },
  },
})
const SPAN = { from: '2026-11-27T00:00:00Z', to: '2026-11-28T00:00:00Z' }
const LIST = { id: 's1', do: 'tool', tool: 'calendar.list_events', args: SPAN }
const move = (id: string, at: number, hour: number, more: object = {}) => ({
  ...{ id, do: 'tool', tool: 'calendar.update_event', ...more },
  args: { id: { $ref: `s1.events[${at}].id` }, from: `2026-11-27T${hour}:00:00Z` },
})

function asked(...steps: readonly Record<string, unknown>[]) {
  const tools = {
    'calendar.list_events': () => ({ ok: true as const, output: { events: EVENTS, more: false } }),
    'calendar.check_event': () => ({ ok: true as const, output: {} }),
    'calendar.update_event': changed,
  }
  return createWorld({ tools: tools as never, models: [planning(LIST, ...steps)] })
}

it('each card of a swap says what the other one does, and is approved by itself', async () => {
  const world = asked(move('s2', 0, 11), move('s3', 1, 10))
  await world.say('swap my 10 and my 11 on Friday')
  const [first] = await waiting(world)
  expect(first?.card).toContain(
    '\nThis is question 1 of 2 about this; you answer each by itself.\nThe next of them: ',
  )
  expect(first?.card).toMatch(/\nThe next of them: [^\n]*11:00[^\n]*Dentist/)
  await decideFirst(world, 'approve')
  expect(world.calls.filter(({ tool }) => tool === 'calendar.update_event')).toHaveLength(1)
  const [second] = await waiting(world)
  expect(second?.card).toContain('\nThis is question 2 of 2 about this; you answer each by itself.\n')
  // The first is done.
  expect(second?.card).not.toContain('The next of them')
  expect(second?.card.split('\n').at(-2)).toMatch(/^I ask /)
  await decideFirst(world, 'deny')
  expect(world.calls.filter(({ tool }) => tool === 'calendar.update_event')).toHaveLength(1)
})

it('a write that is alone of its kind, or made only if something is found, says nothing of others', async () => {
  for (const steps of [
    [move('s2', 0, 11)],
    [move('s2', 0, 11), move('s3', 1, 10, { when: { ref: 's1.more', is: 'equals', value: false } })],
  ]) {
    const world = asked(...steps)
    await world.say('move my 10 on Friday')
    const [first] = await waiting(world)
    expect(first?.card).not.toContain('about this; you answer each by itself')
  }
})
