/**
 * Steps without input: a step before them picked no row, or had no row to repeat a call for. Such steps are
 * skipped, as the calls for an empty list are. Pure; must not open a value. Called by drive.ts and
 * task-record.ts.
 */
import { inputsOf, parseReference, type Step } from './plan.ts'
import type { StepResult, Task } from './task.ts'

/** Whether a step that picks rows, or repeats a call per row, had no row. */
export function isNone(result: StepResult | undefined): boolean {
  if (result?.kind === 'aliases') return result.paths.length === 0
  return result?.kind === 'many' && result.steps.length === 0
}

/** Whether the input of a step is empty, or was skipped because its own input was empty. */
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
  const isMissing = (root: string): boolean => none.has(root)
  // A text is composed of the inputs that exist, so all must be missing. A calculation on an empty list is
  // defined, so only skipped inputs count.
  if (step.do === 'compose') return roots.length > 0 && roots.every(isMissing)
  if (step.do === 'compute') return roots.some((root) => isMissing(root) && results[root]?.kind === 'skipped')
  return roots.some(isMissing)
}
