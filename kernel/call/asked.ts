/**
 * A call that waits for the owner's yes, as a later plan refers to it to change it: `q1.from` is that argument of the first one, with the
 * provenance that it has there. Only the same argument of the same tool, or a calculation, may take it; so nothing that the owner was
 * asked about goes elsewhere unseen. Called by resolve.ts, authors.ts and found.ts.
 */
import type { Path } from '../flow/json.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../powers/stores.ts'
import { editOf } from '../task/edits.ts'
import { type Argument, isReference, parseReference, referencesIn, type ToolStep } from '../task/plan.ts'
import type { Task } from '../task/task.ts'

const ROOT = /^q[1-9]\d?$/

/** Most calls that a plan can refer to. */
export const MOST_ASKED = 5

/** States in which its arguments may be taken over: asked about still, or replaced by a later version of itself. */
const USABLE: readonly string[] = ['pending', 'replaced']

/** Kinds of questions about one call of a tool. */
export const CALLS: readonly string[] = ['tainted_write', 'declassification']

export interface AskedCall {
  readonly approval: string
  readonly task: Task
  readonly step: ToolStep
}

/** An argument as some plan has it, with the task whose results it refers to. */
export interface Sourced {
  readonly task: Task
  readonly written: Argument
  /** Step that the argument belongs to, and its name there: the owner may have put other words in its place. */
  readonly of: { readonly step: string; readonly name: string } | null
  /** What is meant within its value. */
  readonly path: Path
}

/** Roots for the calls of this principal that wait, oldest first. */
export function askedRoots(
  { store }: StoreOf<ApprovalStore>,
  { id, principal }: Pick<Task, 'id' | 'principal'>,
): Readonly<Record<string, string>> {
  const waiting = store
    .pendingApprovals(principal)
    .map(({ approval }) => approval)
    .filter(({ kind, task }) => task !== id && task !== '' && CALLS.includes(kind))
    .slice(-MOST_ASKED)
  return Object.fromEntries(waiting.map((approval, at) => [`q${at + 1}`, approval.id]))
}

/** Null when it was answered, or belongs to somebody else. */
export function askedCall(
  { store }: StoreOf<TaskStore & ApprovalStore>,
  { asked = {}, principal }: Task,
  root: string,
): AskedCall | null {
  const id = Object.hasOwn(asked, root) ? asked[root] : undefined
  const approval = id === undefined ? undefined : store.loadApproval(id)?.approval
  if (approval === undefined || approval.principal !== principal || !USABLE.includes(approval.state))
    return null
  const task = store.loadTask(approval.task)
  const step = task?.plan?.steps.find((one) => one.id === approval.step)
  return task === null || step?.do !== 'tool' ? null : { approval: approval.id, task, step }
}

/** The root of a reference to a waiting call, and the argument that it names; null for any other reference. */
export function askedIn(ref: string): { readonly root: string; readonly name: string } | null {
  const parsed = parseReference(ref)
  if (!parsed.ok || !ROOT.test(parsed.value.root)) return null
  const [name] = parsed.value.path
  return { root: parsed.value.root, name: typeof name === 'string' ? name : '' }
}

/** What waits may only become the same argument of the same tool. */
export function takesItsOwn(
  powers: StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  { tool, args }: Pick<ToolStep, 'tool' | 'args'>,
): boolean {
  return Object.entries(args).every(([name, argument]) =>
    referencesIn(argument).every((ref) => {
      const asked = askedIn(ref)
      return (
        asked === null || (asked.name === name && askedCall(powers, task, asked.root)?.step.tool === tool)
      )
    }),
  )
}

/**
 * Follows a reference to a waiting call to the argument that is meant there, through versions that it replaced. Null when it names
 * nothing.
 */
export function followAsked(
  powers: StoreOf<TaskStore & ApprovalStore>,
  from: Sourced,
  isEnd = isEditedBy,
): Sourced | null {
  let at: Sourced = from
  for (let hops = 0; hops <= MOST_ASKED; hops += 1) {
    // Other words took the place of whatever the plan has there.
    if (isEnd(at) || !isReference(at.written)) return at
    const parsed = parseReference(at.written.$ref)
    if (!parsed.ok || !ROOT.test(parsed.value.root)) return at
    const call = askedCall(powers, at.task, parsed.value.root)
    const [name, ...rest] = [...parsed.value.path, ...at.path]
    if (call === null || typeof name !== 'string') return null
    const of = { step: call.step.id, name }
    const isPlanned = Object.hasOwn(call.step.args, name)
    if (!isPlanned && editOf(call.task, of.step, name) === undefined) return null
    at = { task: call.task, of, ...within(isPlanned ? (call.step.args[name] as Argument) : null, rest) }
  }
  return null
}

/** Whether the argument that is meant has another text than the plan's. */
export function isEditedBy(from: Sourced | null): boolean {
  return from !== null && from.of !== null && editOf(from.task, from.of.step, from.of.name) !== undefined
}

/** Whether all of that text is the owner's: one that was only corrected is judged by what stays of it. */
export function isOwnEdit(from: Sourced | null): boolean {
  const edit = from?.of == null ? undefined : editOf(from.task, from.of.step, from.of.name)
  return edit !== undefined && edit.kept !== true
}

/** One item of a list that a plan wrote item by item; what is left of the path lies within its value. */
function within(argument: Argument, path: Path): Pick<Sourced, 'written' | 'path'> {
  const [first, ...rest] = path
  const item =
    Array.isArray(argument) && typeof first === 'number'
      ? (argument[first] as Argument | undefined)
      : undefined
  return item === undefined ? { written: argument, path } : within(item, rest)
}
