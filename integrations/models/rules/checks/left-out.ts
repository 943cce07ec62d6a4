/**
 * Finds a clause that a plan of reads leaves out although it asks for something: "scribble down the code is 44, how is my Friday?". It is planned as well where it can be;
 * otherwise the answer says that a part is missing. Must not change what is read. Called by home.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../../kernel/task/plan.ts'
import { asksBesides, sidesOf } from '../../../extractors/learned/asks-besides.ts'
import { onePlan } from '../planner.ts'
import { joined, momentOf, withValues } from '../several.ts'
import { isRead } from '../steps.ts'

/** The plan with what the clause asks for, or with the note that a part is missing; the same plan for any other message. */
export function withLeftOut(plan: Plan, parts: PromptParts): Plan {
  if (plan.steps.length === 0 || plan.explanation !== '' || !isRead(plan)) return plan
  const { request } = parts
  const offered = new Set(parts.tools.map(({ id }) => id))
  for (const [clause, rest] of sidesOf(request)) {
    if (!asksBesides(request.slice(clause.from, clause.to), momentOf(parts))) continue
    const own = onePlan(rest, parts, offered)
    if (own === null || valuesOf(own, parts) !== valuesOf(plan, parts)) continue
    const other = onePlan(clause, parts, offered)
    if (other === null || other.steps.length === 0) return { ...plan, explanation: IN_PART }
    return joined(clause.from === 0 ? [other, plan] : [plan, other])
  }
  return plan
}

function valuesOf(plan: Plan, parts: PromptParts): string {
  const fields = parts.metadata.find(({ root }) => root === 'said')?.fields ?? {}
  return JSON.stringify(withValues(plan, fields as Parameters<typeof withValues>[1]).steps)
}
