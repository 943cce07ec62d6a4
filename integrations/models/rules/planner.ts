/**
 * Plans for known requests (DESIGN §3), those of memory and those that packages declare, from metadata alone: references and
 * numbers, never untrusted strings. Uses only tools that the prompt offers; if something is missing, an empty plan with the reason
 * (C-12). Called by model.ts.
 */

import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Argument, Plan, SelectStep, ToolStep } from '../../../kernel/task/plan.ts'
import { CUTS } from '../../extractors/learned/read.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { createMessageExtractor } from '../../extractors/message.ts'
import { coreAsTyped } from '../../extractors/message-intent.ts'
import {
  type Asked,
  askedIn,
  isBetter,
  notUnderstood,
  partFields,
  wholeSentence,
} from '../../extractors/message-learned.ts'
import { itemsOf as itemsIn } from '../../extractors/message-reminder.ts'
import { namedThings, unnamedRequest } from '../../extractors/message-requests.ts'
import type { Among, Back, Phrase, Phrases, Picks, SlotName } from '../../tools/phrase.ts'
import { isSaid, type MessageField, plannedSteps } from '../../tools/planned.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { calledPlan } from './called.ts'
import { fieldOf, isTrue, itemsOf, shownOrder } from './content.ts'
import { pastSpan } from './past.ts'
import { type Said, saidOf, typedOf } from './said.ts'
import { joined, momentOf, spansMoved, withValues } from './several.ts'
import { shownRow } from './shown.ts'
import { shownThing } from './shown-thing.ts'
import { recipientsOf } from './whom.ts'

type Args = ToolStep['args']

export function planFor(parts: PromptParts): Plan {
  // The rules model needs no second round of planning, for its own plans or another model's: what was read is the answer.
  if (parts.instruction !== null) return { steps: [], explanation: '' }
  const called = calledPlan(parts)
  if (called !== null) return called
  const said = saidOf(parts)
  const offered = new Set(parts.tools.map(({ id }) => id))
  const isOffered = ({ plan }: Phrase) =>
    plan.every(({ tool }) => tool === undefined || (typeof tool === 'string' && offered.has(tool)))
  const isOpen = isUnsure(said)
  const known = (isOpen ? fromWords(parts, isOffered) : null) ?? wholePlan(said, parts)
  const plan =
    known.explanation === 'not_understood'
      ? (ofEachPart(parts, offered) ?? fromMemory(parts) ?? known)
      : known
  const missing = plan.steps.some((step) => step.do === 'tool' && !offered.has(step.tool))
  return missing ? nothing('not_available') : plan
}

/** Another sentence may account for more of its words; what is said of a job is of no tool. */
function isUnsure({ intent, whole }: Said): boolean {
  return intent === 'other' || (!whole && !intent.startsWith('job_'))
}

/** Of a request that was not understood whole, only a read that it begins with is done; what is lacking is asked for. */
function wholePlan(said: Said, parts: PromptParts): Plan {
  const plan = planOf(said, parts)
  const isDone = said.whole || plan.steps.length === 0 || partFields(parts.request, momentOf(parts)) !== null
  return isDone ? plan : nothing('not_understood')
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
  for (const cut of most > 1 ? text.matchAll(CUTS) : []) {
    const [end, next] = [from + cut.index, from + cut.index + cut[0].length]
    const first = onePlan({ from, to: end }, parts, offered)
    if (first === null) continue
    const rest = { from: next, to: parts.request.length }
    const others = onePlan(rest, parts, offered) ?? ofEachPart(parts, offered, next, most - 1)
    if (others !== null) return joined([first, others])
  }
  return null
}

const MOST_PARTS = 3
/** UTF-16 units: requests are short. */
const SPLIT_MOST = 300

/** The plan of a part of the message that is one request; its fields are those of the part. */
function onePlan(
  { from, to }: { readonly from: number; readonly to: number },
  parts: PromptParts,
  offered: ReadonlySet<string>,
): Plan | null {
  const { now } = momentOf(parts)
  const text = parts.request.slice(from, to)
  const fields = EXTRACTOR.extract(text, { now, timezone: parts.output.timezone }) as Readonly<
    Record<string, Json>
  >
  const own = parts.metadata.filter(({ root }) => root !== 'said')
  const said: PromptParts['metadata'][number] = { root: 'said', action: '', fields }
  const part = { ...parts, request: text, metadata: [said, ...own] }
  const read = saidOf(part)
  if (text.trim() === '') return null
  const isOffered = ({ plan }: Phrase) =>
    plan.every(({ tool }) => tool === undefined || (typeof tool === 'string' && offered.has(tool)))
  const isOpen = isUnsure(read)
  const plan = (isOpen ? fromWords(part, isOffered) : null) ?? wholePlan(read, part)
  const isMissing = plan.steps.some((step) => step.do === 'tool' && !offered.has(step.tool))
  return plan.steps.length === 0 || isMissing ? null : spansMoved(withValues(plan, fields), from)
}

const ASKS =
  /^(?:what's|whats|what|when's|whens|when|where's|where|who's|who|which|how|whose|was|wann|wo|wer|wie|welche[rsnm]?|wem|woher|wohin)\b/i
/** Words of a question that name nothing. */
const AROUND_IT =
  /^(?:(?:much|many|often|long|is|are|was|were|does|do|did|has|have|had|the|my|our|a|an|i|we|you|it|again|ist|sind|war|hat|hab|habe|haben|der|die|das|den|mein|meine|unser|unsere|ich|wir|nochmal|denn|noch)\s+)*/i

/** A question that no tool answers may be about what the owner told. */
function fromMemory(parts: PromptParts): Plan | null {
  const text = coreAsTyped(parts.request).replace(/[\s?!.]+$/, '')
  const asked = ASKS.exec(text)
  if (asked === null || !OWN.test(text) || text.length > MEMORY_MOST) return null
  if (
    text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => NEVER.has(word))
  )
    return null
  const why = notUnderstood(parts.request, momentOf(parts))
  const isOfTool = why !== null && why.near >= OF_TOOL && why.nearest[0]?.startsWith('memory') !== true
  if (why === null || why.lacking !== null || isOfTool || TWO.test(text)) return null
  const [about = ''] = text
    .slice(asked[0].length)
    .trim()
    .replace(AROUND_IT, '')
    .split(/[,;.?!]\s/, 1)
  if (about.trim() === '') return null
  const taken = { topic: about.trim() }
  const own = plannedSteps(MEMORY_PLAN, { taken, typed: parts.request }, 0) as unknown as Plan['steps']
  return { steps: own, explanation: '' }
}

/** Of the owner's own things and people. */
const OWN =
  /\b(?:my|our|mein\p{L}*|unser\p{L}*)\b|\p{L}['’]?s (?:phone|number|mobile|birthday|address|size|name|nummer|geburtstag|adresse)\b|\b(?:do|did|hab|habe|haben) (?:i|we|ich|wir) (?:usually|always|tell|say|give|nochmal|immer)\b/iu
const MEMORY_MOST = 120
/** Such a score means that the question is of a tool, but for some words. */
const OF_TOOL = 7
const TWO = /\b(?:and|und|then|dann) (?:please|bitte|delete|remove|add|send|tell|remind|book|cancel)\b/i
const MEMORY_PLAN = [{ id: 's1', do: 'tool', tool: 'memory.search', args: { query: '{topic}' } }] as const
const EXTRACTOR = createMessageExtractor()

/** By the sentence that fits all words, or by the embedded planner; null if neither knows. */
function fromWords(parts: PromptParts, isOffered: (phrase: Phrase) => boolean): Plan | null {
  const undone = undoing(parts, isOffered)
  const shown = wholeSentence(
    TOOL_PHRASES,
    parts.request,
    (phrase) => phrase.shown !== undefined && isOffered(phrase),
  )
  if (undone !== null && !isShownSince(undone.at, shown, parts)) return undone.plan
  const asked = askedIn(parts.request, momentOf(parts))
  const found = undone === null ? wholeSentence(TOOL_PHRASES, parts.request, isOffered) : shown
  if (found !== null && !isBetter(asked, found)) return unnamedPlan(found.phrase, found.taken, parts)
  return learnedPlan(asked, parts)
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

function planOf(said: Said, parts: PromptParts): Plan {
  switch (said.intent) {
    case 'memory_save':
      return said.has('topic')
        ? steps(call('s1', 'memory.save', { text: ref('said.topic') }))
        : nothing('needs_fact')
    case 'memory_search':
      return steps(call('s1', 'memory.search', saidArgs(said, { query: 'topic', from: 'from', to: 'to' })))
    case 'reminder_set':
      return reminderPlan(said, parts)
    case 'reminder_later':
      return said.has('from')
        ? steps(call('s1', 'reminder.later', { due: ref('said.from') }))
        : nothing('needs_time')
    case 'task_add':
      return tasksPlan(parts)
    case 'task_done':
      return said.has('count')
        ? steps(call('s1', 'task.done', { number: ref('said.count') }))
        : nothing('not_understood')
    default: {
      const named =
        said.intent === 'job_time' && said.move !== ''
          ? NAMED.find(({ takes }) => takes?.moves !== undefined)
          : NAMED.find(({ intent }) => intent === said.intent)
      return named === undefined ? nothing('not_understood') : namedPlan(named, said, parts)
    }
  }
}

/** What repeats in a way that was not understood is asked about: it must not become a single reminder. */
function reminderPlan(said: Said, parts: PromptParts): Plan {
  if (said.repeat === 'two_ways') return nothing('repeats_two_ways')
  if (said.repeat === 'unclear') return nothing('repeats_unclear')
  if (!said.has('topic')) return nothing('needs_reminder')
  if (!said.has('from')) return nothing(said.repeat === '' ? 'needs_time' : 'needs_day')
  const every = {
    ...(said.repeat !== '' && { repeat: ref('said.repeat') }),
    ...(said.has('count') && { every: ref('said.count') }),
  }
  const shown = shownThing(typedOf(parts).topic, parts)
  if (shown?.path === null) return nothing('reminder_thing_unknown')
  return shown === null
    ? steps(call('s1', 'reminder.set', { text: ref('said.topic'), due: ref('said.from'), ...every }))
    : steps(call('s1', 'reminder.about', { about: ref(`${shown.path}.id`), due: ref('said.from'), ...every }))
}

/** One step for each item, in the words of the message. */
function tasksPlan(parts: PromptParts): Plan {
  const { topic } = typedOf(parts)
  if (topic === '') return nothing('needs_task')
  const items = itemsIn(topic)
  if (items.length === 1) return steps(call('s1', 'task.add', { text: ref('said.topic') }))
  return steps(...items.map((text, at) => call(`s${at + 1}`, 'task.add', { text })))
}

const NAMED = TOOL_PHRASES.flatMap(({ asks }) => asks).filter(({ intent }) => intent !== undefined)

/** The plan of a request that was recognised by its name, or the reason why there is none. */
function namedPlan({ plan, needs, among, picks }: Phrase, said: Said, parts: PromptParts): Plan {
  const has = (field: MessageField) => said.has(field)
  const missing = Object.entries(needs ?? {}).find(([slot]) => !isSaid(slot as SlotName, has))
  if (missing !== undefined) return nothing(missing[1])
  const meant =
    picks !== undefined
      ? pickedOne(picks, said, parts)
      : among === undefined
        ? { before: [], path: '' }
        : meantOne(among, said, parts)
  if (picks !== undefined && !isNamed(said) && isAsked(picks, parts)) return nothing(picks.waiting)
  if (meant === null) return nothing((picks ?? among)?.unknown ?? 'not_understood')
  const filling = { has, one: meant.path }
  const own = plannedSteps(ofMove(plan, said), filling, meant.before.length) as unknown as Plan['steps']
  return { steps: [...meant.before, ...own], explanation: '' }
}

/** The steps that every kind of move has, and those of this one. */
function ofMove(plan: Phrase['plan'], { move }: Said): Phrase['plan'] {
  return plan.flatMap(({ for: kinds, ...step }) =>
    kinds === undefined || (Array.isArray(kinds) && kinds.includes(move)) ? [step] : [],
  )
}

function saidArgs(said: Said, wanted: Readonly<Record<string, MessageField>>): Args {
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([, field]) => said.has(field))
      .map(([name, field]) => [name, ref(`said.${field}`)]),
  )
}

function call(id: string, tool: string, args: Args): ToolStep {
  return { id, do: 'tool', tool, args }
}

function ref(path: string): Argument {
  return { $ref: path }
}

function steps(...planned: Plan['steps'][number][]): Plan {
  return { steps: planned, explanation: '' }
}

function nothing(explanation: string): Plan {
  return { steps: [], explanation }
}

export interface Meant {
  /** Steps that must run first. */
  readonly before: readonly (ToolStep | SelectStep)[]
  /** Path of the row: `s1`, `w1.emails[2]`. */
  readonly path: string
}

/** By its words or its time, looked up; else what was talked about last, if it was one thing. */
function pickedOne({ tool, list, talked }: Picks, said: Said, parts: PromptParts): Meant | null {
  if (isNamed(said)) {
    const pick: SelectStep = {
      ...{ id: 's2', do: 'select', from: `s1.${list}`, take: 'one' },
      ...(said.has('topic') && { matching: 'said.topic' }),
    }
    return { before: [call('s1', tool, saidArgs(said, { from: 'from', to: 'to' })), pick], path: 's2' }
  }
  const [newest] = parts.metadata
    .filter(({ root, action }) => /^w[1-9]\d?$/.test(root) && Object.hasOwn(talked, action))
    .sort((a, b) => Number(a.root.slice(1)) - Number(b.root.slice(1)))
  if (newest === undefined) return null
  const rows = talked[newest.action]
  if (rows === null || rows === undefined) return { before: [], path: newest.root }
  const { length } = itemsOf(fieldOf(newest.fields as Json, rows), 'items')
  return length === 1 ? { before: [], path: `${newest.root}.${rows}[0]` } : null
}

/** By words or a time of its own. What may be of a job names nothing but the new time. */
function isNamed(said: Said): boolean {
  return said.has('topic') || (said.has('from') && said.intent !== 'job_time')
}

/** Whether a question about such a thing waits. */
function isAsked({ talked }: Picks, { metadata }: PromptParts): boolean {
  return metadata.some(({ root, action }) => /^(?:q\d|waiting)/.test(root) && Object.hasOwn(talked, action))
}

/** From the list that was shown last, if there is one; else from a new one. Null when the request does not say which row. */
function meantOne({ tool, list, first }: Among, said: Said, parts: PromptParts): Meant | null {
  const shown = lastShown(tool, list, parts)
  const before: readonly ToolStep[] = shown === null ? [{ id: 's1', do: 'tool', tool, args: {} }] : []
  const root = shown?.root ?? 's1'
  if (said.has('person')) {
    const id = `s${before.length + 1}`
    const from = `${root}.${list}`
    const pick: SelectStep = { id, do: 'select', from, take: 'first', matching: 'said.person' }
    return { before: [...before, pick], path: id }
  }
  const index = indexOf(said, shown?.items ?? null, first)
  return index === null ? null : { before, path: `${root}.${list}[${index}]` }
}

/** Index, in the tool's order, of the row at the named position in the answer. */
function indexOf({ count }: Said, items: readonly Json[] | null, first: string): number | null {
  if (items === null) return count === null ? null : Math.max(count, 1) - 1
  if (count === null) return items.length === 1 ? 0 : null
  return shownOrder(items.map((item) => isTrue(item, first))).at(count < 0 ? count : count - 1) ?? null
}

/** `w1` is the newest. An empty list is skipped. */
function lastShown(
  tool: string,
  list: string,
  parts: PromptParts,
): { readonly root: string; readonly items: readonly Json[] } | null {
  const listings = parts.metadata
    .filter(({ root, action }) => /^w[1-9]\d?$/.test(root) && action === tool)
    .sort((a, b) => Number(a.root.slice(1)) - Number(b.root.slice(1)))
    .map(({ root, fields }) => ({ root, items: itemsOf(fieldOf(fields as Json, list), 'items') }))
  return listings.find(({ items }) => items.length > 0) ?? null
}

/** Plan of the first sentence that matches the whole request, among the phrases that `isMeant` accepts; null if none does. */
export function phrasePlan(
  request: string,
  packages: readonly Phrases[],
  isMeant: (phrase: Phrase) => boolean = () => true,
  { metadata }: Pick<PromptParts, 'metadata'> = { metadata: [] },
): Plan | null {
  const found = unnamedRequest(packages, coreAsTyped(request), isMeant)
  return found === null ? null : unnamedPlan(found.phrase, found.taken, { metadata })
}

function unnamedPlan(
  { plan, back, among, shown, past, lacks }: Phrase,
  typed: Readonly<Record<string, string>>,
  {
    metadata,
    request = '',
    output,
  }: Pick<PromptParts, 'metadata'> & Partial<Pick<PromptParts, 'request' | 'output'>>,
): Plan {
  if (lacks !== undefined) return nothing(lacks)
  const taken = among === undefined ? typed : withoutThings(typed)
  const done = back === undefined ? null : doneLast(back, metadata)
  if (back !== undefined && done === null) return nothing(back.unknown)
  const one = shown === undefined ? '' : shownRow(shown, taken['thing'] ?? '', { metadata })
  if (one === null) return nothing(shown?.unknown ?? 'not_understood')
  const { whom } = taken
  const people = whom === undefined ? null : recipientsOf(whom, { metadata, request })
  if (whom !== undefined && people === null) return nothing('contact_unknown')
  const filling = {
    ...{ taken, typed: request },
    ...(done !== null && { back: done.rows }),
    ...(one !== '' && { one }),
    ...(past === true && { when: output === undefined ? {} : pastSpan({ metadata, output }) }),
    ...(people !== null && { whom: people.to }),
  }
  const before = people?.before ?? done?.before ?? []
  const own = plannedSteps(plan, filling, before.length) as unknown as Plan['steps']
  return { steps: [...before, ...own], explanation: '' }
}

/** "Sarah's mail" and "the invoice mail" are found by Sarah and by the invoice. */
function withoutThings(taken: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { owned } = namedThings(TOOL_PHRASES)
  const bare = (words: string): string => {
    const [, before = '', last = ''] = /^(.*\S)\s+(\S+)$/s.exec(words) ?? []
    return before !== '' && owned.test(last) ? bare(before.replace(/['’]s?$/, '')) : words
  }
  return Object.fromEntries(
    Object.entries(taken).map(([slot, words]) => [slot, FOUND_BY.includes(slot) ? bare(words) : words]),
  )
}

const FOUND_BY = ['who', 'what', 'sender', 'these']

/**
 * "Undo that": of what several packages take back by the same words, what was done last. Null where no package has such words; the first
 * one's reason where nothing was done.
 */
function undoing(parts: PromptParts, isOffered: (phrase: Phrase) => boolean): Undoing | null {
  const tried = new Set<Phrase>()
  let last: Undoing | null = null
  for (;;) {
    const found = unnamedRequest(
      TOOL_PHRASES,
      coreAsTyped(parts.request),
      (phrase) => phrase.back !== undefined && !tried.has(phrase) && isOffered(phrase),
    )
    if (found === null) return last
    tried.add(found.phrase)
    const at =
      (found.phrase.back && doneLast(found.phrase.back, parts.metadata)?.at) ?? Number.POSITIVE_INFINITY
    if (last === null || at < last.at) last = { at, plan: unnamedPlan(found.phrase, found.taken, parts) }
  }
}

interface Undoing {
  /** How long ago it was done; infinite where nothing was. */
  readonly at: number
  readonly plan: Plan
}

/** "Delete it" is about what was shown, if that was later than what was done. */
function isShownSince(
  at: number,
  shown: ReturnType<typeof wholeSentence>,
  { metadata }: PromptParts,
): boolean {
  if (shown?.phrase.shown === undefined) return false
  const row = shownRow(shown.phrase.shown, shown.taken['thing'] ?? '', { metadata })
  return row !== null && Number(/^w(\d+)/.exec(row)?.[1]) < at
}

/** Where the newest result of these actions is; null if there is none, or it was taken back since, by the action of the plan. */
function doneLast(
  { of, list, by }: Back,
  metadata: PromptParts['metadata'],
): {
  readonly rows: readonly string[] | string
  readonly at: number
  readonly before?: readonly SelectStep[]
} | null {
  const [newest] = metadata
    .filter(({ root, action }) => /^w[1-9]\d?$/.test(root) && (of.includes(action) || action === by))
    .sort((a, b) => Number(a.root.slice(1)) - Number(b.root.slice(1)))
  if (newest === undefined || newest.action === by) return null
  const at = Number(newest.root.slice(1))
  if (list === undefined) return { rows: newest.root, at }
  const rows = itemsOf(fieldOf(newest.fields as Json, list), 'items')
  // How many were picked by words in a text is not shown: it is all of them.
  if (rows.length === 0)
    return {
      rows: 's1',
      at,
      before: [{ id: 's1', do: 'select', from: `${newest.root}.${list}`, take: 'all' }],
    }
  return { rows: rows.map((_, row) => `${newest.root}.${list}[${row}]`), at }
}
