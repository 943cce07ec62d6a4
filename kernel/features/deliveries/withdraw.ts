/**
 * An edited message replaces its former versions: their tasks and questions end, so that no two versions of a message can be
 * approved. What a former version has written stays, and is reported. Runs in the transaction that takes the new version. Must
 * not look at content. Called by intake.ts.
 */
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { type Approval, withdraw } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { isFinal, type Task } from '../../task/task.ts'
import { closeChoices } from '../places/home-wait.ts'

/** Number of newest tasks of a principal that are searched for a former version; later edits have no effect. */
const LOOKED_BACK = 50

/** The new version, as its task is stored. */
export interface Version extends Pick<Task, 'principal' | 'sink' | 'event'> {
  /** Base id of the message: the id of a version equals it, or is it followed by a dot. */
  readonly edits: string
}

interface Withdrawal {
  /** Questions that ended; their cards must be updated. */
  readonly approvals: readonly Approval[]
  /** Former versions that have written something, or may have. */
  readonly written: readonly Task[]
}

export function withdrawFormer(
  powers: Auditing & Actions & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
  version: Version,
): Withdrawal {
  const approvals: Approval[] = []
  const written: Task[] = []
  for (const task of formerOf(powers, version)) {
    if (hasWritten(powers, task)) written.push(task)
    // The outcome of a write in progress is unknown; its own task reports it.
    if (isFinal(task.state) || isWriting(powers, task)) continue
    if (!lane.report(task.id, { got: 'withdrawn' })) continue
    approvals.push(...closeAll(powers, task))
  }
  closeChoices(powers)
  return { approvals, written }
}

/** Other versions of that message that are tasks here. */
function formerOf(
  { store }: StoreOf<TaskStore>,
  { principal, sink, event, edits }: Version,
): readonly Task[] {
  return store
    .recentTasks(principal, LOOKED_BACK)
    .filter((task) => task.sink === sink && task.event !== event && isVersionOf(task.event, edits))
}

function isVersionOf(event: string, message: string): boolean {
  return event === message || event.startsWith(`${message}.`)
}

function closeAll(powers: Auditing & StoreOf<ApprovalStore>, task: Task): readonly Approval[] {
  const { store } = powers
  // A choice to answer without home may cover several tasks; it ends with the last of them.
  const own = store
    .pendingApprovals(task.principal)
    .filter(({ approval }) => approval.task === task.id && approval.kind !== 'choice')
  return own.map(({ approval }) => {
    const closed = withdraw(approval, powers.now())
    store.saveApproval(closed, null)
    audit(powers, 'approval_decided', task, {
      ...{ approval: approval.id, kind: approval.kind, decision: 'withdrawn', ok: true },
    })
    return closed
  })
}

/** Whether a call that writes may have begun, here or at home. */
function isWriting(powers: Actions, task: Task): boolean {
  const { state } = task
  const begun = (state.at === 'executing' && state.phase === 'calling') || state.at === 'awaiting_home'
  const step = begun ? task.plan?.steps[state.step] : undefined
  return step?.do === 'tool' && isWrite(powers, step.tool)
}

/** Whether the task wrote something, or may have. The write stays, whatever the new text says. */
function hasWritten(powers: Actions, task: Task): boolean {
  const tried = task.traces.some(
    ({ tool, outcome }) => (outcome === 'done' || outcome === 'unknown') && isWrite(powers, tool),
  )
  return tried || isWriting(powers, task)
}

/** A message to its own chat does not count as a write. */
function isWrite({ registry }: Actions, tool: string): boolean {
  const action = lookUpAction(registry, tool)
  return action.ok && action.value.semantics === 'write' && action.value.sink !== null
}
