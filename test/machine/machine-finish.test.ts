/** The machine from synthesis on, arrow by arrow: answers, notices, retries, stops and faults (B-32, DESIGN §3). */
import { describe, expect, it } from 'vitest'
import { drive, EXTRACTED, planned, planOf, ref, resultOf, toolStep } from '../task/fixtures.ts'
import {
  ANSWERED,
  ASK,
  ASKED,
  auth,
  DENIED,
  FAST,
  type Feed,
  ONE,
  REFUSED_DELIVERY,
  SYNTHESIZED,
  TWO,
} from './machine-outcomes.ts'

describe('an arrow', () => {
  it.each<[string, readonly Feed[], object, readonly object[]]>([
    [
      'an answer is delivered',
      ANSWERED,
      { state: { at: 'delivering', phase: 'sending' }, answer: { id: 'answer' }, model: 'rules' },
      [{ do: 'deliver' }],
    ],
    [
      'without one the kernel tells the trouble',
      [FAST, { got: 'synthesis_failed', reason: { code: 'model_failed', facts: {} } }],
      { state: { at: 'delivering' }, answer: null, trouble: { code: 'model_failed' } },
      [{ do: 'deliver' }],
    ],
    [
      'a delivery is remembered',
      [...ANSWERED, { got: 'delivered' }],
      { state: { at: 'delivering', phase: 'remembering' } },
      [{ do: 'remember' }],
    ],
    [
      'and that is all',
      [...ANSWERED, { got: 'delivered' }, { got: 'remembered' }],
      { state: { at: 'completed' } },
      [],
    ],
    [
      'an answer in spite of trouble completes',
      [...ONE, DENIED, SYNTHESIZED, { got: 'delivered' }, { got: 'remembered' }],
      { state: { at: 'completed' }, trouble: { code: 'write_raw' } },
      [],
    ],
    [
      'no answer fails',
      [
        FAST,
        { got: 'synthesis_failed', reason: { code: 'model_failed', facts: {} } },
        { got: 'delivered' },
        { got: 'remembered' },
      ],
      { state: { at: 'failed', reason: { code: 'model_failed' } } },
      [],
    ],
    [
      'an answer that may not leave becomes a notice',
      [...ANSWERED, REFUSED_DELIVERY],
      { state: { at: 'delivering', phase: 'sending' }, answer: null, trouble: { code: 'write_down' } },
      [{ do: 'deliver' }],
    ],
    [
      'the denial is the trouble that is told',
      [...ONE, DENIED, SYNTHESIZED, REFUSED_DELIVERY],
      { answer: null, trouble: { code: 'write_down' } },
      [{ do: 'deliver' }],
    ],
    [
      'a notice that may not leave ends it',
      [...ANSWERED, REFUSED_DELIVERY, REFUSED_DELIVERY],
      { state: { at: 'failed', reason: { code: 'write_down' } } },
      [],
    ],
    [
      'stop before anything',
      [{ got: 'stopped' }],
      { state: { at: 'delivering' }, answer: null, trouble: { code: 'task_stopped' } },
      [{ do: 'deliver' }],
    ],
    [
      'stop keeps what was done',
      [...TWO, auth(0), resultOf(0), { got: 'stopped' }],
      {
        traces: [
          { step: 's1', outcome: 'done' },
          { step: 's2', outcome: 'skipped' },
        ],
        trouble: { code: 'task_stopped' },
      },
      [{ do: 'deliver' }],
    ],
    [
      'stop does not know a call under way',
      [...TWO, auth(0), { got: 'stopped' }],
      { traces: [{ step: 's1', outcome: 'unknown', reason: 'task_stopped' }, { outcome: 'skipped' }] },
      [{ do: 'deliver' }],
    ],
    [
      'stop while waiting for home',
      [...ONE, { got: 'needs_home', step: 0 }, { got: 'stopped' }],
      { traces: [{ place: 'home', outcome: 'unknown' }] },
      [{ do: 'deliver' }],
    ],
    [
      'stop while waiting for a yes',
      [...ONE, ASK, ASKED, { got: 'stopped' }],
      { traces: [{ outcome: 'skipped' }] },
      [{ do: 'deliver' }],
    ],
    [
      'a result after the stop changes nothing',
      [...ONE, auth(0), { got: 'stopped' }, resultOf(0)],
      { state: { at: 'delivering' }, traces: [{ outcome: 'unknown' }] },
      [],
    ],
    [
      'stop while delivering is too late: the answer goes out as it is',
      [...ANSWERED, { got: 'stopped' }],
      { state: { phase: 'sending' }, answer: { id: 'answer' }, trouble: null },
      [],
    ],
    [
      'a stopped task is cancelled once it was told',
      [{ got: 'stopped' }, { got: 'delivered' }, { got: 'remembered' }],
      { state: { at: 'cancelled' } },
      [],
    ],
    [
      'stop after the answer is too late',
      [...ANSWERED, { got: 'delivered' }, { got: 'stopped' }, { got: 'remembered' }],
      { state: { at: 'completed' }, trouble: null },
      [],
    ],
    [
      'a fault is told',
      [{ got: 'faulted', reason: { code: 'record_unreadable', facts: {} } }],
      { state: { at: 'delivering' }, trouble: { code: 'record_unreadable' } },
      [{ do: 'deliver' }],
    ],
    [
      'a fault of the delivery ends it',
      [...ANSWERED, { got: 'faulted', reason: { code: 'internal_fault', facts: {} } }],
      { state: { at: 'failed', reason: { code: 'internal_fault' } } },
      [],
    ],
    [
      'a fault of memory loses no answer',
      [...ANSWERED, { got: 'delivered' }, { got: 'faulted', reason: { code: 'storage_failed', facts: {} } }],
      { state: { at: 'completed' } },
      [],
    ],
  ])('%s', (_, outcomes, task, effects) => {
    const after = drive(outcomes)
    expect(after.task).toMatchObject(task)
    expect(after.effects).toEqual(effects)
  })
})

it('an ended task keeps the earlier results that its plan reads, and no others', () => {
  const memory = { w1: ref('one'), w2: ref('two'), w3: ref('three'), contacts: ref('contacts') }
  const reads = planOf(
    toolStep(1, { args: { id: { $ref: 'w2.emails[0].id' } } }),
    toolStep(2, { when: { ref: 'w3.emails', is: 'empty' } }),
  )
  const ran = [EXTRACTED, planned(reads), auth(0), resultOf(0), { got: 'skipped', step: 1 } as const]
  const sent = [...ran, SYNTHESIZED, { got: 'delivered' } as const]
  expect(drive(sent, { memory }).task.memory).toEqual(memory)
  const { task } = drive([...sent, { got: 'remembered' }], { memory })
  expect(task).toMatchObject({ state: { at: 'completed' } })
  expect(task.memory).toEqual({ w2: ref('two'), w3: ref('three') })
})
