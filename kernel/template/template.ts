/**
 * Task templates: the capability ceiling of every task (B-30, B-33 – B-39, X-04), in the normalised form that the loader
 * returns, and the choice of a template for an event. The loader refuses unknown keys and a template without sink or ceiling.
 */
import type { Clearance } from '../flow/clearance.ts'
import { ASKER } from '../flow/grant.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { EventKind } from '../task/event.ts'
import type { Plan } from '../task/plan.ts'
import type { PrincipalClass } from '../task/principal.ts'
import type { JobDeclaration } from './job.ts'

export interface Template {
  readonly id: string
  /** `adapter:<adapter>:<kind>:<class>`; `*` matches one whole segment. */
  readonly triggers: readonly string[]
  /** Intents for which this template is preferred to a wider one; empty: any (DESIGN §1). */
  readonly intents: readonly string[]
  readonly principalClass: PrincipalClass
  readonly description: string
  /**
   * What a planner sees instead of an outside sender's words; required for every class but the owner's
   * (B-38).
   */
  readonly plannerDescription: string | null
  /** Expanded at load against the registry and the kernel's effects (B-35); sorted. */
  readonly tools: readonly string[]
  readonly maxToolCalls: number
  readonly maxTokensPlan: number
  readonly maxTokensSynthesize: number
  /** Tokens read and written by all calls of a task; applies in addition to the owner's budget (B-37). */
  readonly maxTokensTask?: number | undefined
  /** Sink ids, or `reply_to_sender`. */
  readonly sinks: readonly string[]
  readonly ceiling: Clearance
  readonly inference: {
    /**
     * `chain`: the configured order. `local`: models at home only. Otherwise the provider to ask first
     * (D-09).
     */
    readonly provider: string
    readonly model: string | null
    /** The file's request only. The owner's recorded approval decides (`features/models/consent.ts`). */
    readonly asksForCloud: boolean
  }
  readonly requireApprovalForWrites: boolean
  /** Writes without text that need no card if the owner has allowed that by a grant. */
  readonly unasked?: readonly string[]
  /** Canned plans by intent, which need no planning model (DESIGN §3). */
  readonly plans: Readonly<Record<string, Plan>>
  /** For class `cron`: the job that the file describes, if any. */
  readonly job?: JobDeclaration
  /** From a file of the owner's, not shipped. */
  readonly own?: true
}

/** In a template's `output_sinks`: only the chat that the event came from. */
export const REPLY_TO_SENDER = ASKER

interface TemplateQuery {
  readonly adapter: string
  readonly kind: EventKind
  readonly class: PrincipalClass
  /** Intent from extraction; null if there was none. */
  readonly intent: string | null
}

/**
 * Refusals: template_none_matches (B-29); template_ambiguous when an unchecked set contains two matches.
 * Fewer `*` in the trigger win; then a template that names the intent beats one that names none.
 */
export function matchTemplate(templates: readonly Template[], query: TemplateQuery): Result<Template> {
  const ranked = templates
    .flatMap((template) => {
      const rank = rankFor(template, query)
      return rank === null ? [] : [{ template, rank }]
    })
    .sort((a, b) => a.rank - b.rank)
  const [best, next] = ranked
  if (best === undefined)
    return err('template_none_matches', {
      adapter: query.adapter,
      kind: query.kind,
      class: query.class,
    })
  return next?.rank === best.rank
    ? err('template_ambiguous', { template: best.template.id, other: next.template.id })
    : ok(best.template)
}

/** Whether an event of this kind could match this template, whatever its content. */
export function mayStart(template: Template, event: Omit<TemplateQuery, 'intent'>): boolean {
  return rankFor({ ...template, intents: [] }, { ...event, intent: null }) !== null
}

/** Refuses a set in which two templates could match the same event with the same rank. */
export function checkUnambiguous(templates: readonly Template[]): Result<true> {
  for (const [index, template] of templates.entries()) {
    const rival = templates.slice(0, index).find((other) => isRival(template, other))
    if (rival !== undefined) return err('template_ambiguous', { template: template.id, other: rival.id })
  }
  return ok(true)
}

/** Lower is more specific; null does not match. An intent weighs less than any trigger segment. */
function rankFor(template: Template, query: TemplateQuery): number | null {
  if (template.principalClass !== query.class) return null
  if (template.intents.length > 0 && (query.intent === null || !template.intents.includes(query.intent)))
    return null
  const wanted = `adapter:${query.adapter}:${query.kind}:${query.class}`
  const stars = template.triggers.filter((trigger) => overlaps(trigger, wanted)).map(starsIn)
  return stars.length === 0 ? null : Math.min(...stars) * 2 + (template.intents.length > 0 ? 0 : 1)
}

function isRival(a: Template, b: Template): boolean {
  if (a.principalClass !== b.principalClass || !sharesIntent(a, b) || !sharesChat(a, b)) return false
  return a.triggers.some((one) =>
    b.triggers.some((other) => starsIn(one) === starsIn(other) && overlaps(one, other)),
  )
}

/**
 * Whether two templates may get events of the same chat. Two lines on one platform
 * have a template each (`templateFor`), since an event comes through one chat.
 */
function sharesChat({ sinks }: Template, other: Template): boolean {
  const answersAnywhere = [sinks, other.sinks].some((all) => all.includes(REPLY_TO_SENDER))
  return answersAnywhere || sinks.some((sink) => other.sinks.includes(sink))
}

function sharesIntent(a: Template, b: Template): boolean {
  if (a.intents.length === 0 || b.intents.length === 0) return a.intents.length === b.intents.length
  return a.intents.some((intent) => b.intents.includes(intent))
}

/** True when some event fits both: segments are equal, or one of them is `*`. */
function overlaps(a: string, b: string): boolean {
  const others = b.split(':')
  return a.split(':').every((part, i) => part === '*' || others[i] === '*' || part === others[i])
}

function starsIn(trigger: string): number {
  return trigger.split(':').filter((part) => part === '*').length
}
