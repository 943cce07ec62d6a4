/**
 * A second request that the reading of a message took into the words of the first, or left out: "remember that my locker is 12, check my mail". Both are planned where
 * each can be, and else the answer says that a part is missing. Must not read a message by itself. Called by plan-for.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import { fieldsAt } from '../../extractors/message/message.ts'
import { requestsBehind } from '../../extractors/message/second-request.ts'
import type { Span } from './request-in.ts'
import { joined, momentOf } from './several.ts'

/** What is written to somebody holds any words. */
const WRITTEN = /^email\.(?:send|reply|forward|draft)/
/** Several of these in one message are several things; of anything else the second says more of the first: "not now, tell me again at 3". */
const KEPT: ReadonlySet<string> = new Set([
  'task.add',
  'memory.save',
  'reminder.set',
  'calendar.create_event',
])
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
  // A fact with a request behind it was left to this.
  const isLeft = plan.explanation === 'needs_fact'
  if ((has.length === 0 && !isLeft) || has.some((tool) => WRITTEN.test(tool))) return null
  for (const { from, to } of requestsBehind(request, (text) => fieldsAt(text, momentOf(parts)))) {
    const tail = request.slice(to).trim()
    // "…, family calendar please" says where the event goes.
    if (has.includes('calendar.create_event') && OF_CALENDAR.test(tail)) continue
    // "Remind me to call mum, buy milk and …": what somebody is to do is what they are reminded of.
    if (has.includes('reminder.set') && !ASKS.test(tail) && readDates(tail, momentOf(parts)).span === null)
      continue
    const second = one({ from: to, to: request.length })
    const first = one({ from: 0, to: from })
    if (first === null || toolsOf(first).length === 0) continue
    if (second === null && !isLeft) continue
    if (second === null) return { ...first, explanation: IN_PART }
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
