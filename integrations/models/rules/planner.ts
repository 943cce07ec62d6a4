/**
 * Plans for known requests (DESIGN §3), those of memory and those that packages declare, from metadata alone: references and
 * numbers, never untrusted strings. Uses only tools that the prompt offers; if something is missing, an empty plan with the reason
 * (C-12). Called by model.ts.
 */

import { notedEvent } from '#noted-event'
import type { Json } from '../../../kernel/flow/json.ts'
import { once } from '../../../kernel/flow/once.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import { isLikely, likelyOf } from '../../extractors/learned/likely.ts'
import { CUTS } from '../../extractors/learned/read.ts'
import { isAside, isBareLook } from '../../extractors/learned/remark.ts'
import { isInQuotes } from '../../extractors/message/in-quotes.ts'
import { fieldsAt } from '../../extractors/message/message.ts'
import {
  type Asked,
  askedCorrected,
  askedIn,
  askedLoosely,
  askedOrSought,
  changeLoosely,
  isBetter,
  wholeSentence,
} from '../../extractors/message/message-learned.ts'
import { openIn } from '../../extractors/message/message-open.ts'
import type { Phrase } from '../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { calledPlan } from './called.ts'
import { isMisread } from './checks/misread.ts'
import { isElsewhere, isUnlikely, isUnmeant, isUnnamed } from './checks/unmeant.ts'
import { wholeOf } from './checks/yielding.ts'
import { changePlan } from './earlier/changes.ts'
import { followDay } from './earlier/follow-day.ts'
import { isSameByWords } from './earlier/named-row.ts'
import { isBarePlace, ofShownOne, openingPlan } from './earlier/opening.ts'
import { shownLast } from './earlier/shown-last.ts'
import { calmed, isShownSince, isStartled, undoing } from './earlier/taken-back.ts'
import { withLength } from './free-for.ts'
import { fromMemory } from './from-memory.ts'
import { guestsIn, invitedTo } from './guests-behind.ts'
import { likelyPlan } from './likely.ts'
import { NAMED, planOf, wholePlan } from './named-plan.ts'
import { bareTick, listPlan } from './on-list.ts'
import { unnamedPlan } from './phrase-plan.ts'
import { placedIn } from './placed.ts'
import { aheadIn, asksAhead, withAhead } from './reminders/ahead.ts'
import { onAnotherDay } from './reminders/another-day.ts'
import { beforeEvent } from './reminders/before-event.ts'
import { moreReminders } from './reminders/reminder-more.ts'
import { requestsIn, type Span } from './request-in.ts'
import { listedPlan, withRest } from './rest.ts'
import { type Said, saidOf } from './said.ts'
import { joined, momentOf, spansMoved, withValues } from './several.ts'
import { isRead, nothing } from './steps.ts'
import { withTaken } from './taken.ts'
import { worldPlan } from './world.ts'
import { writtenPlan } from './written.ts'

/** By the declared sentences, the trained table and what was said before. */
export function planOfParts(parts: PromptParts): Plan {
  // The rules model needs no second round of planning, for its own plans or another model's: what was read is the answer.
  if (parts.instruction !== null) return { steps: [], explanation: '' }
  const open = openIn(parts.request, momentOf(parts))
  const called = open === null ? calledPlan(parts) : nothing(open.why)
  if (called !== null) return called
  const change = parts.audience === 'owner' ? changePlan(parts) : null
  if (change !== null && isAllOffered(change, new Set(parts.tools.map(({ id }) => id)))) return change
  const opened = parts.audience === 'owner' ? ofRow(parts) : null
  if (opened !== null) return opened
  const told = fromMemory(parts, 'told')
  if (told !== null) return told
  const said = saidOf(parts)
  const offered = new Set(parts.tools.map(({ id }) => id))
  const both = bothAhead(parts, offered) ?? withGuests(parts, offered)
  if (both !== null) return both
  const before = parts.audience === 'owner' ? beforeEvent(parts, offered) : null
  if (before !== null) return before
  const more = parts.audience === 'owner' ? moreReminders(parts, offered) : null
  if (more !== null) return more
  const another = parts.audience === 'owner' ? onAnotherDay(parts, offered) : null
  if (another !== null) return another
  const day = parts.audience === 'owner' ? followDay(parts) : null
  if (day !== null && isAllOffered(day, offered)) return day
  if (asksAhead(parts.request)) return nothing('not_understood')
  const listed = parts.audience === 'owner' ? listPlan(parts) : null
  if (listed !== null && isAllOffered(listed, offered)) return listed
  if (said.intent === 'reminder_set' && isOfTwo(parts, offered)) return nothing('not_understood')
  const one = (part: Span): Plan | null => onePlan(part, parts, offered)
  const isOffered = ({ plan }: Phrase) =>
    plan.every(({ tool }) => tool === undefined || (typeof tool === 'string' && offered.has(tool)))
  // What was likely of a message says nothing of "oh no, undo that".
  const isBack = isStartled(parts.request) && undoing(parts, isOffered) !== null
  const words = isUnsure(said) || isBack ? fromWords(parts, isOffered, said.intent === 'other') : null
  const known = words ?? wholePlan(said, parts)
  const isOpen = known.explanation === 'not_understood' && parts.audience === 'owner'
  const read = isOpen
    ? (ofEachPart(parts, offered) ??
      ofOnePart(parts, offered) ??
      loosely(parts) ??
      writtenPlan(parts, offered) ??
      likelyPlan(parts, (part) => onePlan(part, parts, offered)) ??
      bareTick(parts))
    : known
  const recalled = read === null ? fromMemory(parts) : null
  const ofOwner = parts.audience === 'owner'
  const world = ofOwner ? once(() => worldPlan(parts, offered)) : () => null
  const found = (ofOwner ? withLength(read, parts, said.exact) : read) ?? recalled
  const made = found ?? (isOpen ? world() : null) ?? known
  const plan = parts.audience === 'owner' ? placedIn(notedIn(made, parts, offered), parts) : made
  // Of nothing that was shown it is no request.
  if (isBarePlace(parts)) return nothing('not_understood')
  if (!isAllOffered(plan, offered)) return nothing('not_available')
  if (plan.explanation === 'needs_time' && readDates(parts.request, momentOf(parts)).impossible)
    return nothing('needs_date')
  // A look into what was told is made where no tool is likely.
  const isTold = said.exact || isBack || plan === recalled || plan !== made || plan === world()
  const isOwner = parts.audience === 'owner'
  if (isMeant(plan, parts, isBack ? { ...said, exact: true } : said, isTold))
    return isOwner ? withRest(withTaken(plan, said, offered), parts, { one }) : plan
  if (!isOwner) return nothing('not_understood')
  const other = changeLoosely(parts.request, momentOf(parts))
  const unread = nothing('not_understood')
  const placed = placedIn(unread, parts)
  const others = [
    other === null ? null : planOfAsked(other, parts),
    writtenPlan(parts, offered),
    notedEvent(parts, offered),
    placed === unread ? null : placed,
    world(),
  ]
  const isFit = (one: Plan): boolean =>
    one.steps.length > 0 &&
    isAllOffered(one, offered) &&
    isMeant(one, parts, said, one === placed || one === world())
  return others.find((one): one is Plan => one !== null && isFit(one)) ?? unread
}

/** What lacks something by its sentences may name it by its words, and what has an hour ahead was never measured: "walk sat at 8". */
function notedIn(plan: Plan, parts: PromptParts, offered: ReadonlySet<string>): Plan {
  const isOpen = /^(?:not_understood|needs_time|needs_title)$/.test(plan.explanation)
  if (plan.steps.length === 0) return (isOpen ? notedEvent(parts, offered) : null) ?? plan
  const isOfPast = plan.steps.every((step) => step.do === 'tool' && /^(?:health|oura)\./.test(step.tool))
  return (isOfPast ? notedEvent(parts, offered, true) : null) ?? plan
}

/** A row of what was shown, to be seen, or by its words to be changed; null for anything else. */
function ofRow(parts: PromptParts): Plan | null {
  const offered = new Set(parts.tools.map(({ id }) => id))
  const opened = openingPlan(parts)
  if (opened !== null) return isAllOffered(opened, offered) ? opened : null
  const one = ofShownOne(parts, ({ plan }) =>
    plan.every(({ tool }) => tool === undefined || (typeof tool === 'string' && offered.has(tool))),
  )
  return one === null ? null : unnamedPlan(one.phrase, one.taken, parts)
}

/** Whether nothing in the message speaks against a plan. */
export function isMeant(
  plan: Plan,
  parts: PromptParts,
  { exact, services }: Said,
  isLikely = exact,
): boolean {
  const moment = momentOf(parts)
  if (isTwice(plan) || (!exact && isUnnamed(plan, parts))) return false
  if (!isLikely && isUnlikely(plan, parts, moment)) return false
  return !isMisread(plan, parts, { moment, exact }) && !isUnmeant(plan, parts) && !isElsewhere(plan, services)
}

/** "Remind me at 3 to call Olga and at 5 again": the second time is of the same thing, and puts off nothing that came. */
function isTwice({ steps: own }: Plan): boolean {
  const tools = own.map((step) => (step.do === 'tool' ? step.tool : ''))
  return tools.includes('reminder.set') && tools.includes('reminder.later')
}

export function isAllOffered({ steps: own }: Plan, offered: ReadonlySet<string>): boolean {
  return own.every((step) => step.do !== 'tool' || offered.has(step.tool))
}

/** An appointment with a reminder before it; null for anything else. */
function bothAhead(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const ahead = aheadIn(parts.request)
  const creates = NAMED.find(({ intent }) => intent === 'calendar_book')?.plan.at(-1)?.['tool']
  if (ahead === null || typeof creates !== 'string' || !offered.has('reminder.set')) return null
  const plan = onePlan({ from: 0, to: ahead.first.length }, parts, offered)
  return plan === null ? null : withAhead(plan, ahead, creates, momentOf(parts))
}

/** "…, invite him" behind an appointment; null for anything else. */
function withGuests(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const guests = guestsIn(parts.request)
  const plan = guests === null ? null : onePlan({ from: 0, to: guests.first.length }, parts, offered)
  return guests === null || plan === null ? null : invitedTo(plan, guests, parts)
}

/** "Reply to Sarah: yes, and remind me tomorrow": a request of its own, and a reminder. As words to be reminded of, it would never be done. */
function isOfTwo(parts: PromptParts, offered: ReadonlySet<string>): boolean {
  const lead = ALSO.exec(parts.request)?.groups?.['lead']
  if (lead === undefined) return false
  if (wholeSentence(TOOL_PHRASES, lead) !== null) return true
  const plan = onePlan({ from: 0, to: lead.length }, parts, offered)
  return (
    plan?.steps.some((step) => step.do === 'tool' && !/^(?:task|reminder|memory)\./.test(step.tool)) ?? false
  )
}

const ALSO =
  /^(?<lead>\S.{1,200}?),? (?:and|und) (?:(?:please|then|also|bitte|dann) )*(?:remind me|erinner(?:e|st du)? mich)(?!\p{L})/isu

/** Another sentence may account for more of its words; what is said of a job is of no tool. */
function isUnsure({ intent, whole }: Said): boolean {
  return intent === 'other' || (!whole && !intent.startsWith('job_'))
}

/** Requests of one message, each read by itself; null unless every part of it is one that can be planned. */
function ofEachPart(
  parts: PromptParts,
  offered: ReadonlySet<string>,
  from = 0,
  most = MOST_PARTS,
): Plan | null {
  if (parts.request.length > SPLIT_MOST) return null
  const text = parts.request.slice(from)
  for (const cut of most > 1 ? [...text.matchAll(CUTS)].slice(0, MOST_CUTS) : []) {
    const [end, next] = [from + cut.index, from + cut.index + cut[0].length]
    if (isInQuotes(parts.request, end)) continue
    // "Merk dir, dass …": the clause belongs to its verb.
    if (CLAUSE.test(parts.request.slice(next))) continue
    const isSaid = (said: string): boolean =>
      isAside(said) && !isLikely(said, TO_LIST, LEAST_TO_LIST, momentOf(parts))
    const first = onePlan({ from, to: end }, parts, offered)
    const rest = { from: next, to: parts.request.length }
    if (first === null && !isSaid(parts.request.slice(from, end))) continue
    const others = onePlan(rest, parts, offered) ?? ofEachPart(parts, offered, next, most - 1)
    if (first === null || others === null) {
      // What is said beside a read changes nothing of it.
      const read = first ?? others
      if (read === null || !isRead(read) || (others === null && !isSaid(parts.request.slice(next)))) continue
      return read
    }
    // What is done to many is asked for by itself.
    const isOfMany = [first, others].some((plan) =>
      plan.steps.some((step) => step.do === 'select' && step.take === 'all'),
    )
    if (!isOfMany) return joined([first, others])
  }
  return null
}

/** The request in a message that says more besides. */
function ofOnePart(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const spans = requestsIn(parts.request, momentOf(parts))
  const plans = spans.map((part) => onePlan(part, parts, offered))
  return plans.find((plan) => plan !== null) ?? looseLook(spans, parts, offered)
}

/** How likely a part of a message must be of a look that no sentence has. */
const LEAST_OF_LOOK = 0.85

/** A look in a part of the message, in words that no sentence has. */
function looseLook(spans: readonly Span[], parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  for (const { from, to } of spans) {
    const part = partOf({ from, to }, parts)
    const [first] = likelyOf(part.request, momentOf(parts))
    if (first === undefined || first.score < LEAST_OF_LOOK) continue
    const plan = loosely(part)
    if (plan === null || plan.steps.length === 0 || !isRead(plan) || !isAllOffered(plan, offered)) continue
    if (isMeant(plan, part, saidOf(part))) return spansMoved(plan, from)
  }
  return null
}

const CLAUSE = /^(?:dass|daß|ob|weil|that)(?!\p{L})/iu
/** A thing for the list is said beside nothing: "bin bags on my list and new mail". */
const TO_LIST = 'else:task.add'
const LEAST_TO_LIST = 0.8
const MOST_PARTS = 3
/** Cuts that are tried for each part. */
const MOST_CUTS = 5
/** UTF-16 units: requests are short. */
const SPLIT_MOST = 300

/** Plans of parts of one message, each made once. */
const partPlans = new WeakMap<PromptParts, Map<string, Plan | null>>()

/** The plan of a part of the message that is one request; its fields are those of the part. */
export function onePlan(part: Span, parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const known = partPlans.get(parts) ?? new Map<string, Plan | null>()
  partPlans.set(parts, known)
  const key = `${part.from}-${part.to}`
  const made = known.get(key)
  if (made !== undefined) return made
  const plan = planOfPart(part, parts, offered)
  known.set(key, plan)
  return plan
}

/** The same prompt for a part of its message. */
function partOf({ from, to }: Span, parts: PromptParts): PromptParts {
  const text = parts.request.slice(from, to)
  const fields = fieldsAt(text, momentOf(parts)) as Readonly<Record<string, Json>>
  const own = parts.metadata.filter(({ root }) => root !== 'said')
  return { ...parts, request: text, metadata: [{ root: 'said', action: '', fields }, ...own] }
}

function planOfPart({ from, to }: Span, parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  const part = partOf({ from, to }, parts)
  const text = part.request
  const fields = part.metadata[0]?.fields as Readonly<Record<string, Json>>
  const read = saidOf(part)
  if (text.trim() === '' || isBareLook(text)) return null
  const isOffered = ({ plan }: Phrase) =>
    plan.every(({ tool }) => tool === undefined || (typeof tool === 'string' && offered.has(tool)))
  const words = isUnsure(read) ? fromWords(part, isOffered, read.intent === 'other') : null
  const plan = words ?? wholePlan(read, part)
  // A part of a part would be done in silence.
  const isWhole = plan.steps.length > 0 && plan.explanation !== IN_PART
  if (isMisread(plan, part, { moment: momentOf(parts), exact: read.exact }) || goesOn(text)) return null
  if (!isWhole) return parts.audience === 'owner' ? listedPlan(text, offered) : null
  return !isAllOffered(plan, offered) || isUnmeant(plan, part)
    ? null
    : spansMoved(withValues(plan, fields), from)
}

/** "And was born on the 3rd": what is said of the thing before it, and no request. German "was" asks. */
function goesOn(text: string): boolean {
  return /^\s*(?:was|were|is|are|has|had|been|wurde|wird|ist|sind) (?:\p{L}+ed|born|called|known|made|held|sent|in|at|from|geboren|gestorben|called)(?!\p{L})/iu.test(
    text,
  )
}

/** By the sentence that fits all words, or by the embedded planner; null if neither knows. `isOpen`: no sentence names the request. */
function fromWords(parts: PromptParts, isOffered: (phrase: Phrase) => boolean, isOpen: boolean): Plan | null {
  const undone = undoing(parts, isOffered)
  const shown = wholeSentence(
    TOOL_PHRASES,
    undone === null ? parts.request : calmed(parts.request),
    (phrase) => phrase.shown !== undefined && isOffered(phrase),
  )
  if (undone !== null && !isShownSince(undone.at, shown, parts)) return undone.plan
  const asked = (isOpen ? askedOrSought : askedIn)(parts.request, momentOf(parts))
  const first = undone === null ? wholeOf(parts, isOffered) : shown
  const found =
    first?.phrase.shown === undefined
      ? first
      : (byItsWords(first, parts, isOffered) ?? shownLast(parts, isOffered) ?? first)
  const [only] = asked
  const isLearned =
    found !== null && only !== undefined && asked.length === 1 && isSameByWords(found, only.phrase)
  const plan =
    found === null || isLearned || isBetter(asked, found)
      ? null
      : unnamedPlan(found.phrase, found.taken, parts)
  // "Bring milk along" invites nobody.
  const isNobody = found?.phrase.waits !== undefined && plan?.explanation === 'not_understood'
  return plan === null || isNobody ? learnedPlan(asked, parts) : plan
}

/** The sentence that finds such a row by its words, where one does the same with it; null if there is none. */
function byItsWords(
  shown: NonNullable<ReturnType<typeof wholeSentence>>,
  { request }: PromptParts,
  isOffered: (phrase: Phrase) => boolean,
): ReturnType<typeof wholeSentence> {
  return wholeSentence(
    TOOL_PHRASES,
    request,
    (phrase) => phrase.shown === undefined && isSameByWords(shown, phrase) && isOffered(phrase),
  )
}

/** A read in words that no sentence has; null if the message is hardly of any. */
function loosely(parts: PromptParts): Plan | null {
  const asked = askedCorrected(parts.request, momentOf(parts)) ?? askedLoosely(parts.request, momentOf(parts))
  return asked === null ? null : planOfAsked(asked, parts)
}

/** Plans of the requests that the embedded planner read, one after another; null if it read none. */
function learnedPlan(asked: readonly Asked[], parts: PromptParts): Plan | null {
  const plans = asked.map((one) => planOfAsked(one, parts))
  const empty = plans.find(({ steps: own }) => own.length === 0)
  if (plans.length === 0 || empty !== undefined) return empty ?? null
  return joined(plans)
}

/** What was read in a part of the message is no field of the message: a plan of several holds the values themselves. */
function planOfAsked({ phrase, fields, taken }: Asked, parts: PromptParts): Plan {
  const { intent } = phrase
  if (intent === undefined) return unnamedPlan(phrase, taken, parts)
  const said = saidOf({ ...parts, metadata: [{ root: 'said', action: '', fields }] })
  return withValues(planOf(said, parts), fields)
}
