/**
 * Searches the tools once, by the owner's own words, before a planner's "nothing can do that" is accepted (O-31). The next
 * plan gets full descriptions of the tools found. Reads declarations only and grants no permission. Called by plan.ts.
 */
import { test } from '../flow/labeled.ts'
import type { PlannerView } from '../model-call/planner-view.ts'
import { FACT_MAX } from '../powers/effects.ts'
import { usableTools } from '../prompt/shown-tools.ts'
import { foundTools } from '../prompt/tool-ranking.ts'
import { FIND_TOOLS, type Plan } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'

/** A plan with the one search. Null if the task already had a plan, or if no tool shares a word with the request. */
export function toolSearchFirst(task: Task, template: Template, view: PlannerView): Plan | null {
  const mayLook = template.principalClass === 'owner' && template.tools.includes(FIND_TOOLS)
  if (task.plan !== null || !mayLook) return null
  const tools = usableTools(view.tools).filter(({ id }) => id !== FIND_TOOLS)
  if (!test(view.request, (words) => foundTools(tools, words).length > 0)) return null
  const end = lengthOf((length) => test(view.request, (words) => Math.min(words.length, FACT_MAX) === length))
  const words = { $ref: `said.words[0][${end}]` }
  return {
    steps: [{ id: 's1', do: 'tool', tool: FIND_TOOLS, args: { words } }],
    explanation: '',
    again: true,
  }
}

function lengthOf(is: (length: number) => boolean): number {
  return Array.from({ length: FACT_MAX }, (_, index) => index + 1).find(is) ?? FACT_MAX
}
