/**
 * Plans a fact with a request in the sentence behind it: "Remember that X. And book Y". The fact is kept without it; what it asks for is planned as well, or said to be
 * left out. Must not plan a message without a fact. Called by home.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../kernel/task/plan.ts'
import { requestBehind } from '../../extractors/learned/operations.ts'
import { onePlan } from './planner.ts'
import { saidOf } from './said.ts'
import { joined, momentOf } from './several.ts'

/** Null for anything else. */
export function factAndRest(parts: PromptParts): Plan | null {
  const { request } = parts
  const cut = saidOf(parts).intent === 'other' ? requestBehind(request, momentOf(parts)) : null
  if (cut === null) return null
  const offered = new Set(parts.tools.map(({ id }) => id))
  const fact = onePlan({ from: 0, to: cut.from }, parts, offered)
  const isFact = fact?.steps.every((step) => step.do === 'tool' && step.tool === 'memory.save') === true
  if (fact === null || !isFact) return null
  const more = onePlan({ from: cut.to, to: request.length }, parts, offered)
  return more === null ? { ...fact, explanation: IN_PART } : joined([fact, more])
}
