/**
 * Removes the rows that the owner left out on a card from a list argument, before the call is judged, shown
 * and run (DESIGN §10). The remaining rows keep label and taint. Must not decide which rows: leave-out.ts
 * records them. Called by resolve.ts.
 */
import { derive, type Labeled } from '../../flow/labeled.ts'
import { ok, type Result } from '../../flow/verdict.ts'
import type { Task } from '../../task/task.ts'

/** `of`: step and name of the argument that has this value; null if it is no argument. */
export function withoutLeft(
  task: Pick<Task, 'left'>,
  of: { readonly step: string; readonly name: string } | null,
  value: Result<Labeled>,
): Result<Labeled> {
  const left = of === null ? undefined : task.left?.[of.step]
  if (!value.ok || left === undefined || left.argument !== of?.name) return value
  const out = new Set(left.rows)
  return ok(
    derive(value.value, (list) => (Array.isArray(list) ? list.filter((_, at) => !out.has(at)) : list)),
  )
}
