/**
 * An edited message takes the place of its former versions: their tasks end, and what was asked because of them is asked no more, so
 * that never two versions of one message are agreed to. What one of them has done stays done, and is told. In the transaction that
 * takes the new version in. Must not look at content. Called by intake.ts.
 */
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { type Approval, withdraw } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { isFinal, type Task } from '../../task/task.ts'
import { closeChoices } from '../places/home-wait.ts'

/** Newest tasks of a principal among which a former version is looked for: an edit comes soon after, or changes nothing any more. */
const LOOKED_BACK = 50

/** The new version: as its task is stored. */
export interface Version extends Pick<Task, 'principal' | 'sink' | 'event'> {
  /** Name of the message: the id of a version is that, or begins with it and a point. */
  readonly edits: string
}

export interface Withdrawal {
  /** Asked no more: the cards of these are to say so. */
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
    // Nobody knows how a write ends that is under way: its own task says it.
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
    .filter((task) => task.sink === sink && task.event !== event && isOf(task.event, edits))
}

function isOf(event: string, message: string): boolean {
  return event === message || event.startsWith(`${message}.`)
}

function closeAll(powers: Auditing & StoreOf<ApprovalStore>, task: Task): readonly Approval[] {
  const { store } = powers
  // The choice of an answer without home is one for several tasks: it ends with the last of them.
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

/** A call that may have begun, here or at home. */
function isWriting(powers: Actions, task: Task): boolean {
  const { state } = task
  const begun = (state.at === 'executing' && state.phase === 'calling') || state.at === 'awaiting_home'
  const step = begun ? task.plan?.steps[state.step] : undefined
  return step?.do === 'tool' && isWrite(powers, step.tool)
}

/** What it did, or may have done, stays so whatever the message says now. */
function hasWritten(powers: Actions, task: Task): boolean {
  const tried = task.traces.some(
    ({ tool, outcome }) => (outcome === 'done' || outcome === 'unknown') && isWrite(powers, tool),
  )
  return tried || isWriting(powers, task)
}

/** What an answer says in its own chat changes nothing. */
function isWrite({ registry }: Actions, tool: string): boolean {
  const action = lookUpAction(registry, tool)
  return action.ok && action.value.semantics === 'write' && action.value.sink !== null
}
