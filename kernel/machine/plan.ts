/**
 * The machine before a plan runs: extraction, planning, and one second planning round (C-15, C-26), used for an invalid plan or
 * for a plan that follows reads. Pure. Called by machine.ts.
 */
import type { Refusal } from '../flow/verdict.ts'
import type { Plan, Step } from '../task/plan.ts'
import type { Literals, Task } from '../task/task.ts'
import { MAX_TASK_STEPS } from './execute.ts'
import { toShowing } from './show.ts'
import {
  enterStep,
  type Handlers,
  mayPlanAgain,
  stepsOf,
  type Transition,
  toPlanning,
  toSynthesis,
  withTrouble,
} from './step.ts'

export const PLAN_HANDLERS: Handlers<'extracted' | 'planned' | 'plan_failed'> = {
  extracted: (task, { said, needsTools }) => {
    if (task.state.at !== 'extracting') return null
    return needsTools
      ? toPlanning({ ...task, said, path: 'full' })
      : toSynthesis({ ...task, said, path: 'fast' })
  },

  planned: (task, outcome) => {
    if (!isRound(task, outcome.round)) return null
    const { plan: made, planner, provenance, literals } = outcome
    const before = stepsOf(task)
    if (!isNumbered(before, made)) return withoutPlan(task, { code: 'plan_malformed', facts: {} })
    const steps = [...before, ...made.steps]
    const plan = { steps, explanation: before.length === 0 ? made.explanation : '' }
    const written = withLiterals(task.literals, literals && { ...literals, planner })
    const planned = {
      ...{ ...task, plan, planner, planned: provenance, ...written },
      ...(before.length > 0 && { resumed: before.length }),
    }
    if (steps.length === 0) return withoutPlan(planned, { code: 'plan_empty', facts: {} })
    return begin(wanting(planned, made), before.length)
  },

  plan_failed: (task, { round, reason, again }) => {
    if (!isRound(task, round)) return null
    return again && mayPlanAgain(task) ? toPlanning(task) : withoutPlan(task, reason)
  },
}

/** In plan mode every plan is shown to the owner first, whoever made it; a second plan again (P-19). */
function begin(task: Task, from: number): Transition {
  const shows = task.planMode?.on === true && from < stepsOf(task).length
  return shows ? toShowing(task, from, null) : enterStep(task, from)
}

/** A request for another round that comes too late is reported as a failure, because the work may be half done. */
function wanting(task: Task, { again }: Plan): Task {
  if (again !== true) return task
  return mayPlanAgain(task)
    ? { ...task, again }
    : withTrouble(task, { code: 'plan_limit_reached', facts: { rounds: task.planRounds } })
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
