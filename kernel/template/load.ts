/**
 * The loader of task templates: decoded TOML in, normalised templates out (B-33 – B-39, X-04, S001 §4.5, §18.2), with the tools
 * that each pattern and capability names. Unknown keys are refused, so a misspelt limit is an error, not a missing limit. Must
 * not read files. Called at start by each place.
 */
import * as z from 'zod/mini'
import { leavesOf, type ScalarSpec } from '../flow/field.ts'
import { isSafeKey } from '../flow/json.ts'
import { compareLevels, LEVELS, type Level, parseCompartment } from '../flow/level.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { EVENT_KINDS } from '../task/event.ts'
import type { Plan } from '../task/plan.ts'
import { parsePlan } from '../task/plan-schema.ts'
import { CLASS_CAPABILITIES, type ClassCapabilities, PRINCIPAL_CLASSES } from '../task/principal.ts'
import type { ActionManifest } from '../tool/manifest.ts'
import {
  expandPattern,
  findAction,
  hasCapability,
  isCovered,
  isOwn,
  type Registry,
} from '../tool/registry.ts'
import { JOB, scheduleFault } from './job.ts'
import { newsFault } from './news.ts'
import { checkUnambiguous, REPLY_TO_SENDER, type Template } from './template.ts'
import { mayGoUnasked } from './unasked.ts'

/** Only in `denied_tools`: documents that everything else is denied, which is the default anyway (X-04). */
const DENY_ALL = '*'

/** Maximum values in a template: a typing error must not give an unlimited budget. */
export const TEMPLATE_BOUNDS = Object.freeze({
  /** Calls of one task (B-36). */
  toolCalls: 50,
  /** Tokens of one model answer (B-37). */
  tokens: 32_000,
  /** Tokens of all calls of one task (B-37). */
  taskTokens: 1_000_000,
  /** Triggers, tools, sinks, plans. */
  list: 64,
  /** UTF-16 units of a description. */
  text: 1_000,
})

interface TemplateWarning {
  readonly template: string
  readonly about: 'tool_missing' | 'plan_unavailable' | 'deny_all_is_default'
  /** Tool pattern or intent. */
  readonly subject: string
}

export interface LoadedTemplate {
  readonly template: Template
  readonly warnings: readonly TemplateWarning[]
}

interface TemplateSet {
  readonly templates: readonly Template[]
  readonly warnings: readonly TemplateWarning[]
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/
const PATTERN = /^[a-z][a-z0-9_]{0,39}(?:\.[a-z][a-z0-9_]{0,39}){0,3}(?:\.\*|\.[a-z][a-z0-9_]{0,39})$/
/** The form that tools use to declare their capability: `mail:read`. */
const CAPABILITY = /^[a-z]{2,20}:[a-z]{2,20}$/
const TRIGGER = new RegExp(
  `^adapter:(?:\\*|[a-z][a-z0-9_]{0,31}):(?:\\*|${EVENT_KINDS.join('|')}):(?:\\*|${PRINCIPAL_CLASSES.join('|')})$`,
)
const SINK = /^sink:[a-z][a-z0-9_]{0,31}:[A-Za-z0-9_.@+:-]{1,200}$/
/** The form of S001 §18.3. The trigger has named the adapter already. */
const REPLY_SINK = new RegExp(`^sink:[a-z][a-z0-9_]{0,31}:${REPLY_TO_SENDER}$`)

const listOf = <T extends z.core.$ZodType>(item: T) => z.array(item).check(z.maxLength(TEMPLATE_BOUNDS.list))
const some = <T extends z.core.$ZodType>(item: T) => listOf(item).check(z.minLength(1))
const name = z.string().check(z.regex(NAME), z.refine(isSafeKey))
const text = z.string().check(z.minLength(1), z.maxLength(TEMPLATE_BOUNDS.text))
const pattern = z.string().check(z.regex(PATTERN))
const budget = (most: number) => z.number().check(z.int(), z.nonnegative(), z.maximum(most))

const TEMPLATE = z.strictObject({
  template_id: name,
  triggers: some(z.string().check(z.regex(TRIGGER))),
  intents: z.optional(listOf(name)),
  principal_class: z.enum(PRINCIPAL_CLASSES),
  description: text,
  planner_task_description: z.optional(text),
  allowed_tools: listOf(z.union([pattern, z.string().check(z.regex(CAPABILITY))])),
  denied_tools: z.optional(listOf(z.union([z.literal(DENY_ALL), pattern]))),
  max_tool_calls: budget(TEMPLATE_BOUNDS.toolCalls),
  max_tokens_plan: budget(TEMPLATE_BOUNDS.tokens),
  max_tokens_synthesize: budget(TEMPLATE_BOUNDS.tokens),
  max_tokens_task: z.optional(budget(TEMPLATE_BOUNDS.taskTokens)),
  output_sinks: some(z.union([z.literal(REPLY_TO_SENDER), z.string().check(z.regex(SINK))])),
  data_ceiling: z.enum(LEVELS),
  data_compartments: z.optional(listOf(z.string())),
  inference: z.optional(
    z.strictObject({
      provider: name,
      model: z.optional(text),
      owner_acknowledged_cloud_risk: z.optional(z.boolean()),
    }),
  ),
  require_approval_for_writes: z.optional(z.boolean()),
  unasked_when_allowed: z.optional(listOf(pattern)),
  tool_plans: z.optional(z.boolean()),
  job: z.optional(JOB),
  plans: z.optional(
    listOf(
      z.strictObject({
        intent: name,
        steps: z.unknown(),
        explanation: z.optional(z.string()),
        again: z.optional(z.boolean()),
      }),
    ),
  ),
})

type File = z.infer<typeof TEMPLATE>

/**
 * Parses one template. Refusals: template_malformed (`field` says where), template_class_mismatch (B-38, B-39),
 * tool_not_in_template, and the plan codes for a canned plan. A tool that this place lacks gives a warning.
 */
export function parseTemplate(
  input: unknown,
  registry: Registry,
  effectIds: readonly string[],
): Result<LoadedTemplate> {
  const parsed = TEMPLATE.safeParse(input)
  if (!parsed.success) return malformed(faultIn(parsed.error.issues))
  const file = parsed.data
  const available = { registry, effects: effectIds }
  const lists = { allowed: file.allowed_tools, denied: file.denied_tools ?? [] }
  const { tools, missing } = expandTools(lists, available)
  const ceiling = ceilingOf(file)
  if (!ceiling.ok) return ceiling
  const ofClass = checkClass(file, tools, available)
  if (!ofClass.ok) return ofClass
  if (!mayGoUnasked(file, registry)) return malformed('unasked_when_allowed')
  const planned = plansOf(file, tools, available)
  if (!planned.ok) return planned
  const warn = (about: TemplateWarning['about']) => (subject: string) => ({
    template: file.template_id,
    about,
    subject,
  })
  return ok({
    template: templateOf(file, { tools, ceiling: ceiling.value, plans: planned.value.plans }),
    warnings: [
      ...missing.map(warn('tool_missing')),
      ...planned.value.unavailable.map(warn('plan_unavailable')),
      ...lists.denied.filter((denied) => denied === DENY_ALL).map(warn('deny_all_is_default')),
    ],
  })
}

/**
 * Loads a whole set. Refusals besides those of each template: template_malformed for a repeated id, template_ambiguous (B-30).
 */
export function loadTemplates(
  inputs: readonly unknown[],
  registry: Registry,
  effectIds: readonly string[],
): Result<TemplateSet> {
  const loaded: LoadedTemplate[] = []
  for (const input of inputs) {
    const parsed = parseTemplate(input, registry, effectIds)
    if (!parsed.ok) return parsed
    if (loaded.some(({ template }) => template.id === parsed.value.template.id))
      return malformed('template_id')
    loaded.push(parsed.value)
  }
  const templates = loaded.map(({ template }) => template)
  const checked = checkUnambiguous(templates)
  if (!checked.ok) return checked
  return ok({ templates, warnings: loaded.flatMap(({ warnings }) => warnings) })
}

/** A class may get less than its table row, never more; words of an outside sender never describe a task (B-38). */
function checkClass(file: File, tools: readonly string[], available: Available): Result<true> {
  const name = file.principal_class
  const capabilities = CLASS_CAPABILITIES[name]
  const mismatch = (field: string) => err('template_class_mismatch', { template: file.template_id, field })
  const triggers = file.triggers.map((trigger) => trigger.split(':')[3])
  if (triggers.some((segment) => segment !== '*' && segment !== name)) return mismatch('triggers')
  if (name !== 'owner' && file.planner_task_description === undefined)
    return mismatch('planner_task_description')
  // Capabilities may gain tools later, which widens only the owner's own line: every other class, and a job, must name its tools.
  if (name !== 'owner' && file.allowed_tools.some(isOwn)) return mismatch('allowed_tools')
  if (file.job !== undefined) {
    if (name !== 'cron') return mismatch('job')
    // A job names where it delivers, and nobody has sent anything that could be replied to (G-01, R-25).
    if (file.output_sinks.some(isReplyToSender)) return mismatch('output_sinks')
    if ((file.plans ?? []).length !== (file.job.takes === true ? 0 : 1)) return mismatch('plans')
    if (file.job.request.includes('{what}') !== (file.job.takes === true)) return mismatch('job.request')
    const fault = scheduleFault(file.job) ?? newsFault(file.job, tools, available.registry)
    if (fault !== null) return mismatch(fault)
  }
  if (capabilities.sinks === 'sender' && !file.output_sinks.every(isReplyToSender))
    return mismatch('output_sinks')
  if (!capabilities.plansFreely && file.allowed_tools.length > 0 && (file.plans ?? []).length === 0)
    return mismatch('plans')
  if (!capabilities.plansFreely && file.tool_plans === true) return mismatch('tool_plans')
  return checkToolsOfClass(tools, capabilities, available)
}

/**
 * The ceiling of the file's data. No reader may have `secret`, and regulated data
 * stays at home whatever is acknowledged (DESIGN §1).
 */
function ceilingOf(file: File): Result<Template['ceiling']> {
  const level = file.data_ceiling
  if (level === 'secret') return malformed('data_ceiling')
  const compartments = (file.data_compartments ?? []).flatMap((word) => {
    const parsed = parseCompartment(word)
    return parsed.ok ? [parsed.value] : []
  })
  if (compartments.length !== (file.data_compartments ?? []).length) return malformed('data_compartments')
  const regulated = level === 'regulated' || compartments.length > 0
  return regulated && file.inference?.owner_acknowledged_cloud_risk === true
    ? malformed('inference.owner_acknowledged_cloud_risk')
    : ok({ level, compartments })
}

/** Canned plans may use only the template's own tools. One that needs a tool this place lacks is dropped. */
function plansOf(
  file: File,
  tools: readonly string[],
  available: Available,
): Result<{ readonly plans: Readonly<Record<string, Plan>>; readonly unavailable: readonly string[] }> {
  const lists = { allowed: file.allowed_tools, denied: file.denied_tools ?? [] }
  const plans: Record<string, Plan> = {}
  const unavailable: string[] = []
  for (const { intent, steps, explanation, again } of file.plans ?? []) {
    if (Object.hasOwn(plans, intent) || unavailable.includes(intent)) return malformed('plans.intent')
    // A class that may not plan freely may not plan a second round either (B-06).
    if (again === true && !CLASS_CAPABILITIES[file.principal_class].plansFreely)
      return malformed('plans.again')
    const plan = parsePlan({ steps, explanation: explanation ?? '', ...(again === true && { again }) })
    if (!plan.ok) return plan
    const needed = plan.value.steps.flatMap((step) => ('tool' in step ? [step.tool] : []))
    const foreign = needed.find((id) => !isDeclared(id, lists, available))
    if (foreign !== undefined)
      return err('tool_not_in_template', { template: file.template_id, tool: foreign })
    if (needed.every((id) => tools.includes(id))) plans[intent] = plan.value
    else unavailable.push(intent)
  }
  return ok({
    plans: file.tool_plans === true ? { ...toolPlans(tools, available), ...plans } : plans,
    unavailable,
  })
}

/** The plans that the template's tools declare for the requests they answer. Only plans of reads, with tools of the template. */
function toolPlans(tools: readonly string[], { registry }: Available): Readonly<Record<string, Plan>> {
  const plans: Record<string, Plan> = {}
  for (const id of tools) {
    const action = registry.actions.get(id)
    if (action?.semantics !== 'read' || action.answers === undefined) continue
    const plan = parsePlan({ steps: action.answers.steps, explanation: '' })
    if (!plan.ok) continue
    const needed = plan.value.steps.flatMap((step) => ('tool' in step ? [step.tool] : []))
    const isRead = (tool: string): boolean => registry.actions.get(tool)?.semantics === 'read'
    if (needed.every((tool) => tools.includes(tool) && isRead(tool)))
      plans[action.answers.intent] = plan.value
  }
  return plans
}

function templateOf(file: File, made: Pick<Template, 'tools' | 'ceiling' | 'plans'>): Template {
  return Object.freeze({
    ...made,
    id: file.template_id,
    triggers: file.triggers,
    intents: file.intents ?? [],
    principalClass: file.principal_class,
    description: file.description,
    plannerDescription: file.planner_task_description ?? null,
    maxToolCalls: file.max_tool_calls,
    maxTokensPlan: file.max_tokens_plan,
    maxTokensSynthesize: file.max_tokens_synthesize,
    maxTokensTask: file.max_tokens_task,
    sinks: file.output_sinks.map((sink) => (isReplyToSender(sink) ? REPLY_TO_SENDER : sink)),
    inference: {
      provider: file.inference?.provider ?? 'local',
      model: file.inference?.model ?? null,
      asksForCloud: file.inference?.owner_acknowledged_cloud_risk ?? false,
    },
    requireApprovalForWrites: file.require_approval_for_writes ?? false,
    ...(file.unasked_when_allowed !== undefined && { unasked: file.unasked_when_allowed }),
    ...(file.job !== undefined && { job: file.job }),
  })
}

function isReplyToSender(sink: string): boolean {
  return sink === REPLY_TO_SENDER || REPLY_SINK.test(sink)
}

function malformed(field: string): ReturnType<typeof err> {
  return err('template_malformed', { field })
}

/** Path of declared names and positions. For an unknown key only that it is unknown. */
function faultIn(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues
  const path = (issue?.path ?? []).map(String).join('.')
  return issue?.code === 'unrecognized_keys' ? `${path === '' ? '' : `${path}.`}(unknown key)` : path
}

/** What exists at this place. */
interface Available {
  readonly registry: Registry
  /** Ids of kernel effects, such as `message.reply`. */
  readonly effects: readonly string[]
}

interface ToolLists {
  readonly allowed: readonly string[]
  readonly denied: readonly string[]
}

interface ExpandedTools {
  /** The expanded ids, sorted. */
  readonly tools: readonly string[]
  /** Allowed by name, but not available at this place. A capability without any tool is not an error. */
  readonly missing: readonly string[]
}

/** Highest level that an owner-only tool may give to anyone but the owner. */
const MOST_SHARED: Level = 'internal'

function expandTools(lists: ToolLists, available: Available): ExpandedTools {
  const found = lists.allowed.map((pattern) => ({ pattern, ids: idsOf(pattern, available) }))
  const tools = [...new Set(found.flatMap(({ ids }) => ids))].filter((id) => !isDenied(id, lists)).sort()
  const missing = found.filter(
    ({ pattern, ids }) => ids.length === 0 && !isCapability(pattern) && !isDenied(pattern, lists),
  )
  return { tools, missing: missing.map(({ pattern }) => pattern) }
}

/**
 * Whether the file allows a tool by name, family or capability, at this place or another. A tool that this place lacks may have
 * any capability.
 */
function isDeclared(id: string, lists: ToolLists, { registry }: Available): boolean {
  const action = registry.actions.get(id)
  const covers = (pattern: string): boolean =>
    isCapability(pattern) ? action === undefined || hasCapability(action, pattern) : isCovered(pattern, id)
  return lists.allowed.some(covers) && !isDenied(id, lists)
}

/** `mail:read`; tool ids contain a dot instead. */
function isCapability(pattern: string): boolean {
  return pattern.includes(':')
}

/** Refusal: template_class_mismatch, naming a tool that this class may not have. */
function checkToolsOfClass(
  tools: readonly string[],
  capabilities: ClassCapabilities,
  available: Available,
): Result<true> {
  const excess = tools.find((id) => !mayHave(id, capabilities, available))
  return excess === undefined ? ok(true) : err('template_class_mismatch', { tool: excess })
}

function mayHave(id: string, capabilities: ClassCapabilities, { registry, effects }: Available): boolean {
  if (effects.includes(id))
    return capabilities.effects.some((pattern) => pattern === '*' || isCovered(pattern, id))
  const action = findAction(registry, id)
  if (!action.ok) return false
  const { semantics, tool } = action.value
  const isOwners = tool.ownerOnly && !isShareable(action.value)
  return (capabilities.ownerOnlyTools || !isOwners) && (capabilities.writes || semantics === 'read')
}

/**
 * Others may get a read of an owner-only tool only if its every field is declared `internal` or lower, such as free/busy times
 * (X-05, S001 §18.3). What may leave is still decided atom by atom.
 */
function isShareable(action: ActionManifest): boolean {
  const lowEnough = ([, field]: readonly [string, ScalarSpec]) =>
    compareLevels(field.level ?? action.ceiling, MOST_SHARED) <= 0 &&
    (field.compartment ?? action.compartment) === null
  return action.semantics === 'read' && leavesOf(action.output).every(lowEnough)
}

function idsOf(pattern: string, { registry, effects }: Available): readonly string[] {
  if (isCapability(pattern))
    return [...registry.actions.values()]
      .filter((action) => hasCapability(action, pattern))
      .map(({ id }) => id)
  return [...expandPattern(registry, pattern), ...effects.filter((id) => isCovered(pattern, id))]
}

function isDenied(id: string, { denied }: ToolLists): boolean {
  return denied.some((pattern) => pattern !== DENY_ALL && isCovered(pattern, id))
}
