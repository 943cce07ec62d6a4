/**
 * A second request that the reading of a message took into the words of the first, or left out: "remember that my locker is 12, check my mail". Both are planned where
 * each can be, and else the answer says that a part is missing. Must not read a message by itself. Called by plan-for.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { TOOLLESS_INTENTS } from '../../../kernel/powers/message-fields.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../kernel/task/plan.ts'
import { type Moment, readDates } from '../../dates/read.ts'
import { isInQuotes } from '../../extractors/message/in-quotes.ts'
import { fieldsAt } from '../../extractors/message/message.ts'
import type { Span } from './request-in.ts'
import { joined, momentOf } from './several.ts'

/** Where a sentence or a clause may end. */
const BREAKS =
  /[.!?;]+\s+|\s*\n\s*|\s*[,;&]\s+(?:(?:and|then|also|und|dann|auch)\s+)*|\s+(?:and|then|und|dann)\s+(?:(?:then|also|dann|auch|noch)\s+)*/giu
const MOST_BREAKS = 5
/** UTF-16 units: requests are short. */
const LONGEST = 300
/** With "if" or "when" what follows is a part of it. */
const CONDITION =
  /(?<!\p{L})(?:if|when|whenever|unless|once|as soon as|wenn|falls|sobald|immer|solange)(?!\p{L})/iu
/** What is written to somebody holds any words. */
const WRITTEN = /^email\.(?:send|reply|forward|draft)/
/** "Save that one": what is meant stands before it. */
const OF_BEFORE =
  /^\p{L}+ (?:it|that|this|them|one|den|die|das|ihn|sie|es|dies\p{L}*)(?: \p{L}{2,4})?[\s.!]*$/iu
/** Several of these in one message are several things; of anything else the second says more of the first: "not now, tell me again at 3". */
const KEPT: ReadonlySet<string> = new Set([
  'task.add',
  'memory.save',
  'reminder.set',
  'calendar.create_event',
])
/** Says something of the matter: a reason for the first, and no request. */
const TELLS =
  /^(?:i|i['’]?(?:m|ve|ll|d)|we|he|she|it|they|there|that|this|ich|wir|er|sie|es|das|dann)(?:['’](?:s|re|ve|ll|d|m))? /iu
/** A calendar by its name, and nothing of what is in it. */
const OF_CALENDAR =
  /^(?:(?:it|that|das|es) (?:goes|belongs|kommt|gehört) )?(?:(?:in|into|on|to|auf|ins?) )?(?:(?:the|my|our|den|meinen|unseren) )?(?:\p{L}+ ){0,2}?(?:\p{L}*kalender|calendar)(?:,? (?:please|bitte|rein))*[\s.!]*$/iu
/** Begins as a question does. */
const ASKS =
  /^(?:what|when|where|who|whose|which|how|why|is|are|do|does|did|am|will|has|have|can|any|was|wann|wo|wer|wie|welche\p{L}?|ist|sind|hab|habe|hat|gibt|steht|regnet|wird|kommt)(?:['’]s)?(?!\p{L})|\?\s*$/iu

/** The plan of both, or of the first and that a part is missing; null where the message is one request. `plan`: of the whole message. */
export function bothRequests(plan: Plan, parts: PromptParts, one: (part: Span) => Plan | null): Plan | null {
  const { request } = parts
  const has = toolsOf(plan)
  if (has.length === 0 || request.length > LONGEST || CONDITION.test(request)) return null
  if (has.some((tool) => WRITTEN.test(tool))) return null
  for (const cut of [...request.matchAll(BREAKS)].slice(0, MOST_BREAKS)) {
    if (isInQuotes(request, cut.index)) continue
    const next = cut.index + cut[0].length
    const tail = request.slice(next).trim()
    // "Nappies no. 5 on the list": a number is of what stands before it.
    if (
      !/^\p{L}/u.test(tail) ||
      !tail.includes(' ') ||
      OF_BEFORE.test(tail) ||
      !isRequest(tail, momentOf(parts))
    )
      continue
    // "…, family calendar please" says where the event goes.
    if (has.includes('calendar.create_event') && OF_CALENDAR.test(tail)) continue
    // "Remind me to call mum, buy milk and …": what somebody is to do is what they are reminded of.
    if (has.includes('reminder.set') && !ASKS.test(tail) && readDates(tail, momentOf(parts)).span === null)
      continue
    const second = one({ from: next, to: request.length })
    const first = one({ from: 0, to: cut.index })
    if (first === null || second === null || toolsOf(first).length === 0) continue
    // Read as both already.
    const both = [...toolsOf(first), ...toolsOf(second)]
    const isOne = has.length === 1 && !KEPT.has(has[0] ?? '')
    if (both.every((tool) => has.includes(tool)) && (isOne || has.length > toolsOf(first).length)) return null
    // What is done to many is asked for by itself.
    if ([first, second].some(isOfMany)) return { ...first, explanation: IN_PART }
    return joined([first, second])
  }
  return null
}

function toolsOf({ steps }: Plan): readonly string[] {
  return steps.flatMap((step) => (step.do === 'tool' ? [step.tool] : []))
}

function isOfMany({ steps }: Plan): boolean {
  return steps.some((step) => step.do === 'select' && step.take === 'all')
}

/** Whether declared words account for all of a text, or the trained table does. */
function isRequest(text: string, moment: Moment): boolean {
  const { intent, whole, learned } = fieldsAt(text, moment) as Readonly<Record<string, Json>>
  return (
    (whole === true || (learned === true && !TELLS.test(text))) && !TOOLLESS_INTENTS.includes(intent as never)
  )
}
