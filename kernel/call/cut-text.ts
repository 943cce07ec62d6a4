/**
 * Tracks composed texts that were truncated before they became an argument (B-37): the card of a write says so. Must
 * not open anything. Called by authorize.ts, compose.ts, resolve.ts and synthesis-view.ts.
 */
import { type Argument, isReference, parseReference } from '../task/plan.ts'
import type { Task } from '../task/task.ts'

/** References in an argument, at any depth. */
export function referencesIn(argument: Argument): readonly string[] {
  if (isReference(argument)) return [argument.$ref]
  if (typeof argument !== 'object' || argument === null) return []
  return Object.values(argument).flatMap((inner) => referencesIn(inner as Argument))
}

/** A composed text is referenced by its step alone; no path selects inside it. */
export function isCut({ results }: Task, ref: string): boolean {
  const parsed = parseReference(ref)
  const result = parsed.ok ? results[parsed.value.root] : undefined
  return result?.kind === 'sealed' && result.cut === true
}

/** Text that the owner wrote in place of an argument is never truncated. */
export function carriesCut(
  task: Task,
  { id, args }: { readonly id: string; readonly args: Readonly<Record<string, Argument>> },
): boolean {
  const edited = task.edits?.[id]?.argument
  return Object.entries(args).some(
    ([name, argument]) => name !== edited && referencesIn(argument).some((ref) => isCut(task, ref)),
  )
}
