/**
 * Phase 1, plan: a model that sees metadata only makes the plan, or the template's canned
 * plan or `rules` if these account for every word of the request (C-07, C-11 – C-15,
 * DESIGN §3, §10). A plan is data and is checked against the template. Called by drive.ts.
 */
import { saidAs } from '../call/values/said.ts'
import { approvedJob, eachByItself, isSamePlan, toolsOf } from '../features/jobs/frozen.ts'
import type { JobStore } from '../features/jobs/port.ts'
import type { PlanPorts } from '../features/jobs/requests/drafting-port.ts'
import type { WordedJobs } from '../features/jobs/worded.ts'
import { modelsFor } from '../features/models/choice.ts'
import type { Json } from '../flow/json.ts'
import { type Provenance, test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type LabeledRecord, pick } from '../flow/record.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import type { ModelProvider } from '../inference/provider.ts'
import { type AskModelPorts, askModel } from '../model-call/model-call.ts'
import { type PlannerView, type PlannerViewPorts, plannerView } from '../model-call/planner-view.ts'
import { audit } from '../powers/audit.ts'
import { TOOLLESS_INTENTS } from '../powers/message-fields.ts'
import type { Actions } from '../powers/ports.ts'
import {
  keepText,
  openRecordOf,
  openTextOf,
  type SealedKeeping,
  type SealedReading,
} from '../powers/sealed.ts'
import type { StoreOf } from '../powers/stores.ts'
import type { NameCorrection } from '../powers/tier-port.ts'
import { describing, usableTools } from '../prompt/shown-tools.ts'
import type { Outcome } from '../task/outcome.ts'
import { CANNED, IN_PART, liftLiterals, ownLiteral, type Plan, RULES } from '../task/plan.ts'
import { planAnswer } from '../task/plan-schema.ts'
import { planIn } from '../task/planned.ts'
import { CLASS_CAPABILITIES } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import { cannedPlan } from './canned-plan.ts'
import { checkPlan } from './check-plan.ts'
import { continuation } from './continuation.ts'
import { toolSearchFirst } from './tool-search-first.ts'

/** Milliseconds for one planning call. */
const PLAN_TIMEOUT = 60_000

export interface Planned {
  readonly plan: Plan
  readonly planner: string
  readonly provenance: Provenance
  /** Reason code if the plan covers less than the request. */
  readonly short?: Short
  /** The part of the request that a model left out, and why, in its words. */
  readonly leftOut?: string
  /** `rules` or the template made the plan, and a model could plan as well. */
  readonly otherwise?: true
}

type Short = NonNullable<Extract<Outcome, { readonly got: 'planned' }>['short']>

export async function plan(
  powers: PlanPorts & WordedJobs & StoreOf<JobStore>,
  task: Task,
  round: number,
): Promise<Outcome> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return failed(round, { code: 'template_none_matches', facts: {} })
  if (template.principalClass === 'cron') return planOfJob(powers, task, { template, round })
  const planned = await planFor(powers, task, template)
  return planned.ok ? outcomeOf(powers, task, round, planned.value) : failed(round, planned.reason)
}

export async function outcomeOf(
  powers: SealedKeeping & SealedReading & Actions,
  task: Task,
  round: number,
  { plan: made, planner, provenance, short, leftOut, otherwise }: Planned,
): Promise<Extract<Outcome, { readonly got: 'planned' }>> {
  const own = { plan: made, planner, provenance, ...(leftOut !== undefined && { leftOut }) }
  const { leftOut: _, ...told } = own
  return {
    ...{ got: 'planned', round, ...told, ...(await withoutLiterals(powers, task, own)) },
    ...(short !== undefined && { short }),
    ...(leftOut !== undefined && { short: 'request_left_out' }),
    ...(otherwise && { otherwise }),
  }
}

/**
 * The plan of a job was frozen at its approval (DESIGN §9). If its words name days, code derives the plan again, and it
 * runs only if it is the same plan. No model plans while a job runs: a plan that a model made at the request runs as shown.
 */
async function planOfJob(
  powers: PlanPorts & WordedJobs & StoreOf<JobStore>,
  task: Task,
  { template, round }: { readonly template: Template; readonly round: number },
): Promise<Outcome> {
  const job = approvedJob(powers.store, task.principal)
  if (!job.ok) return failed(round, job.reason)
  const { frozen, number } = job.value
  if (frozen.planner === 'model') {
    const again = await powers.worded?.again(powers, task, { frozen, round })
    if (again === undefined) return failed(round, { code: 'job_changed', facts: { job: number } })
    if (!again.ok) return failed(round, again.reason)
    const fits = ofTemplate(powers, task, template, again.value)
    return fits.ok ? again.value : failed(round, fits.reason)
  }
  if (frozen.planner === CANNED) {
    const own = { plan: frozen.plan, planner: CANNED, provenance: kernelWords() }
    const checked = ofTemplate(powers, task, template, own)
    return checked.ok ? outcomeOf(powers, task, round, own) : failed(round, checked.reason)
  }
  // Tools that were added to the template since the approval were not approved.
  const made = await planByRules(powers, task, { ...template, tools: toolsOf(frozen.plan) })
  if (made.got !== 'planned') return made
  return isSamePlan(frozen.plan, made.plan)
    ? made
    : failed(round, { code: 'job_changed', facts: { job: number } })
}

/** Plans the owner's own words for a job by code alone, within the job's template. Refusals: those of a plan; plan_empty. */
export async function planByRules(powers: PlanPorts, task: Task, template: Template): Promise<Outcome> {
  const models = powers.models.filter(isRules)
  const planned = await planFor({ ...powers, models }, task, { ...template, principalClass: 'owner' })
  if (!planned.ok) return failed(task.planRounds, planned.reason)
  const { plan: made, short } = planned.value
  // A request that was understood only in part must not become a job.
  if (made.steps.length === 0 || short !== undefined)
    return failed(task.planRounds, { code: short ?? 'plan_empty', facts: {} })
  return outcomeOf(powers, task, task.planRounds, { ...planned.value, plan: eachByItself(made) })
}

/**
 * Seals the literals of a plan before it is stored (B-13). A canned plan is the
 * template's own text and stays unsealed, unless another planner continues it.
 */
async function withoutLiterals(
  powers: SealedKeeping & SealedReading & Actions,
  task: Task,
  { plan, planner, provenance, leftOut }: Planned,
): Promise<Pick<Extract<Outcome, { readonly got: 'planned' }>, 'plan' | 'literals' | 'leftOut'>> {
  if (planner === CANNED && plan.again !== true) return { plan }
  const before = (task.literals ?? []).reduce((sum, { count }) => sum + count, 0)
  const { plan: shape, literals: own } = liftLiterals(plan, before, await saidBy(powers, task, planner))
  const literals = leftOut === undefined ? own : [...own, leftOut]
  const count = literals.length
  if (count === 0) return { plan: shape }
  const keeping = { principal: task.principal, store: 'sessions', until: null } as const
  const ref = await keepText(powers, keeping, receive(JSON.stringify(literals), provenance))
  const last = ownLiteral(before + count - 1)
  return { plan: shape, literals: { ref, count }, ...(leftOut !== undefined && { leftOut: last }) }
}

/**
 * Returns a lookup from a text of a plan to the reference that gives the same words of
 * the owner. A canned plan has references already.
 */
export async function saidBy(
  powers: SealedReading & Actions,
  task: Task,
  planner: string,
): Promise<(written: Json) => string | null> {
  const words = planner === CANNED ? null : await openTextOf(powers, task.words)
  if (!words?.ok) return () => null
  const said = task.said === null ? null : await openRecordOf(powers, task.said)
  const message = { words: words.value, said: said?.ok === true ? said.value : null }
  return (written) => saidAs(message, written)
}

/**
 * Chooses the planner (DESIGN §10): a model that may read the request, unless the template's canned plan or `rules`
 * accounts for every word of it. These two are also the fallback when no model answers with a plan. `rules` never
 * continues from results, so only a model makes a later plan. A webhook may only trigger the plan of its template (B-06).
 */
async function planFor(powers: PlanPorts, task: Task, template: Template): Promise<Result<Planned>> {
  const isLater = task.plan !== null
  const said = isLater || task.said === null ? null : await openRecordOf(powers, task.said)
  const record = said?.ok === true ? said.value : null
  const canned = record === null ? null : cannedPlan(powers, record, template)
  const checked = (plan: Planned): Result<Planned> => ofTemplate(powers, task, template, plan)
  if (!CLASS_CAPABILITIES[template.principalClass].plansFreely)
    return canned === null ? err('principal_not_allowed', { template: template.id }) : checked(canned)
  const view = await plannerView(powers, task, template)
  if (!view.ok) return view
  const asking: Asking = { powers, task, template, view: view.value, checked }
  const models = modelsFor(powers, template, task).filter(isOther)
  const isOwners = template.principalClass === 'owner'
  const whole = !isOwners || record === null || isWhole(record)
  // A canned plan accounts for the whole request if the message was read entirely, or by the trained table.
  const isCannedPart =
    canned !== null && !whole && record !== null && hasIntent(record) && !says(record, 'learned')
  const withoutModel = async (): Promise<Result<Planned>> => {
    if (canned !== null && !isCannedPart) return checked(canned)
    const ruled = await askPlanner(asking, isRules)
    if (canned === null) return ruled
    // `rules` may plan the words that the canned plan leaves out, too.
    const isMore = ruled.ok && ruled.value.plan.steps.length > canned.plan.steps.length
    return isMore ? ruled : checked(canned)
  }
  const byRules = async (): Promise<Result<Planned>> => {
    const known = await withoutModel()
    if (!known.ok) return known
    const { plan } = known.value
    const told = canned === null && isOwners && !isLater ? await askedOfMemory(powers, task, plan) : null
    if (told !== null) return checked({ ...known.value, plan: told })
    if (plan.steps.length === 0) return ok({ ...known.value, short: 'plan_empty' })
    const isPart = known.value.planner === CANNED ? isCannedPart : plan.explanation === IN_PART
    return isPart ? ok({ ...known.value, short: 'request_in_part' }) : known
  }
  const onward = isOwners && record !== null && refersToEarlier(task, view.value, record)
  if (isLater || !whole || onward) {
    const byModel =
      models.length === 0 ? null : searchToolsFirst(asking, record, await byModels(asking, models))
    if (byModel?.ok === true) return byModel
    const isRefused = byModel !== null && isPlanFault(byModel.reason.code)
    if (isLater) return isRefused ? byModel : askPlanner(asking, isRules)
    const fallback = await byRules()
    // If the models made only invalid plans, their error is reported; the general help would say less.
    return isRefused && !(fallback.ok && fallback.value.plan.steps.length > 0) ? byModel : fallback
  }
  const known = await byRules()
  // The earlier conversation may have a missing day or name, and only a model reads it.
  const isPlanned = known.ok && (known.value.planner === CANNED || known.value.plan.steps.length > 0)
  if (models.length === 0) return known
  if (known.ok && isPlanned) return ok({ ...known.value, otherwise: true })
  const byModel = searchToolsFirst(asking, record, await byModels(asking, models))
  return byModel.ok || !known.ok || isPlanFault(byModel.reason.code) ? byModel : known
}

/**
 * If the first plan is empty although the message is a request, the tools are searched
 * once before the answer that it cannot be done (O-31).
 */
function searchToolsFirst(
  { task, view, template }: Asking,
  said: LabeledRecord | null,
  made: Result<Planned>,
): Result<Planned> {
  if (!made.ok || made.value.plan.steps.length > 0) return made
  const { leftOut, ...planned } = made.value
  const isRequest = leftOut !== undefined || (said !== null && hasIntent(said))
  const look = isRequest ? toolSearchFirst(task, template, view) : null
  return look === null ? made : ok({ ...planned, plan: look })
}

/**
 * If nothing was understood, or the plan is a search that would send words out, a
 * question that memory can answer is asked of memory instead.
 */
async function askedOfMemory(
  powers: PlanPorts,
  task: Task,
  { steps, explanation }: Plan,
): Promise<Plan | null> {
  const isSearch = steps.length > 0 && steps.every((step) => step.do === 'tool' && step.tool === SEARCH)
  if (!isSearch && !(steps.length === 0 && explanation === 'not_understood')) return null
  const length = (await powers.tier.talk?.remembered(powers, task)) ?? null
  if (length === null) return null
  const query = { $ref: `said.words[0][${length}]` }
  return { steps: [{ id: 's1', do: 'tool', tool: 'memory.search', args: { query } }], explanation: '' }
}

const SEARCH = 'web.search'

/** Beginnings of a request that continues the one before: a time without a date may then belong to another day. */
const ONWARD = /^\s*(?:(?:ok|okay|oh|so)[,.!]? )?(?:and|und|then|dann)(?!\p{L})/iu

/** "And am I free at four?" after a lookup: a model that reads the conversation knows which day is meant. */
function refersToEarlier({ memory }: Task, { request }: PlannerView, said: LabeledRecord): boolean {
  const wholeDay = pick(said, ['wholeDay'])
  const isTime = wholeDay.ok && test(wholeDay.value, (is) => is === false)
  return (
    isTime &&
    Object.keys(memory).some((root) => /^w\d/.test(root)) &&
    test(request, (text) => ONWARD.test(text))
  )
}

const NO_REQUEST: readonly string[] = ['other', ...TOOLLESS_INTENTS]

function hasIntent(said: LabeledRecord): boolean {
  const intent = pick(said, ['intent'])
  return intent.ok && test(intent.value, (value) => !NO_REQUEST.includes(String(value)))
}

function isWhole(said: LabeledRecord): boolean {
  return says(said, 'whole')
}

function says(said: LabeledRecord, field: 'whole' | 'learned'): boolean {
  const value = pick(said, [field])
  return value.ok && test(value.value, (is) => is === true)
}

/** Refuses a plan that breaks a rule of its template, whoever made it. */
export function ofTemplate(
  powers: AskModelPorts & PlannerViewPorts,
  task: Task,
  template: Template,
  planned: Planned,
): Result<Planned> {
  const checked = checkPlan(planned.plan, template, powers.registry, task.plan?.steps)
  if (checked.ok) return ok(planned)
  audit(powers, 'denial', task, { code: checked.reason.code, ...checked.reason.facts })
  return checked
}

/**
 * Asks the models in the order of the chain. A model whose plan is refused gets the reason codes, never content, and one
 * more try; then the next model is asked. An invalid plan is no failure of the service, so it opens no circuit breaker.
 */
export async function byModels(asking: Asking, models: readonly ModelProvider[]): Promise<Result<Planned>> {
  let left = models.map(({ reader }) => reader.id)
  for (;;) {
    const first = await askPlanner(asking, ({ reader }) => left.includes(reader.id))
    if (first.ok || first.by === null) return first
    const second = await askPlanner(asking, ({ reader }) => reader.id === first.by, first.reason)
    if (second.ok) return second
    left = left.slice(left.indexOf(first.by) + 1)
    if (left.length === 0) return second.by === null ? first : second
  }
}

interface Asking {
  readonly powers: AskModelPorts & NameCorrection & Actions
  readonly task: Task
  readonly template: Template
  readonly view: PlannerView
  readonly checked: (planned: Planned) => Result<Planned>
  /** Replaces what the planner is told of earlier plans. */
  readonly question?: ReturnType<typeof continuation>
}

/** `by`: the model whose plan was refused; null if no model answered. */
interface NotPlanned {
  readonly ok: false
  readonly reason: Refusal
  readonly by: string | null
}

/** `refused`: why this model's last plan was refused. */
async function askPlanner(
  { powers, task, template, view, checked, question }: Asking,
  only: (model: ModelProvider) => boolean,
  refused: Refusal | null = null,
): Promise<{ readonly ok: true; readonly value: Planned } | NotPlanned> {
  const ran = task.plan?.steps.length ?? 0
  const fault = refused === null ? [] : [{ tool: faultOf(refused), reason: refused.code }]
  const permitted = usableTools(view.tools).map(({ id }) => id)
  const reply = await askModel(powers, task, {
    only,
    request: {
      ...view,
      tools: describing(view.tools, refused?.facts['tool']),
      purpose: 'plan',
      contents: [],
      troubles: [...view.troubles, ...fault],
      question: question ?? continuation(task),
    },
    limits: { maxTokens: template.maxTokensPlan, timeout: PLAN_TIMEOUT, schema: planAnswer(permitted) },
  })
  if (!reply.ok) return { ...reply, by: null }
  const { model, provenance } = reply.value
  const parsed = planIn(reply.value, ran, (made) => {
    const { plan = made, corrected = [] } =
      powers.tier.correctNames?.(made, { permitted, registry: powers.registry }) ?? {}
    for (const { tool, ...found } of corrected)
      audit(powers, 'fault', task, { code: 'call_healed', model, tool, ...found, step: `s${found.step}` })
    return plan
  })
  if (!parsed.ok) audit(powers, 'denial', task, { code: parsed.reason.code, ...parsed.reason.facts })
  const planned = parsed.ok ? checked({ ...parsed.value, planner: model, provenance }) : parsed
  return planned.ok ? planned : { ...planned, by: model }
}

/** Where the plan broke a rule, such as `s2.max`. */
function faultOf({ facts }: Refusal): string {
  const { step = '', field = '' } = facts
  return [typeof step === 'number' ? `s${step}` : step, field].filter((part) => part !== '').join('.')
}

export function isOther({ reader }: ModelProvider): boolean {
  return reader.id !== RULES
}

function isRules(model: ModelProvider): boolean {
  return !isOther(model)
}

/** Whether the refusal means that a model's answer is no plan or breaks a rule of its template. */
function isPlanFault(code: string): boolean {
  return /^(?:plan_|reference_|tool_)/.test(code)
}

export function failed(round: number, reason: Refusal): Outcome {
  return { got: 'plan_failed', round, reason }
}
