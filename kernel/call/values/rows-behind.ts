/**
 * The sealed rows from which the arguments of a call may come, including those of waiting calls that it
 * replaces. They are kept while the call waits. Must not open one. Called by authorize.ts and by the features
 * that ask the owner.
 */
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { inputsOf, parseReference, referencesIn, type ToolStep } from '../../task/plan.ts'
import { sealedIn, type Task } from '../../task/task.ts'
import { type AskedCall, askedCall, askedIn, MOST_ASKED } from './asked.ts'

/** Waiting calls that this call takes the place of, as it reuses their arguments, and the calls that those had reused. */
export function askedBy(
  powers: StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  step: Pick<ToolStep, 'tool' | 'args'>,
  depth = 0,
): readonly AskedCall[] {
  const own = Object.values(step.args).flatMap(referencesIn)
  const reused = callsIn(powers, task, own)
  const counted = computedFrom(task, own)
  // Of a change ("make it half an hour later"), what was counted from the same call's times; what is only beside it stays.
  const changed = counted.some(isChange)
    ? callsIn(powers, task, counted).filter((call) => call.step.tool === step.tool)
    : []
  const calls = [
    ...reused,
    ...changed.filter((one) => reused.every(({ approval }) => approval !== one.approval)),
  ]
  if (depth >= MOST_ASKED) return calls
  return [...calls, ...calls.flatMap((call) => askedBy(powers, call.task, call.step, depth + 1))]
}

/** Waiting calls to which these references lead, each once. */
function callsIn(
  powers: StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  refs: readonly string[],
): readonly AskedCall[] {
  const roots = new Set(refs.flatMap((ref) => askedIn(ref)?.root ?? []))
  return [...roots].flatMap((root) => askedCall(powers, task, root) ?? [])
}

/** All references from which the `compute` steps behind these references count; such a step counts from earlier ones alone. */
function computedFrom({ plan }: Task, refs: readonly string[]): readonly string[] {
  const wanted = new Set(refs)
  const found: string[] = []
  for (const step of (plan?.steps ?? []).toReversed()) {
    if (step.do !== 'compute' || ![...wanted].some((ref) => rootOf(ref) === step.id)) continue
    const inputs = inputsOf(step)
    found.push(...inputs)
    for (const ref of inputs) wanted.add(ref)
  }
  return found
}

function rootOf(ref: string): string | null {
  const parsed = parseReference(ref)
  return parsed.ok ? parsed.value.root : null
}

/** The new time in a message that changes something. */
function isChange(ref: string): boolean {
  return ref === 'said.changedTo' || ref === 'said.changedBy'
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
