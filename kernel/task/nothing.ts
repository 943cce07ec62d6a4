/**
 * Steps that have nothing to work on, because a step before them picked no row or had none to repeat a call for. They are left out, as the calls
 * of a list without rows are. Pure; must not open a value. Called by drive.ts and task-record.ts.
 */
import { inputsOf, parseReference, type Step } from './plan.ts'
import type { StepResult, Task } from './task.ts'

/** Of a step that picked, or repeated a call: there was no row. */
export function isNone(result: StepResult | undefined): boolean {
  if (result?.kind === 'aliases') return result.paths.length === 0
  return result?.kind === 'many' && result.steps.length === 0
}

/** True if what the step would work on is nothing, or was left out for that reason. */
export function worksOnNothing({ plan, results }: Pick<Task, 'plan' | 'results'>, step: Step): boolean {
  const none = new Set<string>()
  for (const before of plan?.steps ?? []) {
    if (before.id === step.id) break
    const result = results[before.id]
    const isLeft = result?.kind === 'skipped' && takes(before, none, results)
    if (isNone(result) || isLeft) none.add(before.id)
  }
  return takes(step, none, results)
}

function takes(step: Step, none: ReadonlySet<string>, results: Task['results']): boolean {
  const roots = inputsOf(step).flatMap((ref) => {
    const parsed = parseReference(ref)
    return parsed.ok ? [parsed.value.root] : []
  })
  const isOf = (root: string): boolean => none.has(root)
  // A text of several is of what is there; a count of none is a number.
  if (step.do === 'compose') return roots.length > 0 && roots.every(isOf)
  if (step.do === 'compute') return roots.some((root) => isOf(root) && results[root]?.kind === 'skipped')
  return roots.some(isOf)
}
