/**
 * The task machine: `advance(task, outcome) → (task, effects)` (DESIGN §3, B-32). Pure and total: no I/O,
 * clock or randomness, and no outcome, however hostile, makes it throw. Decides only order and limits;
 * `authorize` decides whether a step is permitted. Called by the shell of each place.
 */

import type { Refusal } from '../flow/verdict.ts'
import type { Outcome } from '../task/outcome.ts'
import type { ModelVerb, Plan, Step } from '../task/plan.ts'
import { rootsOf } from '../task/roots.ts'
import {
  type Effect,
  type EffectRow,
  isFinal,
  type Literals,
  type Task,
  type TaskState,
} from '../task/task.ts'
import { HOME_HANDLERS, isToTell, MAX_TASK_STEPS, MODEL_EFFECTS, STEP_HANDLERS } from './execute.ts'
import {
  abandon,
  enterStep,
  type Handlers,
  inTurn,
  mayLookAgain,
  mayPlanAgain,
  stepsOf,
  type Transition,
  toPlanning,
  toShowing,
  toSynthesis,
  withoutOther,
  withTrouble,
} from './step.ts'

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

/** Starts a task with a plan made by the kernel: it begins with the first step and calls no planner. */
export function startPlanned(
  start: NewTask,
  planned: Required<Pick<Task, 'plan' | 'planned' | 'planner'>>,
): Transition {
  return enterStep({ ...startTask(start).task, ...planned, path: 'full', planRounds: 1 }, 0)
}

/** Starts a task of one call that was approved for a later time: it waits for that time and plans nothing. */
export function startTimed(
  start: NewTask,
  timed: Required<Pick<Task, 'plan' | 'planned' | 'planner'>> & {
    readonly approval: string
    readonly until: number
  },
): Task {
  const { approval, until, ...planned } = timed
  const state = { at: 'awaiting_time', step: 0, approval, until } as const
  return { ...startTask(start).task, ...planned, state, timed: until }
}

/** Lets a scheduled task that was cancelled wait for its time again, unchanged; null for any other task. */
export function waitAgain(
  task: Task,
  { approval, until }: { readonly approval: string; readonly until: number },
): Task | null {
  // A task that has begun is asked about again, and is never started a second time.
  if (task.state.at !== 'cancelled' || task.timed !== until || task.nextEffect > 0) return null
  return {
    ...task,
    state: { at: 'awaiting_time', step: 0, approval, until },
    results: {},
    traces: [],
    trouble: null,
  }
}

/**
 * The next task and its effects. An outcome that does not fit the state or the current step (late, repeated,
 * forged, malformed) returns the same task and no effects.
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
 * Whether an effect is still needed. A row that waited while its task was stopped or answered must not run:
 * the shell checks before it starts a row and marks the others done.
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
  { readonly step: number } & { readonly do: Exclude<Effect['do'], 'ask_home'> }
>

function isInTurn(task: Task, effect: StepEffect): boolean {
  const { state } = task
  if (state.at === 'awaiting_home') return effect.do === 'ask_owner' && isToTell(task, effect)
  if (state.at !== 'executing' || state.step !== effect.step) return false
  if (effect.do === 'show_plan') return state.phase === 'showing' && state.approval === effect.approval
  if (effect.do === 'authorize') return state.phase === 'checking' && state.approval === effect.approval
  if (effect.do === 'ask_owner') return state.phase === 'asking' && state.approval === effect.approval
  const verb = inTurn(task)?.step.do
  if (state.phase !== 'calling' || verb === undefined) return false
  if (effect.do === 'invoke') return verb === 'tool'
  return isModelVerb(verb) && MODEL_EFFECTS[verb] === effect.do
}

function isModelVerb(verb: Step['do']): verb is ModelVerb {
  return Object.hasOwn(MODEL_EFFECTS, verb)
}

/** The cast pairs a handler with the outcome that selected it. The table's type has checked each pair. */
function handle(task: Task, outcome: Outcome): Transition | null {
  if (!Object.hasOwn(HANDLERS, outcome.got)) return null
  const handler = HANDLERS[outcome.got] as (task: Task, outcome: Outcome) => Transition | null
  return handler(task, outcome)
}

type FinishOutcome =
  | 'unfound'
  | 'synthesized'
  | 'synthesis_failed'
  | 'delivered'
  | 'delivery_denied'
  | 'remembered'
  | 'stopped'
  | 'withdrawn'
  | 'faulted'

const FINISH_HANDLERS: Handlers<FinishOutcome> = {
  /**
   * Plans again, as after `again`. The earlier reads decided that there is a second
   * plan, which `controlAbove` takes into account.
   */
  unfound: (task) => (mayLookAgain(task) ? toPlanning(withoutOther(task)) : null),

  synthesized: (task, { answer, model }) =>
    task.state.at === 'synthesizing' ? deliver({ ...task, answer, model }) : null,

  /** Without an answer the shell delivers the kernel's own words for the failure. */
  synthesis_failed: (task, { reason }) =>
    task.state.at === 'synthesizing' ? deliver({ ...unanswered(task, reason), answer: null }) : null,

  delivered: (task) => (isSending(task) ? toRemembering(task) : null),

  /**
   * An answer that may not be sent is replaced by a notice, once. A notice that may not be sent ends the
   * task.
   */
  delivery_denied: (task, { reason }) => {
    if (!isSending(task)) return null
    if (task.answer === null) return end(task, { at: 'failed', reason })
    return deliver({ ...task, answer: null, trouble: reason })
  },

  remembered: (task) => (isRemembering(task) ? end(task, lastState(task)) : null),

  /**
   * Ignored while the answer is being delivered: the work is done, and "cancelled"
   * could be untrue. A scheduled task is not under way; it is cancelled by its name.
   */
  stopped: (task) => {
    if (task.state.at === 'delivering' || task.state.at === 'awaiting_time') return null
    const reason: Refusal = { code: 'task_stopped', facts: {} }
    return deliver({ ...abandon(task, reason.code), answer: null, trouble: reason })
  },

  withdrawn: (task, { remembers }) => {
    if (task.state.at === 'delivering') return null
    const over = abandon(task, 'approval_withdrawn')
    return remembers === true ? toRemembering({ ...over, declined: true }) : end(over, { at: 'cancelled' })
  },

  faulted: (task, { reason }) => {
    if (isRemembering(task)) return end(task, lastState(task))
    if (isSending(task)) return end(withTrouble(task, reason), { at: 'failed', reason })
    return deliver(withTrouble({ ...abandon(task, reason.code), answer: null }, reason))
  },
}

/**
 * A secret in the prompt is reported in place of any earlier failure, because only the owner can remove it
 * (D-05).
 */
function unanswered(task: Task, reason: Refusal): Task {
  return reason.code === 'secret_in_prompt' ? { ...task, trouble: reason } : withTrouble(task, reason)
}

function deliver(task: Task): Transition {
  return { task: { ...task, state: { at: 'delivering', phase: 'sending' } }, effects: [{ do: 'deliver' }] }
}

function toRemembering(task: Task): Transition {
  const state = { at: 'delivering', phase: 'remembering' } as const
  return { task: { ...task, state }, effects: [{ do: 'remember' }] }
}

function end(task: Task, state: TaskState): Transition {
  return { task: { ...task, state, memory: namedMemory(task) }, effects: [] }
}

/** Earlier results that the plan reads. The others were for the planner only, which is done. */
function namedMemory({ plan, memory }: Task): Task['memory'] {
  const roots = new Set(plan?.steps.flatMap(rootsOf))
  return Object.fromEntries(Object.entries(memory).filter(([root]) => roots.has(root)))
}

/** A task that delivered an answer is completed, even if a step failed. */
function lastState(task: Task): TaskState {
  if (task.trouble?.code === 'task_stopped' || task.declined === true) return { at: 'cancelled' }
  if (task.answer === null && task.trouble !== null) return { at: 'failed', reason: task.trouble }
  return { at: 'completed' }
}

function isSending({ state }: Task): boolean {
  return state.at === 'delivering' && state.phase === 'sending'
}

function isRemembering({ state }: Task): boolean {
  return state.at === 'delivering' && state.phase === 'remembering'
}

const PLAN_HANDLERS: Handlers<'extracted' | 'planned' | 'plan_failed'> = {
  extracted: (task, { said, needsTools }) => {
    if (task.state.at !== 'extracting') return null
    return needsTools
      ? toPlanning({ ...task, said, path: 'full' })
      : toSynthesis({ ...task, said, path: 'fast' })
  },

  planned: (task, outcome) => {
    if (!isRound(task, outcome.round)) return null
    const { plan: made, planner, provenance, literals, leftOut, short, otherwise } = outcome
    const before = stepsOf(task)
    if (!isNumbered(before, made)) return withoutPlan(task, { code: 'plan_malformed', facts: {} })
    const steps = [...before, ...made.steps]
    const plan = { steps, explanation: before.length === 0 ? made.explanation : '' }
    const written = withLiterals(task.literals, literals && { ...literals, planner })
    const planned = {
      ...{ ...found(task, made), plan, planner, planned: provenance, ...written },
      ...(leftOut !== undefined && { leftOut }),
      ...(before.length > 0 && { resumed: before.length }),
      ...(otherwise === true && { otherwise }),
    }
    const told = short === undefined ? planned : withTrouble(planned, { code: short, facts: {} })
    // Small talk needs no step.
    if (steps.length === 0) return toSynthesis(told)
    return begin(wanting(told, made), before.length)
  },

  /** If the first plan did not ask for a second round and this round fails, the answer uses what the first plan found. */
  plan_failed: (task, { round, reason }) => {
    if (!isRound(task, round)) return null
    return round > 1 && task.again !== true ? toSynthesis(task) : withoutPlan(task, reason)
  },
}

/** In plan mode every plan is shown to the owner first, whoever made it; a second plan again (P-19). */
function begin(task: Task, from: number): Transition {
  const shows = task.planMode?.on === true && from < stepsOf(task).length
  return shows ? toShowing(task, from, null) : enterStep(task, from)
}

/**
 * A request for another round that comes too late is reported as a failure, because the work may be half
 * done.
 */
function wanting({ again: _, ...task }: Task, { again }: Plan): Task {
  if (again !== true) return task
  return mayPlanAgain(task)
    ? { ...task, again }
    : withTrouble(task, { code: 'plan_limit_reached', facts: { rounds: task.planRounds } })
}

/**
 * Clears a trouble of the first plan that the next one supersedes: something not
 * found, or a part left out. An empty plan clears nothing.
 */
function found({ leftOut, ...task }: Task, { steps }: Plan): Task {
  if (steps.length === 0) return { ...task, ...(leftOut !== undefined && { leftOut }) }
  const isOver = task.trouble?.code === 'nothing_found' || task.trouble?.code === 'request_left_out'
  return isOver ? { ...task, trouble: null } : task
}

function withLiterals(before: Task['literals'], made: Literals | undefined): Pick<Task, 'literals'> {
  return made === undefined ? {} : { literals: [...(before ?? []), made] }
}

/** Nothing runs; synthesis still tells the person why. */
function withoutPlan(task: Task, reason: Refusal): Transition {
  return toSynthesis(withTrouble(task, reason))
}

function isRound(task: Task, round: number): boolean {
  return task.state.at === 'planning' && task.planRounds === round
}

/** Ids must be unique, so that a token or a reference fits one step only. */
function isNumbered(before: readonly Step[], { steps }: Plan): boolean {
  const ran = before.length
  const all = new Set([...before, ...steps].map(({ id }) => id))
  const inOrder = steps.every((step, index) => step.id === `s${ran + index + 1}`)
  return inOrder && all.size === ran + steps.length && all.size <= MAX_TASK_STEPS
}

const HANDLERS: Handlers<Outcome['got']> = {
  ...PLAN_HANDLERS,
  ...STEP_HANDLERS,
  ...HOME_HANDLERS,
  ...FINISH_HANDLERS,
}
