/**
 * Checks a plan against its template before any step runs (C-13, A-51): tools, arguments,
 * references and number of calls. Must not resolve a value. Called by plan.ts.
 */
import type { FieldSpec } from '../flow/field.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Plan, Step } from '../task/plan.ts'
import { unseenSteps } from '../task/unseen.ts'
import type { Template } from '../template/template.ts'
import { changesSomething, type Registry } from '../tool/registry.ts'
import { checkReferences } from './plan-references.ts'

/** All rules that a plan must satisfy before any step runs (C-13, A-51). `before`: steps of an earlier plan of the task. */
export function checkPlan(
  plan: Plan,
  template: Template,
  registry: Registry,
  before: readonly Step[] = [],
): Result<Plan> {
  const calls = plan.steps.filter((step) => step.do === 'tool' || step.do === 'forEach')
  if (calls.length > template.maxToolCalls) return err('plan_too_long', { max: template.maxToolCalls })
  const unseen = unseenSteps(plan.steps)
  for (const step of plan.steps) {
    const checked = checkStep(step, template, registry)
    if (!checked.ok) return checked
    // Steps are numbered on from this plan, so the first number of the next plan would reveal how many items were found.
    const counts = step.do === 'forEach' && unseen.has(step.id)
    if (plan.again === true && (counts || isWrite(step, registry)))
      return err('plan_malformed', { step: step.id })
  }
  const fit = checkReferences(plan.steps, before, registry)
  return fit.ok ? ok(plan) : fit
}

/** A second plan may only follow reads (DESIGN §3). */
function isWrite(step: Step, registry: Registry): boolean {
  const action = step.do === 'tool' || step.do === 'forEach' ? lookUpAction(registry, step.tool) : null
  return action?.ok === true && changesSomething(action.value)
}

function checkStep(step: Step, template: Template, registry: Registry): Result<true> {
  if (step.do !== 'tool' && step.do !== 'forEach') return ok(true)
  const action = lookUpAction(registry, step.tool)
  if (!action.ok) return err('tool_unknown', { step: step.id })
  if (!template.tools.includes(step.tool))
    return err('tool_not_in_template', { tool: step.tool, template: template.id })
  const { fields } = action.value.args
  const strange = Object.keys(step.args).some((key) => !Object.hasOwn(fields, key))
  const missing = Object.entries(fields).some(
    ([key, field]) => !isOptional(field) && !Object.hasOwn(step.args, key),
  )
  return strange || missing ? err('tool_arguments_invalid', { tool: step.tool, step: step.id }) : ok(true)
}

function isOptional(field: FieldSpec): boolean {
  return field.optional === true
}
