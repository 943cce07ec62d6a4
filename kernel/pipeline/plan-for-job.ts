/**
 * Makes the plan of a job with a model, once, when the owner asks for the job. The plan contains only reads by code and
 * runs as its card showed it (DESIGN §9). The model sees the owner's words and no result. Called by worded-jobs.ts.
 */
import { eachByItself } from '../features/jobs/frozen.ts'
import type { PlanPorts } from '../features/jobs/requests/drafting-port.ts'
import { modelsFor } from '../features/models/choice.ts'
import { type Json, stringsIn } from '../flow/json.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { err, type Result } from '../flow/verdict.ts'
import { plannerView } from '../model-call/planner-view.ts'
import type { Templates } from '../powers/ports.ts'
import type { Outcome } from '../task/outcome.ts'
import type { Plan } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import { byModels, failed, isOther, ofTemplate, outcomeOf, type Planned, saidBy } from './plan.ts'

/** Tells the planner that the plan is stored and runs again, so that what it reads must be looked up each time. */
const FROZEN_PLAN_INSTRUCTION =
  'This plan is kept and runs again at each time of a job, for one who then words what it read. Read only: tool, forEach, select and compute. Take days from said, and write no date. Plan nothing if the tools do not read all of it.'
const DATED = /^\d{4}-\d{2}-\d{2}/

/**
 * Plans the owner's own words for a job with a model: reads by code only, without a date that
 * would be past at the next run. `task` has the template that decides which models are asked.
 * Refusals: those of a plan; plan_empty, also for a plan that omits a part of the request.
 */
export async function planForJob(
  powers: PlanPorts & Templates,
  task: Task,
  template: Template,
): Promise<Outcome> {
  const round = task.planRounds
  const own = { ...template, principalClass: 'owner' } as const
  const view = await plannerView(powers, task, own)
  if (!view.ok) return failed(round, view.reason)
  const said = await saidBy(powers, task, '')
  const checked = (planned: Planned): Result<Planned> => {
    const fault = frozenPlanFault(planned.plan, said)
    return fault === null ? ofTemplate(powers, task, own, planned) : fault
  }
  const question = receive({ instruction: FROZEN_PLAN_INSTRUCTION, options: [] }, kernelWords())
  const line = powers.templates.find(({ id }) => id === task.template) ?? own
  const models = modelsFor(powers, line, task).filter(isOther)
  if (models.length === 0) return failed(round, { code: 'plan_empty', facts: {} })
  const made = await byModels({ powers, task, template: own, view: view.value, checked, question }, models)
  if (!made.ok) return failed(round, made.reason)
  const { plan: written, leftOut } = made.value
  if (written.steps.length === 0 || leftOut !== undefined)
    return failed(round, { code: 'plan_empty', facts: {} })
  return outcomeOf(powers, task, round, { ...made.value, plan: eachByItself(written) })
}

/**
 * Refuses what a frozen plan must not contain: a verb for a model or the owner, a
 * request to plan again, a date. Null if there is nothing of the kind.
 */
function frozenPlanFault(
  { steps, again }: Plan,
  said: (written: Json) => string | null,
): Result<never> | null {
  if (again === true) return err('plan_malformed', { field: 'again' })
  for (const step of steps) {
    const isAllowedVerb = ['tool', 'forEach', 'select', 'compute'].includes(step.do)
    const written = step.do === 'compute' ? step.of : 'args' in step ? step.args : []
    const isDated = stringsIn(written as Json).some((text) => DATED.test(text) && said(text) === null)
    if (!isAllowedVerb || isDated) return err('plan_malformed', { step: step.id })
  }
  return null
}
