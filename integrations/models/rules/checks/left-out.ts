/**
 * Finds a clause that a plan of reads leaves out although it asks for something: "scribble down the code is 44, how is my Friday?". It is planned as well where it can be;
 * otherwise the answer says that a part is missing. Must not change what is read. Called by home.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../../kernel/task/plan.ts'
import { CANNOT, WRITES } from '../../../extractors/learned/classes.ts'
import { likelyAtHome } from '../../../extractors/learned/likely-home.ts'
import { isBareLook, REMARK } from '../../../extractors/learned/remark.ts'
import { breaksIn, TELLS } from '../../../extractors/message/second-request.ts'
import { onePlan } from '../planner.ts'
import type { Span } from '../request-in.ts'
import { joined, momentOf, withValues } from '../several.ts'
import { isRead } from '../steps.ts'

/** Least score of a clause for an action that changes something, or that PFAR does not have. */
const LEAST = 0.4
/** Words of a clause; fewer are a greeting or an address. */
const FEWEST = 3
const ELSE = 'else:'
/** Says which one is meant. */
const DESCRIBES = /^(?:the|this|that|an?|one|eine?\p{L}?) /iu

/** The plan with what the clause asks for, or with the note that a part is missing; the same plan for any other message. */
export function withLeftOut(plan: Plan, parts: PromptParts): Plan {
  if (plan.steps.length === 0 || plan.explanation !== '' || !isRead(plan)) return plan
  const { request } = parts
  const offered = new Set(parts.tools.map(({ id }) => id))
  for (const { from, to } of breaksIn(request)) {
    const sides: readonly (readonly [Span, Span])[] = [
      [
        { from: 0, to: from },
        { from: to, to: request.length },
      ],
      [
        { from: to, to: request.length },
        { from: 0, to: from },
      ],
    ]
    for (const [clause, rest] of sides) {
      if (!asksBesides(request.slice(clause.from, clause.to).trim(), parts)) continue
      const own = onePlan(rest, parts, offered)
      if (own === null || valuesOf(own, parts) !== valuesOf(plan, parts)) continue
      const other = onePlan(clause, parts, offered)
      if (other === null || other.steps.length === 0) return { ...plan, explanation: IN_PART }
      return joined(clause.from === 0 ? [other, plan] : [plan, other])
    }
  }
  return plan
}

/** Whether the trained table takes a clause for a request to change something; what only tells or asks something is none. */
function asksBesides(clause: string, parts: PromptParts): boolean {
  if (clause.split(/\s+/).length < FEWEST || clause.includes('?')) return false
  if (TELLS.test(clause) || REMARK.test(clause) || DESCRIBES.test(clause) || isBareLook(clause)) return false
  const [first] = likelyAtHome(clause, momentOf(parts))
  if (first === undefined || first.score < LEAST) return false
  const name = first.label.replace(ELSE, '').replace(/#\d+$/, '')
  return first.label.startsWith(CANNOT) || WRITES.has(name)
}

function valuesOf(plan: Plan, parts: PromptParts): string {
  const fields = parts.metadata.find(({ root }) => root === 'said')?.fields ?? {}
  return JSON.stringify(withValues(plan, fields as Parameters<typeof withValues>[1]).steps)
}
