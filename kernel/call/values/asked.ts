/**
 * References of a later plan to a call that waits for approval, in order to change it: `q1.from` is that argument of the
 * first one. Usable only in the same argument of the same tool, in a calculation, or in a free text (`worded`) rewritten
 * for it, so nothing of a card goes elsewhere unseen. Called by resolve.ts, authors.ts, found.ts and compose.ts.
 */
import type { Path } from '../../flow/json.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { editOf } from '../../task/edits.ts'
import { type Argument, isReference, parseReference, referencesIn, type ToolStep } from '../../task/plan.ts'
import type { Task } from '../../task/task.ts'

const ROOT = /^q[1-9]\d?$/

/** Maximum number of waiting calls that a plan can refer to. */
export const MOST_ASKED = 5

/**
 * States of a task whose waiting call may be changed: still waiting, or replaced by a later version of
 * itself.
 */
const USABLE: readonly string[] = ['pending', 'replaced']

/** Kinds of questions about one call of a tool. */
export const CALLS: readonly string[] = ['tainted_write', 'declassification']

export interface AskedCall {
  readonly approval: string
  readonly task: Task
  readonly step: ToolStep
}

/** An argument in some plan, with the task whose results it refers to. */
export interface Sourced {
  readonly task: Task
  readonly written: Argument
  /** Step and name of the argument. The owner may have replaced its text on the card. */
  readonly of: { readonly step: string; readonly name: string } | null
  /** Path within the value of the argument. */
  readonly path: Path
}

/** Roots (`q1`, …) of the waiting calls of this principal, oldest first. */
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

/** Null if the call was answered, or belongs to somebody else. */
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

/**
 * The root of a reference to a waiting call, and the argument that it names; null for any other reference.
 */
export function askedIn(ref: string): { readonly root: string; readonly name: string } | null {
  const parsed = parseReference(ref)
  if (!parsed.ok || !ROOT.test(parsed.value.root)) return null
  const [name] = parsed.value.path
  return { root: parsed.value.root, name: typeof name === 'string' ? name : '' }
}

/** A reference to a waiting call is allowed only for the same argument of the same tool. */
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
 * Resolves a reference to a waiting call to its argument, through the versions that the call replaced. Null
 * if there is no such argument.
 */
export function followAsked(
  powers: StoreOf<TaskStore & ApprovalStore>,
  from: Sourced,
  isEnd = isEditedBy,
): Sourced | null {
  let at: Sourced = from
  for (let hops = 0; hops <= MOST_ASKED; hops += 1) {
    // The owner replaced this text on the card, so the value of the plan no longer counts.
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

/** Whether the owner edited the text of this argument. */
export function isEditedBy(from: Sourced | null): boolean {
  return from !== null && from.of !== null && editOf(from.task, from.of.step, from.of.name) !== undefined
}

/** Whether the owner wrote the whole text. A text that was only corrected is judged by the rest of it. */
export function isOwnEdit(from: Sourced | null): boolean {
  const edit = from?.of == null ? undefined : editOf(from.task, from.of.step, from.of.name)
  return edit !== undefined && edit.kept !== true
}

/** Item of a list literal in a plan. The rest of the path lies within its value. */
function within(argument: Argument, path: Path): Pick<Sourced, 'written' | 'path'> {
  const [first, ...rest] = path
  const item =
    Array.isArray(argument) && typeof first === 'number'
      ? (argument[first] as Argument | undefined)
      : undefined
  return item === undefined ? { written: argument, path } : within(item, rest)
}
