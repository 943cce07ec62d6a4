/**
 * Moves through a plan: enters a step, ends it with success or failure, skips the rest. All changes of `results` and
 * `traces` are here, so that each attempted call leaves exactly one trace (C-19). Pure. Called by the machine's handlers.
 */
import type { Place } from '../flow/place.ts'
import type { Refusal } from '../flow/verdict.ts'
import type { ReasonCode } from '../reasons.ts'
import type { Outcome } from '../task/outcome.ts'
import { ASK_OWNER, FIND_TOOLS, REPLY, type Step } from '../task/plan.ts'
import type { Effect, ExecutingState, StepResult, StepTrace, Task } from '../task/task.ts'

/** Maximum planning rounds of a task: a planner that always wants more must not keep a model busy (C-15, DESIGN §3). */
const MAX_PLAN_ROUNDS = 3

export interface Transition {
  readonly task: Task
  readonly effects: readonly Effect[]
}

/** Returns null for an outcome that does not fit; the machine then changes nothing. */
type Handler<K extends Outcome['got']> = (
  task: Task,
  outcome: Extract<Outcome, { readonly got: K }>,
) => Transition | null

export type Handlers<K extends Outcome['got']> = { readonly [Got in K]: Handler<Got> }

/** The current step, with the data for its trace. */
export interface InTurn {
  readonly index: number
  readonly step: Step
  readonly place: Place
  /** Whether the owner approved this very step. */
  readonly approved: boolean
}

interface Failure {
  readonly outcome: 'failed' | 'denied' | 'unknown'
  readonly reason: Refusal
}

/** Enters a step. After the last one: planning, if the planner asked to see the results, otherwise synthesis. */
export function enterStep(task: Task, index: number): Transition {
  if (index >= stepsOf(task).length) {
    if (wantsMore(task)) return toPlanning(task)
    return isAnswered(task) ? toMemory(task) : toSynthesis(task)
  }
  const state = { at: 'executing', step: index, phase: 'checking', approval: null } as const
  return { task: { ...task, state }, effects: [{ do: 'authorize', step: index, approval: null }] }
}

/** Whether the planner will see the results of the current plan. Until then no write may run. */
export function wantsMore(task: Task): boolean {
  return task.again === true && mayPlanAgain(task)
}

export function mayPlanAgain({ planRounds }: Task): boolean {
  return planRounds < MAX_PLAN_ROUNDS
}

/** Starts the next round; rounds count from 1. */
export function toPlanning(task: Task): Transition {
  const round = task.planRounds + 1
  return {
    task: { ...task, state: { at: 'planning' }, planRounds: round },
    effects: [{ do: 'plan', round }],
  }
}

/** Whether the last step that ran already replied and nothing failed: a second answer would only repeat it. */
function isAnswered({ traces, trouble }: Task): boolean {
  const last = traces.findLast(({ outcome }) => outcome !== 'skipped')
  return trouble === null && last?.tool === REPLY && last.outcome === 'done'
}

function toMemory(task: Task): Transition {
  const state = { at: 'delivering', phase: 'remembering', attempt: 1 } as const
  return { task: { ...task, state }, effects: [{ do: 'remember' }] }
}

export function toSynthesis(task: Task): Transition {
  return { task: { ...task, state: { at: 'synthesizing' } }, effects: [{ do: 'synthesize' }] }
}

/** Ends a step that succeeded, or that its `when` excluded. */
export function endStep(
  task: Task,
  turn: InTurn,
  end: { readonly result: StepResult; readonly label: string | null },
): Transition {
  const outcome = end.result.kind === 'skipped' ? 'skipped' : 'done'
  const trace = traceOf(turn, { outcome, label: end.label, reason: null })
  return enterStep(record(task, turn.step.id, end.result, trace), turn.index + 1)
}

/**
 * Ends a step that failed. Later steps are skipped unless this one was marked independent (C-19). After a write with an unknown
 * outcome nothing more runs.
 */
export function failStep(task: Task, turn: InTurn, failure: Failure): Transition {
  const { outcome, reason } = failure
  const trace = traceOf(turn, { outcome, label: null, reason: reason.code })
  const recorded = record(task, turn.step.id, { kind: 'failed', reason }, trace)
  if (isWord(turn.step)) return toTelling({ ...skipFrom(recorded, turn.index + 1), trouble: reason })
  const unknown = outcome === 'unknown'
  if (mayReadOtherwise(task, turn, reason)) return toOther(withTrouble(recorded, reason), turn.index)
  // A failed search for tools is not reported: the next plan goes without the tools that it did not find.
  const isLook = (turn.step.do === 'tool' && turn.step.tool === FIND_TOOLS) || isForeseen(task, turn, reason)
  const troubled = unknown
    ? { ...recorded, trouble: reason }
    : isLook
      ? recorded
      : withTrouble(recorded, reason)
  if ((turn.step.independent === true || isLook) && !unknown) return enterStep(troubled, turn.index + 1)
  return toSynthesis(skipFrom(troubled, turn.index + 1))
}

/** A `select` or `choose` without a match whose result a later condition tests: "if there is none, book it". */
function isForeseen(task: Task, { step, index }: InTurn, { code }: Refusal): boolean {
  if (code !== 'nothing_found' || (step.do !== 'select' && step.do !== 'choose')) return false
  return stepsOf(task)
    .slice(index + 1)
    .some(({ when }) => when !== undefined && /^[a-z]+\d+/.exec(when.ref)?.[0] === step.id)
}

/**
 * Whether no row had the words, although a model could plan again: the thing may have another name, which only a model can tell.
 */
function mayReadOtherwise(task: Task, { step }: InTurn, { code }: Refusal): boolean {
  const isUnfound = code === 'nothing_found' && step.do === 'select' && step.independent !== true
  return task.otherwise === true && isUnfound && mayPlanAgain(task)
}

/** Whether the first plan found nothing and nothing else went wrong, so that another plan may search with other words. */
export function mayLookAgain({ state, planRounds, trouble, wrote }: Task): boolean {
  const isOnlyUnfound = trouble === null || trouble.code === 'nothing_found'
  return state.at === 'synthesizing' && planRounds === 1 && isOnlyUnfound && wrote !== true
}

/**
 * Plans again from what was read, and drops the later steps of code's plan, none of which has begun.
 * The failed step stays, because the list it picked from decided that there is a second plan.
 */
function toOther(task: Task, index: number): Transition {
  const plan = { explanation: '', steps: stepsOf(task).slice(0, index + 1) }
  return toPlanning({ ...withoutOther(task), plan })
}

export function withoutOther({ otherwise: _, ...task }: Task): Task {
  return task
}

/** Ends a step whose result is the owner's approval itself: no tool is called, and nothing more runs. */
export function endWithWord(task: Task, turn: InTurn): Transition {
  const trace = traceOf({ ...turn, approved: true }, { outcome: 'done', label: null, reason: null })
  const told = record(task, turn.step.id, { kind: 'skipped' }, trace)
  return toTelling({ ...skipFrom(told, turn.index + 1), trouble: null })
}

/** The owner did not approve the plan from here on, or could not be asked: none of it runs (P-19). */
export function decline(task: Task, from: number, reason: Refusal): Transition {
  return toTelling({ ...skipFrom(task, from), declined: true, trouble: reason })
}

export function isWord(step: Step): boolean {
  return step.do === 'tool' && step.tool === ASK_OWNER
}

/** Delivers the kernel's own words for the owner's decision; no model words them. */
function toTelling(task: Task): Transition {
  const state = { at: 'delivering', phase: 'sending', attempt: 1 } as const
  return { task: { ...task, answer: null, state }, effects: [{ do: 'deliver' }] }
}

function skipFrom(task: Task, index: number): Task {
  const skipped: StepResult = { kind: 'skipped' }
  return stepsOf(task)
    .slice(index)
    .reduce((current, step) => {
      const turn = { index, step, place: task.place, approved: false }
      return record(
        current,
        step.id,
        skipped,
        traceOf(turn, { outcome: 'skipped', label: null, reason: null }),
      )
    }, task)
}

/** Stops the plan where it is. A call under way is recorded as unknown, because it may have run. */
export function abandon(task: Task, reason: ReasonCode): Task {
  const turn = inTurn(task)
  if (turn === null) return task
  const { state } = task
  const underWay = state.at === 'awaiting_home' || (state.at === 'executing' && state.phase === 'calling')
  if (!underWay) return skipFrom(task, turn.index)
  const trace = traceOf(turn, { outcome: 'unknown', label: null, reason })
  const failed: StepResult = { kind: 'failed', reason: { code: reason, facts: {} } }
  return skipFrom(record(task, turn.step.id, failed, trace), turn.index + 1)
}

/** The current step, or null if the state has none. */
export function inTurn(task: Task): InTurn | null {
  const { state } = task
  if (!('step' in state)) return null
  const step = stepsOf(task)[state.step]
  if (step === undefined) return null
  const place = state.at === 'awaiting_home' ? 'home' : task.place
  const given = state.at === 'awaiting_home' || (state.at === 'executing' && isGiven(state.phase))
  return { index: state.step, step, place, approved: given && state.approval !== null }
}

/** Whether the approval in this state was given to the step itself. */
function isGiven(phase: ExecutingState['phase']): boolean {
  return phase !== 'asking' && phase !== 'showing'
}

export function stepsOf(task: Task): readonly Step[] {
  return task.plan?.steps ?? []
}

/** Keeps the first failure: later ones are mostly its consequence. */
export function withTrouble(task: Task, reason: Refusal): Task {
  return task.trouble === null ? { ...task, trouble: reason } : task
}

function record(task: Task, id: string, result: StepResult, trace: StepTrace | null): Task {
  const traces = trace === null ? task.traces : [...task.traces, trace]
  return { ...task, results: { ...task.results, [id]: result }, traces }
}

/** `select` and `compute` call nothing and leave no trace. */
function traceOf(turn: InTurn, end: Pick<StepTrace, 'outcome' | 'label' | 'reason'>): StepTrace | null {
  const { step, place, approved } = turn
  if (step.do === 'select' || step.do === 'compute') return null
  return { step: step.id, tool: 'tool' in step ? step.tool : step.do, place, approved, ...end }
}

/** Shows the plan from a step on. With `approval`, checks whether that approval is for this very plan. */
export function toShowing(task: Task, step: number, approval: string | null): Transition {
  const state = { at: 'executing', step, phase: 'showing', approval } as const
  return { task: { ...task, state }, effects: [{ do: 'show_plan', step, approval }] }
}

export function askForPlan(task: Task, step: number, approval: string): Transition {
  const state = { at: 'executing', step, phase: 'asking', approval, asks: 'plan' } as const
  return { task: { ...task, state }, effects: [{ do: 'ask_owner', step, approval }] }
}

/** True if the open or pending question is about the plan. */
export function isPlanQuestion({ state }: Task): boolean {
  return 'asks' in state && state.asks === 'plan'
}

export function isShowing({ state }: Task, step: number): boolean {
  return state.at === 'executing' && state.phase === 'showing' && state.step === step
}

/**
 * Declines the plan if it is being shown or asked about; otherwise null. A failed step
 * may leave others to run, but a plan without approval leaves none.
 */
export function withoutYes(task: Task, step: number, reason: Refusal): Transition | null {
  const isAsked = task.state.at === 'executing' && isPlanQuestion(task) && task.state.step === step
  return isAsked || isShowing(task, step) ? decline(task, step, reason) : null
}
