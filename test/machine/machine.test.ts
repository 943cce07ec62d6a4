/** The machine up to synthesis, arrow by arrow: from which state which outcome leads where (B-32, DESIGN §3). */
import { describe, expect, it } from 'vitest'
import { advance } from '../../kernel/machine/machine.ts'
import type { Outcome } from '../../kernel/task/outcome.ts'
import type { Step } from '../../kernel/task/plan.ts'
import type { Task } from '../../kernel/task/task.ts'
import {
  authorized,
  claimsFor,
  drive,
  EXTRACTED,
  PROVENANCE,
  planned,
  planOf,
  ref,
  resultOf,
  tokenFor,
  toolStep,
} from '../task/fixtures.ts'
import {
  ASK,
  ASKED,
  auth,
  because,
  CLASSIFY,
  COMPOSE,
  DENIED,
  EACH,
  EACH_STEP,
  FAST,
  type Feed,
  item,
  ONE,
  REFUSED,
  reading,
  SEEN,
  SELECT,
  TWO,
} from './machine-outcomes.ts'

/** Code's plan, where a model could plan as well: a call, and a row of what it gave. */
const OTHERWISE = {
  ...planned(planOf(toolStep(1), { id: 's2', do: 'select', from: 's1.emails', take: 'first' }, toolStep(3))),
  otherwise: true,
} as Outcome
const UNFOUND: Outcome = { got: 'failed', step: 1, reason: { code: 'nothing_found', facts: {} } }

describe('an arrow', () => {
  it.each<[string, readonly Feed[], object, readonly object[]]>([
    [
      'a greeting needs no plan',
      [FAST],
      { state: { at: 'synthesizing' }, path: 'fast' },
      [{ do: 'synthesize' }],
    ],
    [
      'the rest is planned',
      [EXTRACTED],
      { state: { at: 'planning' }, path: 'full', planRounds: 1 },
      [{ do: 'plan', round: 1 }],
    ],
    [
      'a plan starts at its first step',
      ONE,
      { state: { at: 'executing', step: 0, phase: 'checking' }, planner: 'rules', planned: PROVENANCE },
      [{ do: 'authorize', step: 0, approval: null }],
    ],
    [
      'talk needs no step',
      [EXTRACTED, planned(planOf())],
      { state: { at: 'synthesizing' }, trouble: null },
      [{ do: 'synthesize' }],
    ],
    [
      'an empty plan for what cannot be done is told',
      [EXTRACTED, { ...planned(planOf()), short: 'plan_empty' } as Outcome],
      { state: { at: 'synthesizing' }, trouble: { code: 'plan_empty' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a plan that was refused is told, since its planner had its second try',
      [EXTRACTED, { got: 'plan_failed', round: 1, reason: { code: 'plan_malformed', facts: {} } }],
      { state: { at: 'synthesizing' }, planRounds: 1, trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a plan for a part of the request runs, and that it is a part is told',
      [EXTRACTED, { ...planned(planOf(toolStep(1))), short: 'request_in_part' } as Outcome],
      { state: { at: 'executing' }, trouble: { code: 'request_in_part' } },
      [{ do: 'authorize', step: 0, approval: null }],
    ],
    [
      'a plan that skips a number is none',
      [EXTRACTED, planned(planOf(toolStep(2)))],
      { plan: null, trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a plan with one id twice is none',
      [EXTRACTED, planned(planOf(toolStep(1), toolStep(1)))],
      { plan: null, trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a result leads to the next step',
      [...TWO, auth(0), resultOf(0)],
      {
        state: { at: 'executing', step: 1 },
        results: { s1: { kind: 'sealed' } },
        traces: [
          {
            step: 's1',
            tool: 'email.list',
            place: 'edge',
            label: 'sensitive',
            approved: false,
            outcome: 'done',
            reason: null,
          },
        ],
      },
      [{ do: 'authorize', step: 1, approval: null }],
    ],
    [
      'the last result leads to synthesis',
      [...ONE, auth(0), resultOf(0)],
      { state: { at: 'synthesizing' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a condition that does not hold skips one step',
      [...TWO, { got: 'skipped', step: 0 }],
      {
        state: { at: 'executing', step: 1 },
        results: { s1: { kind: 'skipped' } },
        traces: [{ outcome: 'skipped', reason: null }],
        trouble: null,
      },
      [{ do: 'authorize', step: 1, approval: null }],
    ],
    [
      'a denial skips what follows',
      [...TWO, DENIED],
      {
        state: { at: 'synthesizing' },
        trouble: { code: 'write_raw' },
        results: { s1: { kind: 'failed' }, s2: { kind: 'skipped' } },
        traces: [
          { outcome: 'denied', reason: 'write_raw' },
          { step: 's2', outcome: 'skipped' },
        ],
      },
      [{ do: 'synthesize' }],
    ],
    [
      'an independent denial does not',
      [EXTRACTED, planned(planOf(toolStep(1, { independent: true }), toolStep(2))), DENIED],
      { state: { at: 'executing', step: 1 }, trouble: { code: 'write_raw' } },
      [{ do: 'authorize', step: 1, approval: null }],
    ],
    [
      'a failed call is told',
      [...ONE, auth(0), { got: 'failed', step: 0, reason: because('tool_failed') }],
      { state: { at: 'synthesizing' }, trouble: { code: 'tool_failed' }, traces: [{ outcome: 'failed' }] },
      [{ do: 'synthesize' }],
    ],
    [
      'a missing credential is told',
      [...ONE, { got: 'needs_credential', step: 0, service: 'google' }],
      { trouble: { code: 'credential_missing', facts: { service: 'google' } } },
      [{ do: 'synthesize' }],
    ],
    [
      'the first trouble is kept',
      [
        EXTRACTED,
        planned(planOf(toolStep(1, { independent: true }), toolStep(2))),
        DENIED,
        auth(1),
        { got: 'failed', step: 1, reason: because('tool_failed') },
      ],
      { trouble: { code: 'write_raw' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a write nobody knows of stops all, independent or not, and outweighs other trouble',
      [
        EXTRACTED,
        planned(planOf(toolStep(1, { independent: true }), toolStep(2, { independent: true }), toolStep(3))),
        DENIED,
        auth(1),
        { got: 'unknown', step: 1 },
      ],
      {
        state: { at: 'synthesizing' },
        trouble: { code: 'write_outcome_unknown' },
        results: { s3: { kind: 'skipped' } },
        traces: [{ outcome: 'denied' }, { outcome: 'unknown' }, { outcome: 'skipped' }],
      },
      [{ do: 'synthesize' }],
    ],
    [
      'a write may need a yes',
      [...ONE, ASK],
      { state: { at: 'executing', step: 0, phase: 'asking', approval: 'a1' } },
      [{ do: 'ask_owner', step: 0, approval: 'a1' }],
    ],
    [
      'then it waits',
      [...ONE, ASK, ASKED],
      { state: { at: 'awaiting_approval', step: 0, approval: 'a1' } },
      [],
    ],
    [
      'a yes is checked again',
      [...ONE, ASK, ASKED, { got: 'approved', approval: 'a1' }],
      { state: { at: 'executing', phase: 'checking', approval: 'a1' } },
      [{ do: 'authorize', step: 0, approval: 'a1' }],
    ],
    [
      'a yes may overtake the note that it was asked',
      [...ONE, ASK, { got: 'approved', approval: 'a1' }],
      { state: { phase: 'checking', approval: 'a1' } },
      [{ do: 'authorize', step: 0, approval: 'a1' }],
    ],
    [
      'and the late note changes nothing',
      [...ONE, ASK, { got: 'approved', approval: 'a1' }, ASKED],
      { state: { phase: 'checking', approval: 'a1' } },
      [],
    ],
    [
      'an approved call says so',
      [...ONE, ASK, ASKED, { got: 'approved', approval: 'a1' }, auth(0), resultOf(0)],
      { traces: [{ approved: true, outcome: 'done' }] },
      [{ do: 'synthesize' }],
    ],
    [
      'a no ends the step',
      [...TWO, ASK, ASKED, REFUSED],
      {
        state: { at: 'synthesizing' },
        trouble: { code: 'approval_expired' },
        traces: [{ approved: false, outcome: 'denied', reason: 'approval_expired' }, { outcome: 'skipped' }],
      },
      [{ do: 'synthesize' }],
    ],
    [
      'changed bytes are asked about again',
      [...ONE, ASK, ASKED, { got: 'approved', approval: 'a1' }, { ...ASK, approval: 'a2' }],
      { state: { phase: 'asking', approval: 'a2' } },
      [{ do: 'ask_owner', step: 0, approval: 'a2' }],
    ],
    [
      'a card that cannot be sent is a denial',
      [...ONE, ASK, DENIED],
      { state: { at: 'synthesizing' }, traces: [{ outcome: 'denied', approved: false }] },
      [{ do: 'synthesize' }],
    ],
    [
      'home is asked and counted',
      [...ONE, { got: 'needs_home', step: 0 }],
      { state: { at: 'awaiting_home', step: 0 }, callsUsed: 1 },
      [{ do: 'ask_home', step: 0 }],
    ],
    [
      'home answers',
      [...ONE, { got: 'needs_home', step: 0 }, resultOf(0)],
      { state: { at: 'synthesizing' }, traces: [{ place: 'home', outcome: 'done' }] },
      [{ do: 'synthesize' }],
    ],
    [
      'home does not answer',
      [...ONE, { got: 'needs_home', step: 0 }, { got: 'failed', step: 0, reason: because('home_timeout') }],
      { trouble: { code: 'home_timeout' }, traces: [{ place: 'home', outcome: 'failed' }] },
      [{ do: 'synthesize' }],
    ],
    [
      'select calls nothing',
      [...SELECT, { got: 'selected', step: 1, result: { kind: 'alias', root: 's1', path: ['emails', 0] } }],
      { state: { at: 'synthesizing' }, results: { s2: { kind: 'alias' } }, traces: [{ step: 's1' }] },
      [{ do: 'synthesize' }],
    ],
    [
      'compose runs',
      [...COMPOSE, { got: 'ready', step: 1, verb: 'compose' }],
      { state: { phase: 'calling' } },
      [{ do: 'compose', step: 1 }],
    ],
    [
      'classify runs',
      [...CLASSIFY, { got: 'ready', step: 1, verb: 'classify' }],
      { state: { phase: 'calling' } },
      [{ do: 'classify', step: 1 }],
    ],
    [
      'compose ends',
      [...COMPOSE, { got: 'ready', step: 1, verb: 'compose' }, resultOf(1)],
      { state: { at: 'synthesizing' }, traces: [{ step: 's1' }, { step: 's2', tool: 'compose' }] },
      [{ do: 'synthesize' }],
    ],
    [
      'reads that were to be seen are followed by another plan',
      [...SEEN],
      { state: { at: 'planning' }, planRounds: 2, again: true },
      [{ do: 'plan', round: 2 }],
    ],
    [
      'which goes on where the first one ended',
      [...SEEN, planned(planOf(toolStep(2)), 2)],
      { state: { at: 'executing', step: 1 }, plan: { steps: [{ id: 's1' }, { id: 's2' }] }, resumed: 1 },
      [{ do: 'authorize', step: 1, approval: null }],
    ],
    [
      'and may write',
      [...SEEN, planned(planOf(toolStep(2)), 2), auth(1)],
      { state: { at: 'executing', step: 1, phase: 'calling' } },
      [expect.objectContaining({ do: 'invoke', step: 1, semantics: 'write' })],
    ],
    [
      'but the first one may not',
      [EXTRACTED, planned({ ...planOf(toolStep(1)), again: true }), auth(0)],
      { state: { at: 'synthesizing' }, trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'nor begin at the beginning',
      [...SEEN, planned(planOf(toolStep(1)), 2)],
      { plan: { steps: [{ id: 's1' }] }, trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'nothing to add is no trouble',
      [...SEEN, planned(planOf(), 2)],
      { state: { at: 'synthesizing' }, trouble: null, results: { s1: { kind: 'sealed' } } },
      [{ do: 'synthesize' }],
    ],
    [
      'a third plan may follow, for which the second may not write',
      [...SEEN, planned({ ...planOf(toolStep(2)), again: true }, 2), reading(1), resultOf(1)],
      { state: { at: 'planning' }, planRounds: 3 },
      [{ do: 'plan', round: 3 }],
    ],
    [
      'a second plan that wants no third is the last',
      [...SEEN, planned(planOf(toolStep(2)), 2), reading(1), resultOf(1)],
      { state: { at: 'synthesizing' }, planRounds: 2, trouble: null },
      [{ do: 'synthesize' }],
    ],
    [
      'a fourth plan there is not',
      [
        ...SEEN,
        planned({ ...planOf(toolStep(2)), again: true }, 2),
        reading(1),
        resultOf(1),
        planned({ ...planOf(toolStep(3)), again: true }, 3),
        reading(2),
        resultOf(2),
      ],
      { state: { at: 'synthesizing' }, planRounds: 3, trouble: { code: 'plan_limit_reached' } },
      [{ do: 'synthesize' }],
    ],
    [
      'nor one after a read that failed',
      [EXTRACTED, planned({ ...planOf(toolStep(1)), again: true }), DENIED],
      { state: { at: 'synthesizing' }, planRounds: 1 },
      [{ do: 'synthesize' }],
    ],
    [
      'a row that code did not find may be found by a model, which goes on from the reads',
      [EXTRACTED, OTHERWISE, reading(0), resultOf(0), UNFOUND],
      {
        state: { at: 'planning' },
        ...{
          planRounds: 2,
          plan: { steps: [{ id: 's1' }, { id: 's2' }] },
          trouble: { code: 'nothing_found' },
        },
      },
      [{ do: 'plan', round: 2 }],
    ],
    [
      'whose plan takes the place of what was not found',
      [EXTRACTED, OTHERWISE, reading(0), resultOf(0), UNFOUND, planned(planOf(toolStep(3)), 2)],
      { state: { at: 'executing', step: 2 }, trouble: null, resumed: 2 },
      [{ do: 'authorize', step: 2, approval: null }],
    ],
    [
      'and says anew what it leaves out itself',
      [
        EXTRACTED,
        { ...OTHERWISE, short: 'request_left_out', leftOut: 'own.0' } as Outcome,
        ...[reading(0), resultOf(0), UNFOUND, planned(planOf(toolStep(3)), 2)],
      ],
      { state: { at: 'executing', step: 2 }, trouble: null },
      [{ do: 'authorize', step: 2, approval: null }],
    ],
    [
      'and an empty one does not',
      [EXTRACTED, OTHERWISE, reading(0), resultOf(0), UNFOUND, planned(planOf(), 2)],
      { state: { at: 'synthesizing' }, trouble: { code: 'nothing_found' } },
      [{ do: 'synthesize' }],
    ],
    [
      'a search in vain may be planned once more',
      [EXTRACTED, planned(planOf(toolStep(1))), reading(0), resultOf(0), { got: 'unfound' }],
      { state: { at: 'planning' }, planRounds: 2, trouble: null },
      [{ do: 'plan', round: 2 }],
    ],
    [
      'from its first plan on',
      [
        ...[EXTRACTED, planned(planOf(toolStep(1))), reading(0), resultOf(0), { got: 'unfound' } as const],
        planned(planOf(toolStep(2)), 2),
      ],
      { state: { at: 'executing', step: 1 }, resumed: 1, trouble: null },
      [{ do: 'authorize', step: 1, approval: null }],
    ],
    [
      'and where there is no further plan, that is no trouble',
      [
        ...[EXTRACTED, planned(planOf(toolStep(1))), reading(0), resultOf(0), { got: 'unfound' } as const],
        { got: 'plan_failed', round: 2, reason: because('network_failed') },
      ],
      { state: { at: 'synthesizing' }, trouble: null },
      [{ do: 'synthesize' }],
    ],
    [
      'of a plan that was asked for it is',
      [
        ...[EXTRACTED, planned({ ...planOf(toolStep(1)), again: true }), reading(0), resultOf(0)],
        { got: 'plan_failed', round: 2, reason: because('network_failed') },
      ],
      { state: { at: 'synthesizing' }, trouble: { code: 'network_failed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'after a write there is no other plan',
      [EXTRACTED, OTHERWISE, auth(0), resultOf(0), UNFOUND],
      { state: { at: 'synthesizing' }, planRounds: 1, trouble: { code: 'nothing_found' } },
      [{ do: 'synthesize' }],
    ],
    [
      'nor after a call that home made, which may have been one',
      [EXTRACTED, OTHERWISE, { got: 'needs_home', step: 0 }, resultOf(0), UNFOUND],
      { state: { at: 'synthesizing' }, planRounds: 1 },
      [{ do: 'synthesize' }],
    ],
    [
      'nor where no model could make one',
      [...SELECT, UNFOUND],
      { state: { at: 'synthesizing' }, planRounds: 1, trouble: { code: 'nothing_found' } },
      [{ do: 'synthesize' }],
    ],
    [
      'each plan has a list of what its planner wrote',
      [
        EXTRACTED,
        {
          ...planned({ ...planOf(toolStep(1)), again: true }),
          literals: { ref: ref('l1'), count: 1 },
        } as Outcome,
        reading(0),
        resultOf(0),
        {
          ...planned(planOf(toolStep(2)), 2),
          planner: 'm',
          literals: { ref: ref('l2'), count: 2 },
        } as Outcome,
      ],
      {
        literals: [
          { ref: { id: 'l1' }, count: 1, planner: 'rules' },
          { ref: { id: 'l2' }, count: 2, planner: 'm' },
        ],
      },
      [{ do: 'authorize', step: 1, approval: null }],
    ],
    [
      'forEach becomes calls, in place',
      [
        EXTRACTED,
        planned(planOf(toolStep(1), EACH_STEP as Step, toolStep(3))),
        auth(0),
        resultOf(0),
        { got: 'expanded', step: 1, steps: [item(4), item(5)] },
      ],
      {
        state: { at: 'executing', step: 2 },
        plan: { steps: [{ id: 's1' }, { id: 's2' }, { id: 's4' }, { id: 's5' }, { id: 's3' }] },
        results: { s2: { kind: 'many', steps: ['s4', 's5'] } },
      },
      [{ do: 'authorize', step: 2, approval: null }],
    ],
    [
      'forEach over nothing is done',
      [...EACH, { got: 'expanded', step: 1, steps: [] }],
      { state: { at: 'synthesizing' }, results: { s2: { kind: 'many', steps: [] } }, trouble: null },
      [{ do: 'synthesize' }],
    ],
    [
      'forEach past its bound fails',
      [...EACH, { got: 'expanded', step: 1, steps: [item(3), item(4), item(5), item(6)] }],
      { trouble: { code: 'plan_limit_reached' } },
      [{ do: 'synthesize' }],
    ],
    [
      'forEach into another tool fails',
      [...EACH, { got: 'expanded', step: 1, steps: [item(3, { tool: 'email.send' })] }],
      { trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'forEach onto a used id fails',
      [...EACH, { got: 'expanded', step: 1, steps: [item(1)] }],
      { trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'forEach onto one id twice fails',
      [...EACH, { got: 'expanded', step: 1, steps: [item(3), item(3)] }],
      { trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
    [
      'forEach past s99 fails',
      [...EACH, { got: 'expanded', step: 1, steps: [item(100)] }],
      { trouble: { code: 'plan_malformed' } },
      [{ do: 'synthesize' }],
    ],
  ])('%s', (_, outcomes, task, effects) => {
    const after = drive(outcomes)
    expect(after.task).toMatchObject(task)
    expect(after.effects).toEqual(effects)
  })

  it('calls with the token it was given, once, and counts', () => {
    const { task, effects } = drive([...ONE, auth(0)])
    expect(effects).toEqual([{ do: 'invoke', step: 0, token: tokenFor(task, 0), semantics: 'write' }])
    expect(task).toMatchObject({ state: { phase: 'calling' }, callsUsed: 1 })
    expect(advance(task, authorized(task, 0))).toEqual({ task, effects: [] })
  })

  it.each([
    ['token_wrong_task', { task: 't2' }],
    ['token_wrong_step', { step: 's2' }],
    ['token_wrong_tool', { tool: 'email.send' }],
    ['token_wrong_place', { place: 'home' }],
  ] as const)('denies a step whose token is for something else: %s', (code, claims) => {
    const { task } = drive(ONE)
    const token = { claims: { ...claimsFor(task, 0), ...claims }, mac: '' }
    const after = advance(task, { got: 'authorized', step: 0, token, semantics: 'read' })
    expect(after.task.trouble?.code).toBe(code)
    expect(after.effects).toEqual([{ do: 'synthesize' }])
  })

  it.each<[string, Outcome | ((task: Task) => Outcome)]>([
    ['a call', auth(1)],
    ['a call at home', { got: 'needs_home', step: 1 }],
  ])('denies %s past the cap of the template', (_, outcome) => {
    const after = drive([...TWO, auth(0), resultOf(0), outcome], { maxToolCalls: 1 })
    expect(after.task).toMatchObject({ callsUsed: 1, trouble: { code: 'tool_calls_used_up' } })
    expect(after.effects).toEqual([{ do: 'synthesize' }])
  })
})
