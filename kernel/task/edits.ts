/**
 * Texts of the owner's in place of those that a plan has (F-11): one for each argument of a step. Pure. Called by the machine and by
 * whoever resolves or judges a call.
 */
import type { Edit, Task } from './task.ts'

type Edited = Pick<Task, 'edits'>

export function editsOf({ edits = {} }: Edited, step: string): readonly Edit[] {
  return Object.entries(edits)
    .filter(([key]) => key === step || key.startsWith(`${step}.`))
    .map(([, edit]) => edit)
}

export function editOf(task: Edited, step: string, argument: string): Edit | undefined {
  return editsOf(task, step).find((edit) => edit.argument === argument)
}

/** A new text for an argument takes the place of the former one, and of no other's. Tasks of before have one, under the step alone. */
export function withEdit({ edits = {} }: Edited, step: string, edit: Edit): NonNullable<Task['edits']> {
  const others = Object.entries(edits).filter(
    ([key, former]) => !(key === step || key.startsWith(`${step}.`)) || former.argument !== edit.argument,
  )
  return { ...Object.fromEntries(others), [`${step}.${edit.argument}`]: edit }
}
