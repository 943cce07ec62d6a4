/**
 * The owner's replacements for texts of a plan (F-11), one for each argument of a
 * step. Pure. Called by the machine and by the code that resolves or judges a call.
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

/**
 * Adds a replacement; it supersedes an earlier one for the same argument. Tasks stored
 * by older versions have one replacement, with the step alone as its key.
 */
export function withEdit({ edits = {} }: Edited, step: string, edit: Edit): NonNullable<Task['edits']> {
  const others = Object.entries(edits).filter(
    ([key, former]) => !(key === step || key.startsWith(`${step}.`)) || former.argument !== edit.argument,
  )
  return { ...Object.fromEntries(others), [`${step}.${edit.argument}`]: edit }
}
