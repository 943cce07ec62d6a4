/**
 * The machine before a plan runs: extraction, planning and its one repeat (C-15, C-26). Pure. Called by machine.ts.
 */
import type { Refusal } from '../flow/verdict.ts'
import type { Plan } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import { MAX_TASK_STEPS } from './execute.ts'
import { enterStep, type Handlers, type Transition, toSynthesis, withTrouble } from './step.ts'

/** Most planning rounds of a task: a planner that errs cannot keep a model busy (C-15). */
export const MAX_PLAN_ROUNDS = 2

export const PLAN_HANDLERS: Handlers<'extracted' | 'planned' | 'plan_failed'> = {
  extracted: (task, { said, needsTools }) => {
    if (task.state.at !== 'extracting') return null
    return needsTools ? plan({ ...task, said, path: 'full' }) : toSynthesis({ ...task, said, path: 'fast' })
  },

  planned: (task, outcome) => {
    if (!isRound(task, outcome.round)) return null
    const { plan: made, planner, provenance, literals } = outcome
    if (!isNumbered(made)) return withoutPlan(task, { code: 'plan_malformed', facts: {} })
    const written = literals === undefined ? {} : { literals }
    const planned = { ...task, plan: made, planner, planned: provenance, ...written }
    return made.steps.length === 0
      ? withoutPlan(planned, { code: 'plan_empty', facts: {} })
      : enterStep(planned, 0)
  },

  plan_failed: (task, { round, reason, again }) => {
    if (!isRound(task, round)) return null
    return again && task.planRounds < MAX_PLAN_ROUNDS ? plan(task) : withoutPlan(task, reason)
  },
}

/** Starts the next round; rounds count from 1. */
function plan(task: Task): Transition {
  const round = task.planRounds + 1
  return {
    task: { ...task, state: { at: 'planning' }, planRounds: round },
    effects: [{ do: 'plan', round }],
  }
}

/** Nothing will be run; synthesis still tells the person why. */
function withoutPlan(task: Task, reason: Refusal): Transition {
  return toSynthesis(withTrouble(task, reason))
}

function isRound(task: Task, round: number): boolean {
  return task.state.at === 'planning' && task.planRounds === round
}

/** One id, one step: a token or a reference must not fit two. */
function isNumbered({ steps }: Plan): boolean {
  return steps.length <= MAX_TASK_STEPS && steps.every((step, index) => step.id === `s${index + 1}`)
}
