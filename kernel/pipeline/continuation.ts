/**
 * Instruction for a later planning round: the tools or verbs of the earlier plans' steps, and the id at which the new steps
 * begin. Contains words of the plan only; outcomes are in the metadata, as far as a planner may know them. Called by plan.ts.
 */
import type { Labeled } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { FIND_TOOLS, type Step } from '../task/plan.ts'
import type { Task } from '../task/task.ts'

/** Null before the first plan. */
export function continuation({
  plan,
  results,
}: Task): Labeled<{ readonly instruction: string; readonly options: readonly string[] }> | null {
  const steps = plan?.steps ?? []
  if (steps.length === 0) return null
  const isLook = steps.every((step) => toolOf(step) === FIND_TOOLS)
  const before = isLook
    ? 'Nothing is planned yet; the tools nearest to the request are described here. Where none does it, leave it out.'
    : `Planned before: ${namesOf(steps, results).join(', ')}.`
  const instruction = `${before} Go on with s${steps.length + 1}, or with none if all is done.`
  return receive({ instruction, options: [] }, kernelWords())
}

/** Names of the steps, without the calls that a forEach expanded to: their number would reveal the length of the list. */
function namesOf(steps: readonly Step[], results: Task['results']): readonly string[] {
  const made = new Set(
    Object.values(results).flatMap((result) => (result.kind === 'many' ? result.steps : [])),
  )
  return steps.filter(({ id }) => !made.has(id)).map((step) => `${step.id} ${toolOf(step) ?? step.do}`)
}

function toolOf(step: Step): string | null {
  return 'tool' in step ? step.tool : null
}
