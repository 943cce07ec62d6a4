/**
 * Which steps' results a later planner may not see (DESIGN §10): what a model found in a text, and all that depends on it. Without
 * this a planner could ask private text bit by bit, through counts, sizes and which steps ran. Pure; reads the plan only.
 */
import { literalIndex, type Step } from './plan.ts'
import { rootsOf } from './roots.ts'

/** Ids of those steps. `classify` shows nothing by itself, but what it decides does. */
export function unseenSteps(steps: readonly Step[]): ReadonlySet<string> {
  const unseen = new Set<string>()
  const secret = new Set<string>()
  for (const step of steps) {
    const depends = rootsOf(step).some((root) => secret.has(root))
    if (!depends && !finds(step)) continue
    secret.add(step.id)
    if (depends || step.do !== 'classify') unseen.add(step.id)
  }
  return unseen
}

/** A step by which words of the planner's own meet a text, or the owner's eyes: what follows from it tells what was seen. */
function finds(step: Step): boolean {
  if (step.do === 'select')
    return step.take === 'one' || (step.matching !== undefined && literalIndex(step.matching) !== null)
  return step.do === 'extract' || step.do === 'choose' || step.do === 'classify' || step.do === 'clarify'
}
