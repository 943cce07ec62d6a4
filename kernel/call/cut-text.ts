/**
 * Composed texts that were cut on their way into something else (B-37): a write of one says so to whoever is asked for it.
 * Must not open anything. Called by authorize, compose, resolve and the view of a writer.
 */
import { type Argument, isReference, parseReference } from '../task/plan.ts'
import type { Task } from '../task/task.ts'

/** References that stand in an argument, at any depth. */
export function referencesIn(argument: Argument): readonly string[] {
  if (isReference(argument)) return [argument.$ref]
  if (typeof argument !== 'object' || argument === null) return []
  return Object.values(argument).flatMap((inner) => referencesIn(inner as Argument))
}

/** A composed text is named by its step alone: nothing selects inside it. */
export function isCut({ results }: Task, ref: string): boolean {
  const parsed = parseReference(ref)
  const result = parsed.ok ? results[parsed.value.root] : undefined
  return result?.kind === 'sealed' && result.cut === true
}

/** What the owner wrote in place of an argument is whole. */
export function carriesCut(
  task: Task,
  { id, args }: { readonly id: string; readonly args: Readonly<Record<string, Argument>> },
): boolean {
  const edited = task.edits?.[id]?.argument
  return Object.entries(args).some(
    ([name, argument]) => name !== edited && referencesIn(argument).some((ref) => isCut(task, ref)),
  )
}
