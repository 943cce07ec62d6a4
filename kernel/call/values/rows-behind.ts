/**
 * The sealed rows from which the arguments of a call may come, including those of waiting calls that it
 * replaces. They are kept while the call waits. Must not open one. Called by authorize.ts and by the features
 * that ask the owner.
 */
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { referencesIn, type ToolStep } from '../../task/plan.ts'
import { sealedIn, type Task } from '../../task/task.ts'
import { type AskedCall, askedCall, askedIn, MOST_ASKED } from './asked.ts'

/** Waiting calls whose arguments this call reuses, and the calls that those had reused. */
export function askedBy(
  powers: StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  { args }: Pick<ToolStep, 'args'>,
  depth = 0,
): readonly AskedCall[] {
  const roots = new Set(
    Object.values(args).flatMap((argument) =>
      referencesIn(argument).flatMap((ref) => {
        const asked = askedIn(ref)
        return asked === null ? [] : [asked.root]
      }),
    ),
  )
  const calls = [...roots].flatMap((root) => {
    const call = askedCall(powers, task, root)
    return call === null ? [] : [call]
  })
  if (depth >= MOST_ASKED) return calls
  return [...calls, ...calls.flatMap((call) => askedBy(powers, call.task, call.step, depth + 1))]
}

export function rowsBehind(
  powers: StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  step: ToolStep,
): readonly string[] {
  return [task, ...askedBy(powers, task, step).map(({ task: former }) => former)].flatMap(rowsOf)
}

/** Sealed rows that the arguments of a step may come from. */
export function rowsOf({ words, said, literals = [], edits = {}, results }: Task): readonly string[] {
  const made = sealedIn(results)
  const own = [words, ...(said === null ? [] : [said]), ...literals.map(({ ref }) => ref)]
  const refs = [...own, ...Object.values(edits).map(({ ref }) => ref), ...made]
  return refs.map(({ id }) => id)
}
