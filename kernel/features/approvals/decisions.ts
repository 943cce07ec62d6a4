/**
 * Applies the owner's answers (F-04 – F-10): approve or deny; closes a question for a credential or a
 * code. Each is recorded with who, when, where and outcome, and passed to its task. Must not run anything; the caller
 * drives the lane. Called by shell.ts, edit-text.ts, credentials.ts and channels.ts.
 */
import type { Labeled } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ApprovalStore, StoredApproval, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import { type Approval, type DecisionInput, decide, replace } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'
import { type DeliverPorts, deliverNotice } from '../deliveries/deliver.ts'
import { type ChoicePorts, decideChoice, decidedTask, isChoice } from '../places/home-wait.ts'
import { type ApplyChangePorts, applyChange } from './change.ts'
import { named, repeatsIn, waitingOf } from './waiting.ts'

export interface Decided {
  /** Empty when no task was waiting for it. */
  readonly task: string
  readonly principal: string
}

export function decideOn(
  powers: ApplyChangePorts & ChoicePorts,
  lane: TaskReports,
  input: DecisionInput,
): Result<Decided> {
  const { id, most, choice = null } = named(powers, input.approval)
  const first = powers.store.loadApproval(id)
  if (first === null) return err('approval_unknown')
  const same = most === 1 ? [] : (waitingOf(powers).find(([one]) => one.approval.id === id) ?? [])
  // All requests of a card are decided in one transaction, so a crash cannot leave half of an approval.
  return powers.store.transaction(() => {
    const decided = decideOne(powers, lane, { ...input, approval: id, choice })
    const repeats = input.decision === 'approve' ? repeatsIn(powers, same.slice(0, most)) : []
    for (const { approval } of decided.ok ? same.slice(1, most) : [])
      if (repeats.some((one) => one.approval.id === approval.id))
        closeQuestion(powers, lane, approval, { decision: 'repeated', code: 'approval_repeated' })
      else decideOne(powers, lane, { ...input, approval: approval.id })
    return decided
  })
}

function decideOne(
  powers: ApplyChangePorts & ChoicePorts,
  lane: TaskReports,
  input: DecisionInput,
): Result<Decided> {
  const stored = powers.store.loadApproval(input.approval)
  if (stored === null) return err('approval_unknown')
  const { approval: id, ...decision } = input
  const decided = decide(stored.approval, { ...decision, now: powers.now() })
  // The same answer was repeated, because the reply to the first one was lost in transit.
  const repeated = decided.ok && decided.value === stored.approval
  note(powers, stored, { ...input, ...(repeated && { repeated }), result: decided })
  if (!decided.ok) return decided
  const { principal } = stored.approval
  if (repeated) return ok({ task: decidedTask(stored), principal })
  if (isChoice(stored)) return decideChoice(powers, lane, decided.value)
  if (decided.value.change !== null) {
    const applied = applyChange(powers, { ...stored, approval: decided.value })
    return applied.ok ? ok({ task: '', principal }) : applied
  }
  return handOver(powers, lane, decided.value)
}

function handOver(powers: StoreOf<ApprovalStore>, lane: TaskReports, approval: Approval): Result<Decided> {
  const { id, task, principal } = approval
  const outcome =
    approval.state === 'approved'
      ? ({ got: 'approved', approval: id } as const)
      : ({ got: 'refused', approval: id, reason: { code: 'approval_denied', facts: {} } } as const)
  const save = (): void => powers.store.saveApproval(approval, null)
  // A credential question that no task waits for ends with the owner's denial.
  if (task === '' && approval.kind === 'credential') save()
  else if (!lane.report(task, outcome, save)) return err('task_unknown', { task })
  return ok({ task, principal })
}

/**
 * Removes these rows from a question, like an edit: the remaining rows are asked about again under a new id. The caller opens the
 * transaction. Refusals: those of an approval; task_unknown.
 */
export function leaveRowsOut(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
  input: Omit<DecisionInput, 'decision'> & { readonly argument: string; readonly rows: readonly number[] },
): Result<Decided> {
  const { approval: id, principal, place, argument, rows } = input
  const stored = powers.store.loadApproval(id)
  if (stored === null) return err('approval_unknown')
  const replaced = replace(stored.approval, { principal, place, decision: 'approve', now: powers.now() })
  note(powers, stored, { ...input, decision: 'edit', result: replaced })
  if (!replaced.ok) return replaced
  const { task } = stored.approval
  const outcome = { got: 'left_out', approval: id, argument, rows } as const
  const fitted = lane.report(task, outcome, () => powers.store.saveApproval(replaced.value, null))
  return fitted ? ok({ task, principal: stored.approval.principal }) : err('task_unknown')
}

interface Noted extends Pick<DecisionInput, 'principal' | 'place'> {
  readonly decision: DecisionInput['decision'] | 'edit'
  readonly repeated?: true
  readonly result: Result<unknown>
}

/** Audits who decided, when, where and with what outcome (F-07). */
export function note(
  powers: Auditing & StoreOf<TaskStore>,
  { approval }: StoredApproval,
  noted: Noted,
): void {
  const { principal, place, decision, repeated, result } = noted
  const task = approval.task === '' ? null : powers.store.loadTask(approval.task)
  audit(powers, 'approval_decided', task, {
    ...{ approval: approval.id, kind: approval.kind, decision, place, by: principal },
    ...(repeated && { repeated }),
    ...{ ok: result.ok, code: result.ok ? null : result.reason.code },
  })
}

interface Closing {
  /** `repeated`: a request that was made again is answered with the first one. */
  readonly decision: 'approved' | 'denied' | 'repeated'
  readonly code?: ReasonCode
}

const CLOSED = { approved: 'spent', denied: 'denied', repeated: 'withdrawn' } as const

export function closeQuestion(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
  approval: Approval,
  { decision, code = 'approval_denied' }: Closing,
): void {
  const { id, task } = approval
  const state = CLOSED[decision]
  const closed: Approval = { ...approval, state, decidedAt: powers.now(), decidedBy: approval.principal }
  const save = (): void => powers.store.saveApproval(closed, null)
  const outcome =
    decision === 'approved'
      ? ({ got: 'approved', approval: id } as const)
      : ({ got: 'refused', approval: id, reason: { code, facts: {} } } as const)
  if (task === '' || !lane.report(task, outcome, save)) save()
  const of = task === '' ? null : powers.store.loadTask(task)
  audit(powers, 'approval_decided', of, { approval: id, kind: approval.kind, decision, ok: true })
}

/** Sends a notice to the chat in which the question was asked. */
export async function tellThere(
  powers: DeliverPorts & StoreOf<TaskStore>,
  { id, task, sink, principal }: Pick<Approval, 'id' | 'task' | 'sink' | 'principal'>,
  words: string | Labeled<string>,
): Promise<void> {
  const of = task === '' ? null : powers.store.loadTask(task)
  const notice = {
    id: `${id}:${powers.newId()}`,
    sink,
    principal,
    code: 'credential_missing',
    ...(typeof words === 'string' ? { words } : { text: words }),
  } as const
  await deliverNotice(powers, notice, of)
}
