/**
 * The plan of a message in German as it is spoken: a question to somebody, what is only understood in written words, and mail
 * of a day that is over. Pure; must not read words itself, and must not be bundled for the edge. Passed to the planner by home.
 */
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { type Plan, UNSURE } from '../../../kernel/task/plan.ts'
import type { Moment } from '../../dates/read.ts'
import { askingOf } from '../../extractors/message/message-asking.ts'
import { lastOf, SINCE } from '../../extractors/message/message-since.ts'
import { eachText } from '../../extractors/message/message-spelled.ts'
import { spokenAgain, typedAgain } from '../../extractors/message/message-spoken.ts'
import { plannedAs } from './parts/said-as.ts'
import { momentOf } from './several.ts'

type PlanOf = (parts: PromptParts) => Plan

/** "Frag Tom, ob er Zeit hat", where a mail is made of it; null for any other message. */
export function askingPlan(parts: PromptParts, planOf: PlanOf): Plan | null {
  const asking = askingOf(parts.request)
  const plan = asking === null ? null : plannedAs(asking, parts, planOf)
  return plan !== null && plan.steps.length > 0 ? plan : null
}

/** The same plan, or that of the written words where it is empty, with no mail of a day that is ahead. */
export function writtenPlan(plan: Plan, parts: PromptParts, planOf: PlanOf): Plan {
  return ofPastMail(inWritten(plan, parts, planOf) ?? plan, parts)
}

const NOT_READ: ReadonlySet<string> = new Set(['not_understood', 'needs_named'])

function inWritten(plan: Plan, parts: PromptParts, planOf: PlanOf): Plan | null {
  const isOpen = plan.steps.length === 0 && NOT_READ.has(plan.explanation)
  const again = isOpen ? spokenAgain(parts.request) : null
  const written = again === null ? null : plannedAs(again, parts, planOf)
  // A guess of a guess is none.
  const isRead = written !== null && written.steps.length > 0 && written.explanation !== UNSURE
  if (again === null || !isRead) return null
  const steps = written.steps.map((step) =>
    'args' in step
      ? { ...step, args: eachText(step.args as Json, (said) => typedAgain(said, parts.request)) }
      : step,
  ) as Plan['steps']
  if (!isOwnWords(steps, parts.request, again)) return null
  // "Lass mi in Ruh von 2 bis 10" has a time, and is no event.
  const isEvent = written.steps.some((step) => step.do === 'tool' && step.tool === 'calendar.create_event')
  return isEvent && ORDERS.test(parts.request) ? null : { ...written, steps }
}

/** A service of others, an address, and what is written or kept have the owner's words alone, as they were typed. */
function isOwnWords(steps: Plan['steps'], request: string, again: string): boolean {
  const [typed, read] = [request.toLowerCase(), again.toLowerCase()]
  const known = new Set(typed.match(/\p{L}+/gu))
  const made = new Set((read.match(/\p{L}+/gu) ?? []).filter((word) => !known.has(word)))
  const isOwn = (value: string, leaves: boolean): boolean => {
    if (leaves || ADDRESS.test(value)) return request.includes(value)
    const said = value.toLowerCase()
    const isMade = read.includes(said) || (said.match(/\p{L}+/gu) ?? []).some((word) => made.has(word))
    return typed.includes(said) || !isMade
  }
  return steps.every((step) => {
    const values: string[] = []
    if ('args' in step) eachText(step.args as Json, (value) => values[values.push(value) - 1] ?? value)
    return values.every((value) => isOwn(value, step.do === 'tool' && LEAVES.test(step.tool)))
  })
}

const ADDRESS = /@|:\/\/|\p{L}\.\p{L}/u

/** Begins with a verb of something else than to enter it. */
const ORDERS =
  /^(?:(?:bitte|und|mal)[\s,]+)*(?:lass|lasst|stör|störe|sei|hör|halt|geh|komm|gib|zeig|sag|sieh|schau|guck|such|find|finde|frag|denk|ruf|weck|erinner|merk|lösch|streich)(?!\p{L})/iu

const LEAVES = /^(?:web|weather)\./

/** The same plan, with the last Friday for mail of a coming one. */
function ofPastMail(plan: Plan, parts: PromptParts): Plan {
  const moment = momentOf(parts)
  const { zone } = moment
  const said = parts.metadata.find(({ root }) => root === 'said')?.fields
  const at = (value: unknown): number => {
    const path = isPlainRecord(value) ? String(value['$ref']) : ''
    const [, field = ''] = /^said\.(from|to)$/.exec(path) ?? []
    const text = field === '' || !isPlainRecord(said) ? value : said[field]
    return typeof text === 'string' ? Date.parse(text) : Number.NaN
  }
  const steps = plan.steps.map((step) => {
    if (step.do !== 'tool' || !step.tool.startsWith('email.')) return step
    const [from, to] = [at(step.args['since']), at(step.args['before'])]
    if (Number.isNaN(from) || Number.isNaN(to) || from <= moment.now) return step
    const past = ofMail({ from, to }, parts.request, moment)
    return { ...step, args: { ...step.args, since: zone.iso(past.from), before: zone.iso(past.to) } }
  })
  return { ...plan, steps }
}

/** A day of the week, or a date, and no day that is said to come. */
const WEEKDAY =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)(?!\p{L})/iu
const AHEAD = /(?<!\p{L})(?:next|coming|nächste[nrsm]?|kommende[nrsm]?)(?!\p{L})/iu

/**
 * The time of mail that is looked for, epoch milliseconds: what came on Friday came on the last one, and since then it is until
 * now. The same for any time that is not ahead.
 */
export function ofMail(
  { from, to }: { readonly from: number; readonly to: number },
  text: string,
  { now, zone }: Moment,
): { readonly from: number; readonly to: number } {
  if (from <= now || !WEEKDAY.test(text) || AHEAD.test(text)) return { from, to }
  const last = lastOf(from, { now, zone })
  return { from: last, to: SINCE.test(text) ? zone.instantOf(zone.dayOf(now) + 1, 0) : last + (to - from) }
}
