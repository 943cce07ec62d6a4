/**
 * Plans a request that matches no declared sentence by its parts: the table gives the action, the tagger the
 * parts, and the equivalent plain sentence is planned like any message. Every part must have a place in that
 * sentence. Must not read words itself. Passed to the planner by home, which alone has the tagger.
 */
import type { SaidPlainly } from '../../../../kernel/powers/tier-port.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { type Plan, type ToolStep, UNSURE } from '../../../../kernel/task/plan.ts'
import { LANGUAGE_CODES, languageIn } from '../../../../kernel/wording/languages.ts'
import type { Moment } from '../../../dates/read.ts'
import { LOOKED_UP, WRITES } from '../../../extractors/learned/classes.ts'
import type { Likely } from '../../../extractors/learned/likely.ts'
import { likelyAtHome } from '../../../extractors/learned/likely-home.ts'
import { partsIn, requestsIn, type TaggedPart } from '../../../extractors/learned/parts.ts'
import { openIn } from '../../../extractors/message/message-open.ts'
import { isGerman } from '../../../extractors/message/message-spoken.ts'
import type { Form } from '../../../tools/form.ts'
import type { Sentences } from '../home-rules.ts'
import { joined, momentOf } from '../several.ts'
import { nothing } from '../steps.ts'
import { formOf, operationFormOf } from './forms.ts'
import { type Plain, plainOf } from './plain.ts'
import { plannedAs } from './said-as.ts'
import { isSure, isTimed, ofSameThings } from './sure.ts'
import { withWholeRow } from './whole-row.ts'
import { withWholeText } from './whole-text.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 300
const MOST_REQUESTS = 4
/** A command is one at the beginning of a message alone. */
const COMMAND = /(?:^|\s)\/\w/u
/** What hangs on something else is not planned. */
const CONDITION = /(?<!\p{L})(?:if|unless|otherwise|wenn|falls|sonst)(?!\p{L})/iu
/** What is shown on a card first may be less likely, where nothing else is near. */
const ALONE = { least: 0.4, ahead: 0.35 } as const
/** English, though "am" is a German word. */
const AM_I = /(?<!\p{L})am (?=(?:i|we)(?!\p{L}))/giu
/** A look at the same things in another way shows them as well. */
const LOOK = { first: 0.3, same: 0.65 } as const
/** How likely one of several must be of what the sentences read in it. */
const LEAST_ALONE = { write: 0.3, read: 0.55 } as const
/** How likely it must be of a change that the owner is asked about. */
const UNSURELY = { least: 0.3, ahead: 0.1 } as const
/** How likely it must be of something to be asked for its time. */
const LEAST_ASKED = 0.6

/** What is told to somebody. */
const OF_MAIL = /^email\.(?:send|reply|draft)/

/** Null where it is not plainly made of requests that are understood. */
export function planByParts(parts: PromptParts, sentences: Sentences): Plan | null {
  const { request } = parts
  const moment = momentOf(parts)
  if (request.length > LONGEST || CONDITION.test(request) || openIn(request, moment) !== null) return null
  const requests = requestsIn(request, moment)
  if (requests.length > MOST_REQUESTS) return null
  const plans: Plan[] = []
  for (const text of requests) {
    const known = requests.length > 1 ? readAlone(text, parts, sentences) : null
    const plan =
      known !== null && known.steps.length > 0
        ? known
        : planOfRequest(text, requests.length, { parts, sentences })
    if (plan === null || plan.explanation === 'not_understood') return null
    plans.push(plan)
  }
  // Where one of them lacks something, none is done.
  const open = plans.find(({ steps }) => steps.length === 0)
  if (open !== undefined) return open
  const [only, ...more] = plans
  if (only === undefined) return null
  return more.length > 0 ? joined(plans) : sentences.isMeant(only, parts) ? only : null
}

/**
 * The change that a message hardly asks for in words that are understood: what it is likeliest of, with its parts. The owner is asked before any of it is done.
 * Null where it is likely of nothing, of a look, or of several requests.
 */
export function unsurePlan(parts: PromptParts, sentences: Sentences): Plan | null {
  const { request } = parts
  const moment = momentOf(parts)
  if (request.length > LONGEST || CONDITION.test(request) || openIn(request, moment) !== null) return null
  const [only, ...more] = requestsIn(request, moment)
  if (only === undefined || more.length > 0) return null
  const plan = planOfRequest(only, 1, { parts, sentences, isAsked: true })
  return plan === null || plan.steps.length === 0 || !sentences.isMeant(plan, parts)
    ? null
    : { ...plan, explanation: UNSURE }
}

/** One request of several, as the sentences read it, where it is likely of that. */
function readAlone(text: string, parts: PromptParts, sentences: Sentences): Plan | null {
  const plan = plannedAs(text, parts, sentences.planOf)
  const tool = toolOf(plan.steps.at(-1))
  const [first] = likelyAtHome(text, momentOf(parts))
  const label = (first?.label ?? '').replace(/^else:/, '').replace(/^memory_/, 'memory.')
  return tool !== null &&
    first !== undefined &&
    first.score >= LEAST_ALONE[WRITES.has(tool) ? 'write' : 'read'] &&
    tool === label
    ? plan
    : null
}

interface Asked {
  readonly parts: PromptParts
  readonly sentences: Sentences
  /** The owner is asked before it is done. */
  readonly isAsked?: true
}

function planOfRequest(text: string, requests: number, asked: Asked): Plan | null {
  const { parts, sentences, isAsked } = asked
  const moment = momentOf(parts)
  const likely = likelyAtHome(text, moment)
  const label = (likely[0]?.label ?? '').replace(/^else:/, '')
  const form = formOf(label)
  if (form === null || !(isAsked === true ? isPossible(form, likely) : isLikely(form, likely))) return null
  const parted = partsIn(text, label, moment).map((part) =>
    label === 'reminder.set' ? withArticle(part, text) : part,
  )
  const tagged = OF_MAIL.test(label)
    ? withWholeText(parted, text)
    : label === 'task.add'
      ? withWholeRow(parted, text, 'what')
      : parted
  if (!isSure(text, { label, form, parts: tagged, requests, moment, ...(isAsked && { isAsked }) }))
    return null
  if (form.readsWholeMessage !== true && !isTimed(tagged, moment))
    return (likely[0]?.score ?? 0) >= LEAST_ASKED ? nothing('needs_time') : null
  const own = languageIn(text.replace(AM_I, ''), 1) ?? (isGerman(text) ? 'de' : 'en')
  const plans = [own, ...LANGUAGE_CODES.filter((other) => other !== own)].map((language) =>
    planIn(plainOf(form, tagged, { text, language, moment }), { parts, sentences }),
  )
  return plans.find((plan) => (plan?.steps.length ?? 0) > 0) ?? plans[0] ?? null
}

/** The plan of what was said plainly in one language. */
function planIn(plain: Plain | null, { parts, sentences }: Asked): Plan | null {
  if (plain === null) return null
  const plans = plain.requests.map((one) => changed(plannedAs(one, parts, sentences.planOf), plain))
  const open = plans.find(({ steps }) => steps.length === 0)
  if (open !== undefined) return open
  const isIt = plans.every(({ steps }) => toolOf(steps.at(-1)) === plain.form.tool)
  return isIt ? joined(plans) : null
}

/** "Electric fence reminder – make it saturday": what a message begins with is what the reminder is called, where no part says it. */
function withTitle(parts: readonly TaggedPart[], text: string): readonly TaggedPart[] {
  const [whole = '', lead = '', title] = TITLE.exec(text) ?? []
  if (title === undefined || parts.some(({ part, from }) => part === 'what' || from < whole.length))
    return parts
  return [{ part: 'what', text: title, from: lead.length, to: lead.length + title.length }, ...parts]
}

const TITLE =
  /^((?:(?:the|my|our|die|meine|unsere) )?)(\p{L}[\p{L}\p{N}'’-]{2,}(?: [\p{L}\p{N}'’-]{2,}){0,3})(?= (?:reminder|erinnerung)(?!\p{L}))/iu

/** "The fence is fixed, stop reminding me of the electric fence": the longer one is what it is called. */
function isSaidAgain(one: TaggedPart, all: readonly TaggedPart[]): boolean {
  return all.some(
    ({ part, text }) => part === one.part && text.length > one.text.length && text.includes(one.text),
  )
}

function isLikely(form: Form, likely: readonly Likely[]): boolean {
  const [first, next] = likely
  if (first === undefined) return false
  const isLook = form.readsWholeMessage === true && !LOOKED_UP.has(form.tool)
  if (isLook && first.score >= LOOK.first && ofSameThings(likely) >= LOOK.same) return true
  const isAlone = first.score - (next?.score ?? 0) >= ALONE.ahead && first.score >= ALONE.least
  return first.score >= form.least || (form.hasCard === true && form.isOfOne !== true && isAlone)
}

/** A change, likelier than anything else; what leaves for a service is no guess. */
function isPossible(
  { changesNothing, readsWholeMessage, tool }: Form,
  [first, next]: readonly Likely[],
): boolean {
  const isChange = changesNothing !== true && readsWholeMessage !== true && !LOOKED_UP.has(tool)
  const ahead = (first?.score ?? 0) - (next?.score ?? 0)
  return isChange && (first?.score ?? 0) >= UNSURELY.least && ahead >= UNSURELY.ahead
}

/**
 * The operation on the owner's own things that a message asks for, and a plain sentence of it. Null where the message hardly asks for one, or says
 * more. Called at home, where nothing else read it.
 */
export function operationByParts(text: string, moment: Moment): SaidPlainly | null {
  const isOther = text.length > LONGEST || CONDITION.test(text) || COMMAND.test(text)
  if (isOther || requestsIn(text, moment).length > 1) return null
  const likely = likelyAtHome(text, moment)
  const label = (likely[0]?.label ?? '').replace(/^else:/, '')
  const form = operationFormOf(label)
  if (form === null) return null
  const tagged = partsIn(text, label, moment)
    .filter((one, _, all) => !isSaidAgain(one, all))
    .map((part) =>
      label === 'reminder.later' ? asLength(part) : label === 'quiet.hours' ? asSpan(part) : part,
    )
  if (!isLikely(form, likely) && !isOfNamed(form, likely, tagged)) return null
  const parts = form.single === 'what' ? withTitle(tagged, text) : tagged
  if (!isSure(text, { label, form, parts, requests: 1, moment })) return null
  const language = languageIn(text.replace(AM_I, ''), 1) ?? 'en'
  const plain = plainOf(form, parts, { text, language, moment })
  const [said, ...more] = plain?.requests ?? []
  return said === undefined || more.length > 0 ? null : { operation: form.tool, sentence: said }
}

/** "The boiler man": what somebody is reminded of is said as it was typed. */
function withArticle(part: TaggedPart, text: string): TaggedPart {
  const [article = ''] = part.part === 'what' ? (ARTICLE.exec(text.slice(0, part.from)) ?? []) : []
  return { ...part, from: part.from - article.length, text: article + part.text }
}

/** One thing that is called so must be there, or nothing is done: it may be less likely. */
function isOfNamed(
  { single }: Form,
  [first, next]: readonly Likely[],
  parts: readonly TaggedPart[],
): boolean {
  const ahead = (first?.score ?? 0) - (next?.score ?? 0)
  const isNamed = single !== undefined && parts.some(({ part }) => part === single)
  return isNamed && (first?.score ?? 0) >= NAMED.least && ahead >= NAMED.ahead
}

const NAMED = { least: 0.4, ahead: 0.15 } as const

/** "After 8 at night till 6": from then. */
function asSpan(part: TaggedPart): TaggedPart {
  return {
    ...part,
    text: part.text.replace(/^(?:after|starting(?: at)?|ab|nach) (?=.* (?:till?|until|to|bis) )/iu, 'from '),
  }
}

/** "Again in half an hour", "for two hours": how long something is put off. */
function asLength(part: TaggedPart): TaggedPart {
  const [, length] = part.part === 'when' ? (FOR_LONG.exec(part.text) ?? []) : []
  return length === undefined ? part : { ...part, part: 'long', text: length }
}

const FOR_LONG =
  /^(?:in|for|um|für|another|noch|another)\s+((?:\S+\s+){0,3}?(?:min\p{L}*|h|hrs?|hours?|std\p{L}*|stunden?|halbe?n? stunde|half an hour|viertelstunde|days?|tage?n?|weeks?|wochen?))$/iu

const ARTICLE = /(?<!\p{L})(?:the|my|our|a|an|der|die|das|den|dem|mein\p{L}{0,2}|ein\p{L}{0,2}) $/iu

function toolOf(step: Plan['steps'][number] | undefined): string | null {
  return step?.do === 'tool' ? step.tool : null
}

/** The last call with the arguments of a form that was said as another request. */
function changed(plan: Plan, { form, args }: Plain): Plan {
  const last = plan.steps.at(-1)
  if (args === null || last?.do !== 'tool') return plan
  const step = { ...last, tool: form.tool, args: { ...last.args, ...args } } as ToolStep
  return { ...plan, steps: [...plan.steps.slice(0, -1), step] }
}
