/** The machine while a plan is shown before it runs (P-19): what leads where, and that nothing else does. */
import { describe, expect, it } from 'vitest'
import { advance, isCurrent } from '../../kernel/machine/machine.ts'
import type { Outcome } from '../../kernel/task/outcome.ts'
import type { Task } from '../../kernel/task/task.ts'
import { drive, EXTRACTED, PROVENANCE, planned, planOf, resultOf, toolStep } from '../task/fixtures.ts'
import { ASK, ASKED, auth, because, type Feed, ONE, REFUSED, reading, SEEN, TWO } from './machine-outcomes.ts'

const ON = { planMode: { on: true, said: PROVENANCE } }
const AGREED = { got: 'agreed', step: 0 } as const satisfies Outcome
const YES = { got: 'approved', approval: 'a1' } as const satisfies Outcome
const WAITING = [...TWO, ASK, ASKED]
const DELIVERED: readonly Feed[] = [{ got: 'delivered' }, { got: 'remembered' }]
const LOOSE: readonly Feed[] = [EXTRACTED, planned(planOf(toolStep(1, { independent: true }), toolStep(2)))]

describe('with plan mode on', () => {
  it.each<[string, readonly Feed[], object, readonly object[]]>([
    [
      'a plan is shown before its first step is looked at',
      TWO,
      { state: { at: 'executing', step: 0, phase: 'showing', approval: null } },
      [{ do: 'show_plan', step: 0, approval: null }],
    ],
    [
      'one that need not be shown begins',
      [...ONE, AGREED],
      { state: { at: 'executing', step: 0, phase: 'checking', approval: null } },
      [{ do: 'authorize', step: 0, approval: null }],
    ],
    [
      'its question goes to the owner',
      [...TWO, ASK],
      { state: { at: 'executing', step: 0, phase: 'asking', approval: 'a1', asks: 'plan' } },
      [{ do: 'ask_owner', step: 0, approval: 'a1' }],
    ],
    ['and waits', WAITING, { state: { at: 'awaiting_approval', step: 0, approval: 'a1', asks: 'plan' } }, []],
    [
      'a yes has the plan looked at once more, and no step',
      [...WAITING, YES],
      { state: { at: 'executing', step: 0, phase: 'showing', approval: 'a1' } },
      [{ do: 'show_plan', step: 0, approval: 'a1' }],
    ],
    [
      'the approved plan begins, and no step of it is approved by that',
      [...WAITING, YES, AGREED],
      { state: { at: 'executing', step: 0, phase: 'checking', approval: null } },
      [{ do: 'authorize', step: 0, approval: null }],
    ],
    [
      'no is the end of it',
      [...WAITING, REFUSED],
      {
        state: { at: 'delivering' },
        declined: true,
        answer: null,
        trouble: { code: 'approval_expired' },
        traces: [{ outcome: 'skipped' }, { outcome: 'skipped' }],
      },
      [{ do: 'deliver' }],
    ],
    [
      'which is a task that was cancelled',
      [...WAITING, REFUSED, ...DELIVERED],
      { state: { at: 'cancelled' }, callsUsed: 0 },
      [],
    ],
    [
      'another plan than the shown one ends the task',
      [...WAITING, YES, { got: 'denied', step: 0, reason: because('write_raw') }],
      { state: { at: 'delivering' }, declined: true },
      [{ do: 'deliver' }],
    ],
    [
      'one that no chat can show is the end of it, whatever may run on its own',
      [...LOOSE, ASK, { got: 'denied', step: 0, reason: because('write_down') }],
      {
        state: { at: 'delivering' },
        declined: true,
        traces: [{ outcome: 'skipped' }, { outcome: 'skipped' }],
      },
      [{ do: 'deliver' }],
    ],
    [
      'and so is one that cannot be made out',
      [...LOOSE, { got: 'failed', step: 0, reason: because('tool_failed') }],
      { state: { at: 'delivering' }, declined: true },
      [{ do: 'deliver' }],
    ],
    [
      'a stop while it waits ends it as a stop does',
      [...WAITING, { got: 'stopped' }, ...DELIVERED],
      { state: { at: 'cancelled' }, trouble: { code: 'task_stopped' } },
      [],
    ],
    [
      'a second plan is shown anew',
      [SEEN[0], SEEN[1], AGREED, SEEN[2], SEEN[3], planned(planOf(toolStep(2)), 2)],
      { state: { at: 'executing', step: 1, phase: 'showing', approval: null } },
      [{ do: 'show_plan', step: 1, approval: null }],
    ],
    [
      'a second plan without steps has nothing to show',
      [SEEN[0], SEEN[1], AGREED, SEEN[2], SEEN[3], planned(planOf(), 2)],
      { state: { at: 'synthesizing' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a write of an agreed plan asks as ever',
      [...WAITING, YES, AGREED, { ...ASK, approval: 'a2' }, { ...ASKED, approval: 'a2' }],
      { state: { at: 'awaiting_approval', step: 0, approval: 'a2' } },
      [],
    ],
  ])('%s', (_what, feed, task, effects) => {
    const now = drive(feed, ON)
    expect(now.task).toMatchObject(task)
    expect(now.effects).toEqual(effects)
  })

  it.each<[string, readonly Feed[], Feed]>([
    ['no step is authorised while it is shown', TWO, auth(0)],
    ['nor while it is asked about', [...TWO, ASK], auth(0)],
    ['nor while it waits', WAITING, reading(0)],
    ['nor handed to home', TWO, { got: 'needs_home', step: 0 }],
    ['nor ended', WAITING, resultOf(0)],
    ['another yes is none', WAITING, { got: 'approved', approval: 'a2' }],
    ['a yes before it was asked is none', TWO, YES],
    ['agreement comes from looking at the plan, not from a wait', WAITING, AGREED],
    ['nor for another step', TWO, { got: 'agreed', step: 1 }],
    ['other words for one of its texts are no yes to the whole', WAITING, edited('a1')],
    ['a refusal that nobody waits for', WAITING, { got: 'denied', step: 0, reason: because('write_raw') }],
  ])('%s', (_what, feed, outcome) => {
    const before = drive(feed, ON).task
    const after = advance(before, typeof outcome === 'function' ? outcome(before) : outcome)
    expect(after.task).toBe(before)
    expect(after.effects).toEqual([])
  })

  it('what is to be looked at is current for this very yes', () => {
    const { task } = drive([...WAITING, YES], ON)
    const showing = (approval: string | null) => isCurrent(task, { do: 'show_plan', step: 0, approval })
    expect([showing('a1'), showing(null), showing('a2')]).toEqual([true, false, false])
  })
})

it.each<[string, Partial<Task>]>([
  ['never spoken of', {}],
  ['off', { planMode: { on: false, said: PROVENANCE } }],
])('plan mode that is %s changes nothing', (_what, start) => {
  expect(drive(TWO, start).effects).toEqual([{ do: 'authorize', step: 0, approval: null }])
})

function edited(approval: string): Outcome {
  const ref = { ...PROVENANCE, id: 'x', version: 1, holds: { what: 'text' } } as const
  return { got: 'edited', approval, edits: [{ argument: 'title', ref }] }
}
