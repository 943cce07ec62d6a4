/**
 * Closes a question for a credential or for a chat's verification code, when its task ends or afterwards. Called by
 * credentials.ts and activation.ts.
 */
import { type DeliverPorts, deliverNotice } from '../../pipeline/deliver.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import type { Approval } from '../../task/approval.ts'
import type { TaskReports } from '../../task/outcome.ts'

export interface Closing {
  readonly decision: 'approved' | 'denied'
  readonly code?: ReasonCode
}

export function closeQuestion(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
  approval: Approval,
  { decision, code = 'approval_denied' }: Closing,
): void {
  const { id, task } = approval
  const state = decision === 'approved' ? 'spent' : 'denied'
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
  words: string,
): Promise<void> {
  const of = task === '' ? null : powers.store.loadTask(task)
  const notice = {
    id: `${id}:${powers.newId()}`,
    sink,
    principal,
    code: 'credential_missing',
    words,
  } as const
  await deliverNotice(powers, notice, of)
}
