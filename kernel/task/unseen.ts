/**
 * Finds the steps whose results a later planner may not see (DESIGN §10): what a model
 * found in a text, and all that depends on it. Otherwise a planner could extract private
 * text bit by bit, through counts, sizes and which steps ran. Pure; reads the plan only.
 */
import { literalIndex, type Step } from './plan.ts'
import { rootsOf } from './roots.ts'

/** Ids of those steps. A `classify` by itself reveals nothing; the steps that depend on it do. */
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

/**
 * Whether the step compares words of the planner with a text, or shows them to the
 * owner: what follows from it reveals what was read.
 */
function finds(step: Step): boolean {
  if (step.do === 'select')
    return step.take === 'one' || (step.matching !== undefined && literalIndex(step.matching) !== null)
  return step.do === 'extract' || step.do === 'choose' || step.do === 'classify' || step.do === 'clarify'
}
