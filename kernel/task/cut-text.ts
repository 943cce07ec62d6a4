/**
 * Finds arguments that contain a composed text truncated at its limit (B-37). Pure. Called by the steps that use composed texts.
 */
import { editOf } from './edits.ts'
import { type Argument, parseReference, referencesIn } from './plan.ts'
import type { Edit, Task } from './task.ts'

/**
 * Whether a reference names a truncated composed text. Such a text is referenced by its step alone; no path selects inside it.
 */
export function isCut({ results }: Task, ref: string): boolean {
  const parsed = parseReference(ref)
  const result = parsed.ok ? results[parsed.value.root] : undefined
  return result?.kind === 'sealed' && result.cut === true
}

/**
 * Whether an argument of the step contains truncated text. A text that the owner wrote
 * on a card replaces it; one that the owner only corrected may still be truncated.
 */
export function carriesCut(
  task: Task,
  { id, args }: { readonly id: string; readonly args: Readonly<Record<string, Argument>> },
): boolean {
  return Object.entries(args).some(
    ([name, argument]) =>
      isAsPlanned(editOf(task, id, name)) && referencesIn(argument).some((ref) => isCut(task, ref)),
  )
}

function isAsPlanned(edit: Edit | undefined): boolean {
  return edit === undefined || edit.kept === true
}
