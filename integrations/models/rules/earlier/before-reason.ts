/**
 * Plans a request about what was shown last that has its reason behind it: "delete that one, it's spam". Must not cut off what asks for something more.
 * Called by home.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { CORRECTS, isAside } from '../../../extractors/learned/remark.ts'
import { breaksIn } from '../../../extractors/message/second-request.ts'
import { plannedAs } from '../parts/said-as.ts'

/** What a thing is, without a pronoun in front: "ist spam", "its junk". */
const IS_SO =
  /^(?:it['’]?s|its|that['’]?s|thats|they['’]?re|is|are|ist|sind|war|is)(?!\p{L}) \S+(?: \S+){0,4}[\s.!]*$/iu

/** Points at what was shown, in few words: what is named needs no look back. */
const POINTS =
  /(?<!\p{L})(?:it|that|this|those|these|them|(?:that|this|the) (?:one|mail|email|message|event)|die|den|das|sie|ihn|es|diese[nrs]?)(?!\p{L})/iu
const MOST_WORDS = 6

/** Null for a message without a reason behind such a request, and where that is no plan by itself. */
export function beforeReason(parts: PromptParts, planOf: (parts: PromptParts) => Plan): Plan | null {
  const { request } = parts
  for (const { from, to } of breaksIn(request).toReversed()) {
    const [asked, reason] = [request.slice(0, from), request.slice(to).trim()]
    if (!(isAside(reason) || IS_SO.test(reason)) || CORRECTS.test(reason)) continue
    if (!POINTS.test(asked) || asked.split(/\s+/).length > MOST_WORDS) continue
    const plan = plannedAs(asked, parts, planOf)
    if (plan.steps.length > 0) return plan
  }
  return null
}
