/**
 * The task machine: `advance(task, outcome) → (task, effects)` (DESIGN §3, B-32). Pure and total: no I/O, clock or randomness,
 * and no outcome, however hostile, makes it throw. Decides only order and limits; `authorize` decides whether a step is
 * permitted. Called by the shell of each place.
 */

import type { Outcome } from '../task/outcome.ts'
import { type Effect, type EffectRow, isFinal, type Task } from '../task/task.ts'
import { STEP_HANDLERS } from './execute.ts'
import { FINISH_HANDLERS } from './finish.ts'
import { HOME_HANDLERS, isToTell } from './home.ts'
import { PLAN_HANDLERS } from './plan.ts'
import { type Handlers, inTurn, type Transition } from './step.ts'

const HANDLERS: Handlers<Outcome['got']> = {
  ...PLAN_HANDLERS,
  ...STEP_HANDLERS,
  ...HOME_HANDLERS,
  ...FINISH_HANDLERS,
}

export type NewTask = Pick<
  Task,
  | 'id'
  | 'trace'
  | 'template'
  | 'principal'
  | 'event'
  | 'place'
  | 'turn'
  | 'ceiling'
  | 'tools'
  | 'maxToolCalls'
  | 'sink'
  | 'words'
  | 'memory'
  | 'createdAt'
  | 'planMode'
>

/** A new task, and its first effect. */
export function startTask(start: NewTask): Transition {
  const task: Task = {
    ...start,
    state: { at: 'extracting' },
    path: null,
    said: null,
    plan: null,
    planned: null,
    planRounds: 0,
    planner: null,
    results: {},
    traces: [],
    callsUsed: 0,
    answer: null,
    model: null,
    trouble: null,
    nextEffect: 0,
  }
  return { task, effects: [{ do: 'extract' }] }
}

/**
 * The next task and its effects. An outcome that does not fit the state or the current step (late, repeated, forged, malformed)
 * returns the same task and no effects.
 */
export function advance(task: Task, outcome: Outcome): Transition {
  try {
    return (isFinal(task.state) ? null : handle(task, outcome)) ?? { task, effects: [] }
  } catch {
    return { task, effects: [] }
  }
}

/** Effects as rows `<task>:<n>`, and the task with its counter increased. Store both in one transaction. */
export function rowsFor(
  task: Task,
  effects: readonly Effect[],
): { readonly task: Task; readonly rows: readonly EffectRow[] } {
  const rows = effects.map((effect, i): EffectRow => {
    const n = task.nextEffect + i
    return { id: `${task.id}:${n}`, task: task.id, n, effect, status: 'pending' }
  })
  return { task: { ...task, nextEffect: task.nextEffect + rows.length }, rows }
}

/**
 * Whether an effect is still needed. A row that waited while its task was stopped or answered must not run: the shell checks
 * before it starts a row and marks the others done.
 */
export function isCurrent(task: Task, effect: Effect): boolean {
  const { state } = task
  switch (effect.do) {
    case 'extract':
      return state.at === 'extracting'
    case 'plan':
      return state.at === 'planning' && task.planRounds === effect.round
    case 'ask_home':
      return state.at === 'awaiting_home' && state.step === effect.step
    case 'synthesize':
      return state.at === 'synthesizing'
    case 'deliver':
      return state.at === 'delivering' && state.phase === 'sending'
    case 'remember':
      return state.at === 'delivering' && state.phase === 'remembering'
    default:
      return isInTurn(task, effect)
  }
}

type StepEffect = Extract<
  Effect,
  { readonly do: 'show_plan' | 'authorize' | 'invoke' | 'compose' | 'classify' | 'ask_owner' }
>

function isInTurn(task: Task, effect: StepEffect): boolean {
  const { state } = task
  if (state.at === 'awaiting_home') return effect.do === 'ask_owner' && isToTell(task, effect)
  if (state.at !== 'executing' || state.step !== effect.step) return false
  if (effect.do === 'show_plan') return state.phase === 'showing' && state.approval === effect.approval
  if (effect.do === 'authorize') return state.phase === 'checking' && state.approval === effect.approval
  if (effect.do === 'ask_owner') return state.phase === 'asking' && state.approval === effect.approval
  const verb = effect.do === 'invoke' ? 'tool' : effect.do
  return state.phase === 'calling' && inTurn(task)?.step.do === verb
}

/** The cast pairs a handler with the outcome that selected it. The table's type has checked each pair. */
function handle(task: Task, outcome: Outcome): Transition | null {
  if (!Object.hasOwn(HANDLERS, outcome.got)) return null
  const handler = HANDLERS[outcome.got] as (task: Task, outcome: Outcome) => Transition | null
  return handler(task, outcome)
}
