/**
 * Plans reminders, list entries, facts and ticks that match no declared sentence: one, or several requests of
 * which each is read. Must not read words itself. Called by planner.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { type OwnRequest, ownRequestIn } from '../../extractors/learned/own-things.ts'
import { CUTS } from '../../extractors/learned/read.ts'
import { isInQuotes } from '../../extractors/message/in-quotes.ts'
import type { Span } from './request-in.ts'
import { joined, momentOf } from './several.ts'
import { call, nothing, steps } from './steps.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 300
const MOST_CUTS = 5

/** `planOf`: the plan of a part of the message by the words that are declared; null if it has none. */
export function likelyPlan(parts: PromptParts, planOf: (part: Span) => Plan | null): Plan | null {
  const { request } = parts
  if (request.length > LONGEST) return null
  const whole = planOfOwn(ownRequestIn(request, momentOf(parts)), parts)
  if (whole !== null) return whole
  for (const { index, 0: mark } of [...request.matchAll(CUTS)].slice(0, MOST_CUTS)) {
    if (isInQuotes(request, index)) continue
    const both = [
      { from: 0, to: index },
      { from: index + mark.length, to: request.length },
    ].map((part) => planOf(part) ?? planOfPart(part, parts))
    const [first, second] = both
    // Where one of them lacks something, neither is done.
    if (first?.steps.length && second?.steps.length) return joined([first, second])
  }
  return null
}

function planOfPart({ from, to }: Span, parts: PromptParts): Plan | null {
  return planOfOwn(ownRequestIn(parts.request.slice(from, to), momentOf(parts)), parts)
}

function planOfOwn(own: OwnRequest | null, parts: PromptParts): Plan | null {
  if (own === null) return null
  switch (own.is) {
    case 'asks':
      return nothing(own.why)
    case 'reminder': {
      const { topic, due, repeat, count } = own
      const { zone } = momentOf(parts)
      const again = { ...(repeat !== null && { repeat }), ...(count !== null && { every: count }) }
      return steps(call('s1', 'reminder.set', { text: topic, due: zone.iso(due), ...again }))
    }
    case 'tasks':
      return steps(...own.items.map((text, at) => call(`s${at + 1}`, 'task.add', { text })))
    case 'fact':
      return steps(call('s1', 'memory.save', { text: own.fact }))
    default:
      return steps(call('s1', 'task.done', { text: own.words }))
  }
}
