/** What the machine ignores, and which effects are still wanted: late, doubled and forged outcomes change nothing. */
import { describe, expect, it } from 'vitest'
import { advance, isCurrent, rowsFor, startTask } from '../../kernel/machine/machine.ts'
import type { Outcome } from '../../kernel/task/outcome.ts'
import type { Effect } from '../../kernel/task/task.ts'
import { drive, EXTRACTED, NEW_TASK, planned, planOf, resultOf, toolStep } from '../task/fixtures.ts'
import {
  ANSWERED,
  ASK,
  ASKED,
  auth,
  because,
  COMPOSE,
  DENIED,
  FAST,
  type Feed,
  ONE,
  REFUSED,
  REFUSED_DELIVERY,
  reading,
  SYNTHESIZED,
  TWO,
} from './machine-outcomes.ts'

describe('startTask and rows', () => {
  it('begin with extraction', () => {
    const { task, effects } = startTask(NEW_TASK)
    expect(task).toMatchObject({
      ...NEW_TASK,
      state: { at: 'extracting' },
      callsUsed: 0,
      nextEffect: 0,
      plan: null,
    })
    expect(effects).toEqual([{ do: 'extract' }])
  })

  it('number effects on and on', () => {
    const first = rowsFor(startTask(NEW_TASK).task, [{ do: 'extract' }, { do: 'deliver' }])
    expect(first.rows.map(({ id, n, status }) => [id, n, status])).toEqual([
      ['t1:0', 0, 'pending'],
      ['t1:1', 1, 'pending'],
    ])
    expect(rowsFor(first.task, [{ do: 'remember' }])).toMatchObject({
      task: { nextEffect: 3 },
      rows: [{ id: 't1:2', task: 't1', effect: { do: 'remember' } }],
    })
  })
})

describe('an outcome that does not fit', () => {
  it.each<[string, readonly Feed[], Outcome]>([
    ['a second extraction', [EXTRACTED], FAST],
    ['a plan of another round', [EXTRACTED], planned(planOf(toolStep(1)), 2)],
    ['a plan before extraction', [], planned(planOf(toolStep(1)))],
    ['a second plan', ONE, planned(planOf(toolStep(1)))],
    [
      'a failure of a plan that stands',
      ONE,
      { got: 'plan_failed', round: 1, reason: because('tool_failed') },
    ],
    ['a denial of another step', TWO, { ...DENIED, step: 1 }],
    ['a result before the call', ONE, resultOf(0)],
    ['a result of an earlier step', [...TWO, auth(0), resultOf(0)], resultOf(0)],
    ['an answer of another approval', [...ONE, ASK, ASKED], { got: 'approved', approval: 'a2' }],
    ['a no to another approval', [...ONE, ASK, ASKED], { ...REFUSED, approval: 'a2' }],
    ['a yes that nobody asked for', ONE, { got: 'approved', approval: 'a1' }],
    [
      'a second yes',
      [...ONE, ASK, ASKED, { got: 'approved', approval: 'a1' }],
      { got: 'approved', approval: 'a1' },
    ],
    ['an authorisation while asking', [...ONE, ASK], { got: 'skipped', step: 0 }],
    ['a selection of a tool step', ONE, { got: 'selected', step: 0, result: { kind: 'skipped' } }],
    ['an expansion of a tool step', ONE, { got: 'expanded', step: 0, steps: [] }],
    ['a composition of a tool step', ONE, { got: 'ready', step: 0, verb: 'compose' }],
    ['the other verb', COMPOSE, { got: 'ready', step: 1, verb: 'classify' }],
    ['an approval of a composition', COMPOSE, { ...ASK, step: 1 }],
    ['home for a composition', COMPOSE, { got: 'needs_home', step: 1 }],
    ['an unknown write that was not called', ONE, { got: 'unknown', step: 0 }],
    ['a search in vain before the end of its plan', ONE, { got: 'unfound' }],
    ['a search in vain of no plan', [FAST], { got: 'unfound' }],
    ['a search in vain after a failure', [...ONE, DENIED], { got: 'unfound' }],
    [
      'a second search in vain',
      [...ONE, reading(0), resultOf(0), { got: 'unfound' }, planned(planOf(), 2)],
      { got: 'unfound' },
    ],
    ['a search in vain beside a write', [...ONE, auth(0), resultOf(0)], { got: 'unfound' }],
    ['an answer before its time', ONE, SYNTHESIZED],
    ['a failed synthesis before its time', ONE, { got: 'synthesis_failed', reason: because('tool_failed') }],
    ['a second answer', ANSWERED, SYNTHESIZED],
    ['a delivery before its time', [FAST], { got: 'delivered' }],
    ['a denied delivery before its time', [FAST], REFUSED_DELIVERY],
    ['a second delivery', [...ANSWERED, { got: 'delivered' }], { got: 'delivered' }],
    ['memory before delivery', ANSWERED, { got: 'remembered' }],
    [
      'a stop after the end',
      [{ got: 'stopped' }, { got: 'delivered' }, { got: 'remembered' }],
      { got: 'stopped' },
    ],
    [
      'a fault after the end',
      [...ANSWERED, { got: 'delivered' }, { got: 'remembered' }],
      { got: 'faulted', reason: because('tool_failed') },
    ],
  ])('changes nothing: %s', (_, before, outcome) => {
    const { task } = drive(before)
    const after = advance(task, outcome)
    expect(after.task).toBe(task)
    expect(after.effects).toEqual([])
  })
})

describe('isCurrent', () => {
  const rows: readonly [string, readonly Feed[], Effect, boolean][] = [
    ['extract at the start', [], { do: 'extract' }, true],
    ['extract later', [EXTRACTED], { do: 'extract' }, false],
    ['plan', [EXTRACTED], { do: 'plan', round: 1 }, true],
    ['plan of another round', [EXTRACTED], { do: 'plan', round: 2 }, false],
    ['authorize', ONE, { do: 'authorize', step: 0, approval: null }, true],
    ['authorize with an approval never given', ONE, { do: 'authorize', step: 0, approval: 'a1' }, false],
    ['authorize of another step', TWO, { do: 'authorize', step: 1, approval: null }, false],
    ['ask_owner', [...ONE, ASK], { do: 'ask_owner', step: 0, approval: 'a1' }, true],
    [
      'ask_owner once answered',
      [...ONE, ASK, { got: 'approved', approval: 'a1' }],
      { do: 'ask_owner', step: 0, approval: 'a1' },
      false,
    ],
    ['ask_home', [...ONE, { got: 'needs_home', step: 0 }], { do: 'ask_home', step: 0 }, true],
    [
      'ask_home once answered',
      [...ONE, { got: 'needs_home', step: 0 }, resultOf(0)],
      { do: 'ask_home', step: 0 },
      false,
    ],
    ['compose', [...COMPOSE, { got: 'ready', step: 1, verb: 'compose' }], { do: 'compose', step: 1 }, true],
    [
      'classify of a compose step',
      [...COMPOSE, { got: 'ready', step: 1, verb: 'compose' }],
      { do: 'classify', step: 1 },
      false,
    ],
    ['synthesize', [FAST], { do: 'synthesize' }, true],
    ['synthesize after a stop', [FAST, { got: 'stopped' }], { do: 'synthesize' }, false],
    ['deliver', ANSWERED, { do: 'deliver' }, true],
    ['deliver twice', [...ANSWERED, { got: 'delivered' }], { do: 'deliver' }, false],
    ['remember', [...ANSWERED, { got: 'delivered' }], { do: 'remember' }, true],
    ['remember before', ANSWERED, { do: 'remember' }, false],
  ]
  it.each(rows)('%s', (_, outcomes, effect, expected) => {
    expect(isCurrent(drive(outcomes).task, effect)).toBe(expected)
  })

  it('holds for a call until its task is stopped', () => {
    const { task, effects } = drive([...ONE, auth(0)])
    const call = effects[0] ?? { do: 'extract' }
    expect(isCurrent(task, call)).toBe(true)
    expect(isCurrent(advance(task, { got: 'stopped' }).task, call)).toBe(false)
  })
})
