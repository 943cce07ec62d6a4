/**
 * The machine while a plan is shown before it runs (P-19): no step is checked until the owner approved this very plan; any
 * other outcome ends the task. Pure. Called by plan.ts, execute.ts and home.ts.
 */
import type { Refusal } from '../flow/verdict.ts'
import type { Task } from '../task/task.ts'
import { decline, type Transition } from './step.ts'

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

/** Null if no plan is being shown: a failed step may leave others to run, a plan without approval leaves none. */
export function withoutYes(task: Task, step: number, reason: Refusal): Transition | null {
  const isAsked = task.state.at === 'executing' && isPlanQuestion(task) && task.state.step === step
  return isAsked || isShowing(task, step) ? decline(task, step, reason) : null
}
