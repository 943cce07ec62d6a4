/** Short names for outcomes that the tables of the machine's tests are written in. Called by machine*.test.ts. */
import type { Outcome } from '../../kernel/task/outcome.ts'
import type { Step } from '../../kernel/task/plan.ts'
import type { Task } from '../../kernel/task/task.ts'
import { authorized, EXTRACTED, planned, planOf, ref, resultOf, toolStep } from '../task/fixtures.ts'

export type Feed = Outcome | ((task: Task) => Outcome)
export const auth = (step: number) => (task: Task) => authorized(task, step)
export const because = (
  code: 'write_raw' | 'tool_failed' | 'home_timeout' | 'write_down' | 'network_failed',
) => ({
  code,
  facts: {},
})
export const reading = (step: number) => (task: Task) => authorized(task, step, 'read')
export const FAST = { got: 'extracted', said: ref('said'), needsTools: false } as const satisfies Outcome
export const ONE = [EXTRACTED, planned(planOf(toolStep(1)))]
export const TWO = [EXTRACTED, planned(planOf(toolStep(1), toolStep(2)))]
/** One read, whose result the planner wanted to see. */
export const SEEN = [
  EXTRACTED,
  planned({ ...planOf(toolStep(1)), again: true }),
  reading(0),
  resultOf(0),
] as const satisfies readonly Feed[]
export const SYNTHESIZED = {
  got: 'synthesized',
  answer: ref('answer'),
  model: 'rules',
} as const satisfies Outcome
export const ASK = {
  got: 'needs_approval',
  step: 0,
  approval: 'a1',
  reason: because('write_raw'),
} as const satisfies Outcome
export const ASKED = { got: 'asked', step: 0, approval: 'a1' } as const satisfies Outcome
export const REFUSED = {
  got: 'refused',
  approval: 'a1',
  reason: { code: 'approval_expired', facts: {} },
} as const satisfies Outcome
export const DENIED = { got: 'denied', step: 0, reason: because('write_raw') } as const satisfies Outcome
export const ANSWERED = [FAST, SYNTHESIZED]
export const REFUSED_DELIVERY = {
  got: 'delivery_denied',
  reason: because('write_down'),
} as const satisfies Outcome

export const verb = (step: object) => [
  EXTRACTED,
  planned(planOf(toolStep(1), step as Step)),
  auth(0),
  resultOf(0),
]
export const SELECT = verb({ id: 's2', do: 'select', from: 's1.emails', take: 'first' })
export const COMPOSE = verb({ id: 's2', do: 'compose', from: ['s1'], instruction: 'x', maxChars: 10 })
export const CLASSIFY = verb({ id: 's2', do: 'classify', of: 's1.a', question: 'x', options: ['a', 'b'] })
export const EACH_STEP = { id: 's2', do: 'forEach', in: 's1.emails', max: 3, tool: 'email.read', args: {} }
export const EACH = verb(EACH_STEP)
export const item = (n: number, rest: object = {}) => ({
  id: `s${n}`,
  do: 'tool' as const,
  tool: 'email.read',
  args: {},
  ...rest,
})
