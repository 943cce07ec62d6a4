/**
 * Generators for the laws of the machine: plans, outcomes that answer an effect honestly, and outcomes that nobody
 * asked for. Small pools, so that hostile outcomes often nearly fit. Called by machine-laws.test.ts.
 */
import fc from 'fast-check'
import { mayLookAgain } from '../../kernel/machine/step.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { Outcome } from '../../kernel/task/outcome.ts'
import type { Plan, Step } from '../../kernel/task/plan.ts'
import type { Effect, StepResult, Task } from '../../kernel/task/task.ts'
import { claimsFor, PROVENANCE, planned, planOf, ref } from '../task/fixtures.ts'

const TOOLS = ['email.list', 'calendar.create_event'] as const
const reason = fc
  .constantFrom<ReasonCode>('tool_failed', 'nothing_found', 'write_raw', 'home_timeout', 'write_down')
  .map((code) => ({ code, facts: {} }))
const tool = fc.constantFrom(...TOOLS)
const approval = fc.constantFrom('a0', 'a1')

const body = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tool'), tool, args: fc.constant({}) }) },
  fc.record({
    do: fc.constant('forEach'),
    in: fc.constant('said.list'),
    max: fc.integer({ min: 1, max: 4 }),
    tool,
    args: fc.constant({}),
  }),
  fc.record({
    do: fc.constant('compose'),
    from: fc.constant(['said']),
    instruction: fc.constant('x'),
    maxChars: fc.constant(9),
  }),
  fc.record({
    do: fc.constant('classify'),
    of: fc.constant('said.a'),
    question: fc.constant('x'),
    options: fc.constant(['a', 'b']),
  }),
  fc.record({ do: fc.constant('select'), from: fc.constant('said.list'), take: fc.constant('first') }),
  fc.record({
    ...{ do: fc.constant('extract'), from: fc.constant('said.a') },
    ...{ kind: fc.constant('date'), question: fc.constant('x') },
  }),
  fc.record({
    ...{ do: fc.constant('choose'), from: fc.constant('said.list') },
    ...{ question: fc.constant('x'), take: fc.constant('all') },
  }),
  fc.record({
    do: fc.constant('compute'),
    op: fc.constant('count'),
    of: fc.constant([{ $ref: 'said.list' }]),
  }),
)

/** A plan that goes on after `ran` steps. */
function plan(ran: number): fc.Arbitrary<Plan> {
  return fc
    .tuple(fc.array(fc.tuple(body, fc.boolean()), { maxLength: 5 }), fc.boolean())
    .map(([bodies, again]) => ({
      ...planOf(
        ...bodies.map(([part, independent], i) => ({ ...part, id: `s${ran + i + 1}`, independent }) as Step),
      ),
      ...(again && { again }),
    }))
}

const result: fc.Arbitrary<StepResult> = fc.constantFrom<StepResult>(
  { kind: 'sealed', ref: ref('r') },
  { kind: 'choice', value: null, provenance: PROVENANCE },
  { kind: 'skipped' },
)

/** What a shell may truthfully answer to an effect in turn. */
export function honest(task: Task, effect: Effect): fc.Arbitrary<Outcome> {
  switch (effect.do) {
    case 'extract':
      return fc.boolean().map((needsTools) => ({ got: 'extracted', said: ref('said'), needsTools }))
    case 'plan':
      return fc.oneof(
        fc.tuple(plan(task.plan?.steps.length ?? 0), fc.boolean()).map(
          ([made, otherwise]): Outcome => ({
            ...planned(made, effect.round),
            ...(otherwise && { otherwise }),
          }),
        ),
        fc.record({
          got: fc.constant('plan_failed' as const),
          round: fc.constant(effect.round),
          reason,
        }),
      )
    case 'show_plan':
      return showing(effect)
    case 'authorize':
      return authorization(task, effect.step)
    case 'ask_owner':
      return fc.constant({ got: 'asked', step: effect.step, approval: effect.approval })
    case 'invoke':
    case 'ask_home':
    case 'compose':
    case 'classify':
    case 'extract_value':
    case 'choose':
      return ending(effect.step)
    case 'synthesize':
      return fc.oneof(
        fc.constant<Outcome>({ got: 'synthesized', answer: ref('answer'), model: 'rules' }),
        reason.map<Outcome>((why) => ({ got: 'synthesis_failed', reason: why })),
        ...(mayLookAgain(task) ? [fc.constant<Outcome>({ got: 'unfound' })] : []),
      )
    case 'deliver':
      return fc.oneof(
        fc.constant<Outcome>({ got: 'delivered' }),
        reason.map<Outcome>((why) => ({ got: 'delivery_denied', reason: why })),
      )
    case 'remember':
      return fc.constant({ got: 'remembered' })
  }
}

/** The owner is shown a plan once; after approval the plan may differ from the one that was shown. */
function showing({ step, approval: given }: Extract<Effect, { do: 'show_plan' }>): fc.Arbitrary<Outcome> {
  const agreed = fc.constant<Outcome>({ got: 'agreed', step })
  const denied = reason.map<Outcome>((why) => ({ got: 'denied', step, reason: why }))
  const asks = approval.chain((id) =>
    reason.map<Outcome>((why) => ({ got: 'needs_approval', step, approval: id, reason: why })),
  )
  return given === null ? fc.oneof(agreed, denied, { weight: 3, arbitrary: asks }) : fc.oneof(agreed, denied)
}

/** What the world does while a task waits: the owner or home answers, if only with a *no*. */
export function awaited(task: Task): fc.Arbitrary<Outcome> | null {
  const { state } = task
  if (state.at === 'awaiting_home') return fc.oneof(ending(state.step), waiting(state.step))
  if (state.at !== 'awaiting_approval') return null
  const id = state.approval
  return fc.oneof(
    fc.constant<Outcome>({ got: 'approved', approval: id }),
    reason.map<Outcome>((why) => ({ got: 'refused', approval: id, reason: why })),
  )
}

/** The wait for home turns into a queued call, whose question is asked, or answered by another task. */
function waiting(step: number): fc.Arbitrary<Outcome> {
  return fc.oneof(
    fc.boolean().map<Outcome>((told) => ({ got: 'queued', step, queued: { choice: 'c1', told, until: 1 } })),
    fc.constantFrom<Outcome>(
      { got: 'asked', step, approval: 'c1' },
      { got: 'replaced', choice: 'c1' },
      { got: 'replaced', choice: 'another' },
    ),
  )
}

function ending(step: number): fc.Arbitrary<Outcome> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: result.map<Outcome>((made) => ({ got: 'result', step, result: made, label: 'public' })),
    },
    reason.map<Outcome>((why) => ({ got: 'failed', step, reason: why })),
    fc.constant<Outcome>({ got: 'unknown', step }),
  )
}

function authorization(task: Task, step: number): fc.Arbitrary<Outcome> {
  const refusal = fc.oneof(
    reason.map<Outcome>((why) => ({ got: 'denied', step, reason: why })),
    fc.constant<Outcome>({ got: 'skipped', step }),
  )
  const at = task.plan?.steps[step]
  switch (at?.do) {
    case 'tool':
      return fc.oneof(
        { weight: 4, arbitrary: authorizedFor(task, fc.constant(step)) },
        approval.chain((id) =>
          reason.map<Outcome>((why) => ({ got: 'needs_approval', step, approval: id, reason: why })),
        ),
        fc.constant<Outcome>({ got: 'needs_home', step }),
        fc.constant<Outcome>({ got: 'needs_credential', step, service: 'google' }),
        refusal,
      )
    case 'select':
      return fc.oneof(
        result.map<Outcome>((made) => ({ got: 'selected', step, result: made })),
        refusal,
      )
    case 'forEach': {
      const first = (task.plan?.steps.length ?? 0) + 1
      const made = (n: number) =>
        Array.from({ length: n }, (_, i) => ({ ...at, id: `s${first + i}`, do: 'tool' as const }))
      return fc.oneof(
        fc.nat(at.max).map<Outcome>((n) => ({ got: 'expanded', step, steps: made(n) })),
        refusal,
      )
    }
    case 'compose':
    case 'classify':
      return fc.oneof(fc.constant<Outcome>({ got: 'ready', step, verb: at.do }), refusal)
    default:
      return refusal
  }
}

function authorizedFor(task: Task, steps: fc.Arbitrary<number>): fc.Arbitrary<Outcome> {
  return fc
    .tuple(steps, steps, fc.constantFrom('read' as const, 'write' as const))
    .map(([step, named, semantics]) => ({
      got: 'authorized',
      step,
      token: { claims: claimsFor(task, named), mac: '' },
      semantics,
    }))
}

/** Anything at all, at any time, for any step: late, doubled and forged outcomes. */
export function hostile(task: Task): fc.Arbitrary<Outcome> {
  const step = fc.integer({ min: -1, max: 8 })
  const round = fc.integer({ min: 0, max: 3 })
  return fc.oneof(
    authorizedFor(task, step),
    step.chain((n) => authorization(task, n)),
    step.chain(ending),
    step.chain(waiting),
    fc
      .nat(9)
      .chain(plan)
      .chain((made) => round.map((n) => planned(made, n))),
    fc.record({ got: fc.constant('plan_failed' as const), round, reason }),
    fc.record({ got: fc.constant('asked' as const), step, approval }),
    fc.record({ got: fc.constant('agreed' as const), step }),
    fc.record({ got: fc.constant('approved' as const), approval }),
    fc.record({ got: fc.constant('refused' as const), approval, reason }),
    fc.record({
      got: fc.constant('ready' as const),
      step,
      verb: fc.constantFrom('compose' as const, 'classify' as const),
    }),
    fc.record({
      got: fc.constant('expanded' as const),
      step,
      steps: fc.array(
        fc.record({
          id: fc.constantFrom('s1', 's7', 's100', 'x'),
          do: fc.constant('tool' as const),
          tool,
          args: fc.constant({}),
        }),
        { maxLength: 6 },
      ),
    }),
    fc.constantFrom<Outcome>(
      { got: 'synthesized', answer: ref('forged'), model: 'x' },
      { got: 'delivered' },
      { got: 'remembered' },
      { got: 'stopped' },
      { got: 'faulted', reason: { code: 'internal_fault', facts: {} } },
      { got: 'delivery_denied', reason: { code: 'write_down', facts: {} } },
      { got: 'synthesis_failed', reason: { code: 'model_failed', facts: {} } },
    ),
  )
}
