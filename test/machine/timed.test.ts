/** The machine with a task that waits for its time: begun once, by its own approval or by none, not stopped with other work, and cancelled. */
import { describe, expect, it } from 'vitest'
import { advance, isCurrent, rowsFor, startTimed } from '../../kernel/machine/machine.ts'
import type { Outcome } from '../../kernel/task/outcome.ts'
import { isWaiting } from '../../kernel/task/task.ts'
import { NEW_TASK, PROVENANCE, planOf, resultOf } from '../task/fixtures.ts'

const PLAN = planOf({ id: 's1', do: 'tool', tool: 'email.send', args: {} })
const TIMED = startTimed(NEW_TASK, {
  ...{ plan: PLAN, planned: PROVENANCE, planner: 'canned', approval: 'a2', until: 50 },
})

describe('a task that waits for its time', () => {
  it('waits, and wants nothing done', () => {
    expect(isWaiting(TIMED.state)).toBe(true)
    expect(TIMED).toMatchObject({
      state: { at: 'awaiting_time', step: 0, approval: 'a2', until: 50 },
      timed: 50,
    })
    expect(isCurrent(TIMED, { do: 'authorize', step: 0, approval: 'a2' })).toBe(false)
    expect(isCurrent(TIMED, { do: 'extract' })).toBe(false)
  })

  it.each(['a2', null])('is checked from the beginning with %s, once', (approval) => {
    const { task, effects } = advance(TIMED, { got: 'due', approval })
    expect(effects).toEqual([{ do: 'authorize', step: 0, approval }])
    expect(advance(task, { got: 'due', approval })).toEqual({ task, effects: [] })
    expect(rowsFor(task, effects).rows).toHaveLength(1)
  })

  it.each<Outcome>([
    { got: 'due', approval: 'a9' },
    { got: 'stopped' },
    { got: 'approved', approval: 'a2' },
    { got: 'lapsed', approval: 'a2' },
    resultOf(0),
  ])('does not move for %j', (outcome) => {
    expect(advance(TIMED, outcome)).toEqual({ task: TIMED, effects: [] })
  })

  it('ends without a word when it is cancelled, and is not begun any more', () => {
    const { task, effects } = advance(TIMED, { got: 'withdrawn' })
    expect({ state: task.state.at, effects }).toEqual({ state: 'cancelled', effects: [] })
    expect(task.traces).toMatchObject([{ tool: 'email.send', outcome: 'skipped' }])
    expect(advance(task, { got: 'due', approval: 'a2' }).effects).toEqual([])
  })
})
