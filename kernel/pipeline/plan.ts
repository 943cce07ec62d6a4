/**
 * Phase 1, plan: the template's canned plan, then `rules`, then a model that sees metadata only (C-07, C-11 – C-15,
 * DESIGN §3). The result is data, and is checked against the template before it counts as a plan. Called by drive.ts.
 */
import type { FieldSpec } from '../flow/field.ts'
import { type Labeled, type Provenance, test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type LabeledRecord, pick } from '../flow/record.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { chainFor } from '../inference/chain.ts'
import type { ModelAnswer, ModelProvider } from '../inference/provider.ts'
import { type AskModelPorts, askModel } from '../model-call/model-call.ts'
import { type PlannerView, type PlannerViewPorts, plannerView } from '../model-call/planner-view.ts'
import { audit } from '../powers/audit.ts'
import { lookUpAction } from '../powers/effects.ts'
import { INTENTS } from '../powers/message-fields.ts'
import type { Actions } from '../powers/ports.ts'
import { keepText, openRecordOf, type SealedKeeping, type SealedReading } from '../powers/sealed.ts'
import { liftLiterals } from '../task/literals.ts'
import type { Outcome } from '../task/outcome.ts'
import { CANNED, isReference, type Plan, parseReference, RULES, type Step } from '../task/plan.ts'
import { PLAN_ANSWER, readPlanAnswer } from '../task/plan-answer.ts'
import { parsePlan } from '../task/plan-schema.ts'
import { CLASS_CAPABILITIES } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { Registry } from '../tool/registry.ts'

/** Milliseconds for one planning call. */
const PLAN_TIMEOUT = 60_000
/** Longest plan text that is parsed, UTF-16 units: bounds the work on a flood of output. */
const MAX_PLAN_TEXT = 20_000

/** Reason in the empty plan of `rules` when no rule matches the words. */
const NOT_UNDERSTOOD = 'not_understood'

interface Planned {
  readonly plan: Plan
  readonly planner: string
  readonly provenance: Provenance
}

export async function plan(
  powers: AskModelPorts & PlannerViewPorts,
  task: Task,
  round: number,
): Promise<Outcome> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return failed(round, 'template_none_matches', false)
  const canned = isSecond(task) ? null : await cannedPlan(powers, task, template)
  const planned = canned === null ? await freePlan(powers, task, template) : ok(canned)
  if (!planned.ok)
    return { got: 'plan_failed', round, reason: planned.reason, again: isWorthAsking(planned.reason.code) }
  const checked = checkPlan(planned.value.plan, template, powers.registry)
  if (!checked.ok) {
    audit(powers, 'denial', task, { code: checked.reason.code, ...checked.reason.facts })
    return {
      got: 'plan_failed',
      round,
      reason: checked.reason,
      again: checked.reason.code === 'plan_malformed',
    }
  }
  return { got: 'planned', round, ...planned.value, ...(await withoutLiterals(powers, task, planned.value)) }
}

/** The first plan has run, and its planner asked to continue from the results. */
function isSecond({ plan: first }: Task): boolean {
  return first !== null
}

/**
 * A template's plan stays unsealed, being the template's text, unless another planner continues it. Text written by
 * any other planner is sealed before the plan is stored (B-13).
 */
async function withoutLiterals(
  powers: SealedKeeping,
  task: Task,
  { plan, planner, provenance }: Planned,
): Promise<Pick<Extract<Outcome, { readonly got: 'planned' }>, 'plan' | 'literals'>> {
  if (planner === CANNED && plan.again !== true) return { plan }
  const before = (task.literals ?? []).reduce((sum, { count }) => sum + count, 0)
  const { plan: shape, literals } = liftLiterals(plan, before)
  const count = literals.length
  if (count === 0) return { plan: shape }
  const keeping = { principal: task.principal, store: 'sessions', until: null } as const
  const ref = await keepText(powers, keeping, receive(JSON.stringify(literals), provenance))
  return { plan: shape, literals: { ref, count } }
}

/** All rules that a plan must satisfy before any step runs (C-13, A-51). */
export function checkPlan(plan: Plan, template: Template, registry: Registry): Result<Plan> {
  const calls = plan.steps.filter((step) => step.do === 'tool' || step.do === 'forEach')
  if (calls.length > template.maxToolCalls) return err('plan_too_long', { max: template.maxToolCalls })
  for (const step of plan.steps) {
    const checked = checkStep(step, template, registry)
    if (!checked.ok) return checked
    if (plan.again === true && isWrite(step, registry)) return err('plan_malformed', { step: step.id })
  }
  return ok(plan)
}

/** A second plan may only follow reads (DESIGN §3). */
function isWrite(step: Step, registry: Registry): boolean {
  const action = step.do === 'tool' || step.do === 'forEach' ? lookUpAction(registry, step.tool) : null
  return action?.ok === true && action.value.semantics === 'write'
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

/** The intent is an enum taken from the owner's own words; the text of a canned plan is the template's. */
async function cannedPlan(
  powers: SealedReading & Actions,
  task: Task,
  template: Template,
): Promise<Planned | null> {
  if (task.said === null) return null
  const said = await openRecordOf(powers, task.said)
  if (!said.ok) return null
  const intent = pick(said.value, ['intent'])
  if (!intent.ok) return null
  const name = INTENTS.find((known) => test(intent.value, (value) => value === known))
  const canned = name !== undefined && Object.hasOwn(template.plans, name) ? template.plans[name] : undefined
  if (canned === undefined || !saysEnough(powers.registry, canned, said.value)) return null
  const { label, taint } = intent.value
  return { plan: canned, planner: CANNED, provenance: { label, taint } }
}

/** A canned plan needs the fields that its tools require; if one is missing, `rules` asks for it. */
function saysEnough(registry: Registry, { steps }: Plan, said: LabeledRecord): boolean {
  return steps.every((step) => {
    const action = step.do === 'tool' ? lookUpAction(registry, step.tool) : null
    if (step.do !== 'tool' || !action?.ok) return true
    return Object.entries(step.args).every(([name, argument]) => {
      const field = action.value.args.fields[name]
      const target = isReference(argument) ? parseReference(argument.$ref) : null
      if (field === undefined || isOptional(field) || !target?.ok || target.value.root !== 'said') return true
      return pick(said, target.value.path).ok
    })
  })
}

/** A webhook may only trigger the plan of its template (B-06). */
function freePlan(
  powers: AskModelPorts & PlannerViewPorts,
  task: Task,
  template: Template,
): Promise<Result<Planned>> {
  if (CLASS_CAPABILITIES[template.principalClass].plansFreely) return modelPlan(powers, task, template)
  return Promise.resolve(err('principal_not_allowed', { template: template.id }))
}

/**
 * Known intents need no planning model: `rules` runs first, and a model is called only if no rule matches. `rules`
 * never continues from results, so it makes no second plan.
 */
async function modelPlan(
  powers: AskModelPorts & PlannerViewPorts,
  task: Task,
  template: Template,
): Promise<Result<Planned>> {
  const view = await plannerView(powers, task, template)
  if (!view.ok) return view
  const asking = { powers, task, template, view: view.value }
  if (isSecond(task)) {
    const second = await askPlanner(asking, isOther)
    return second.ok || isPlanFault(second.reason.code) ? second : askPlanner(asking, isRules)
  }
  const byRules = await askPlanner(asking, isRules)
  const others = chainFor(powers.models, template.inference, powers.modelOf).filter(isOther)
  if (others.length === 0 || (byRules.ok && byRules.value.plan.explanation !== NOT_UNDERSTOOD)) return byRules
  const byModel = await askPlanner(asking, isOther)
  return byModel.ok || !byRules.ok ? byModel : byRules
}

interface Asking {
  readonly powers: AskModelPorts
  readonly task: Task
  readonly template: Template
  readonly view: PlannerView
}

async function askPlanner(asking: Asking, only: typeof isOther): Promise<Result<Planned>> {
  const { powers, task, template, view } = asking
  const ran = task.plan?.steps.length ?? 0
  const question = ran === 0 ? null : goingOn(ran)
  const reply = await askModel(powers, task, {
    only,
    request: { ...view, purpose: 'plan', contents: [], troubles: [], question },
    limits: { maxTokens: template.maxTokensPlan, timeout: PLAN_TIMEOUT, schema: PLAN_ANSWER },
    // A model whose answer is no plan has failed, like an unavailable one: the next is called. `rules` is the last.
    ...(only === isOther && { faultIn: (answer) => faultOf(planIn(answer, ran)) }),
  })
  if (!reply.ok) return reply
  const { model, provenance } = reply.value
  const parsed = planIn(reply.value, ran)
  return parsed.ok ? ok({ plan: parsed.value, planner: model, provenance }) : parsed
}

/** Tells a planner how many steps have run, in the form that `role-plan.md` defines: the id of its first step. */
function goingOn(
  ran: number,
): Labeled<{ readonly instruction: string; readonly options: readonly string[] }> {
  return receive({ instruction: `s${ran + 1}`, options: [] }, kernelWords())
}

function isOther({ reader }: ModelProvider): boolean {
  return reader.id !== RULES
}

function isRules(model: ModelProvider): boolean {
  return !isOther(model)
}

function faultOf(plan: Result<Plan>): Refusal | null {
  return plan.ok ? null : plan.reason
}

/** A truncated plan is invalid, even if the rest parses (B-37). */
function planIn({ text, cut }: Pick<ModelAnswer, 'text' | 'cut'>, ran: number): Result<Plan> {
  if (cut) return err('plan_truncated')
  if (text.length > MAX_PLAN_TEXT) return err('plan_too_long', { max: MAX_PLAN_TEXT })
  try {
    return parsePlan(readPlanAnswer(text), ran)
  } catch {
    return err('plan_malformed')
  }
}

/** The model answered with something that is no plan; the owner is notified rather than given a partial plan. */
function isPlanFault(code: string): boolean {
  return code.startsWith('plan_') || code.startsWith('reference_')
}

function isWorthAsking(code: string): boolean {
  return code === 'plan_malformed' || code === 'plan_truncated'
}

function failed(round: number, code: 'template_none_matches', again: boolean): Outcome {
  return { got: 'plan_failed', round, reason: { code, facts: {} }, again }
}
