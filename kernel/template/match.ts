/**
 * Selects the template of an event: exactly one, the most specific (B-30). Two that could match the same event with equal rank
 * are a load error, so that the order of files never matters. Must not look at content. Called by route and by the loader.
 */
import { err, ok, type Result } from '../flow/verdict.ts'
import type { EventKind } from '../task/event.ts'
import type { PrincipalClass } from '../task/principal.ts'
import { REPLY_TO_SENDER, type Template } from './template.ts'

export interface TemplateQuery {
  readonly adapter: string
  readonly kind: EventKind
  readonly class: PrincipalClass
  /** Intent from extraction; null if there was none. */
  readonly intent: string | null
}

/**
 * Refusals: template_none_matches (B-29); template_ambiguous when an unchecked set contains two matches. Fewer `*` in the
 * trigger win; then a template that names the intent beats one that names none.
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

/** Two lines on one platform have a template each (`templateFor`): an event comes through one chat. */
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
