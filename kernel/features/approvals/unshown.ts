/**
 * Questions whose card no chat of the owner's could take (F-05, F-18): silence is a *no* only of somebody who was asked, so such a one waits as
 * long as an answer does, and its time begins when it is shown. Must not show or decide one. Called by asking.ts, offer-heard.ts and the shell.
 */

import { rowsOf } from '../../pipeline/authorize.ts'
import type { AskingTime, Clock } from '../../powers/ports.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, type Approval } from '../../task/approval.ts'
import { ASK_OWNER } from '../../task/plan.ts'
import { WAITS_AT_MOST } from '../deliveries/waiting-line.ts'

/** Questions of a task that has nothing else to go on with; a choice, a credential and somebody else's question have a time of their own. */
const PATIENT: readonly Approval['kind'][] = ['tainted_write', 'declassification', 'plan']

/** In a transaction of the caller's: it is untold, and what it is about is kept as long as it may wait. */
export function waitForChat(
  { store }: StoreOf<TaskStore & ApprovalStore & SealedStore>,
  approval: Approval,
): void {
  if (approval.state !== 'pending') return
  const task = store.loadTask(approval.task)
  const mayWait = task !== null && PATIENT.includes(approval.kind) && approval.tool !== ASK_OWNER
  const expiresAt = mayWait ? approval.createdAt + WAITS_AT_MOST : approval.expiresAt
  store.saveApproval({ ...approval, toldAt: null, expiresAt }, null)
  if (!mayWait) return
  const heard = task.attached?.heard
  const rows = [approval.card, ...rowsOf(task), ...(heard === undefined ? [] : [heard.id])]
  store.keepSealed(rows, expiresAt + APPROVAL_SPEND_WINDOW)
}

/** Whether it waits for a chat, or ended with that wait. */
export function waitedForChat({ toldAt, createdAt, expiresAt, task }: Approval): boolean {
  return task !== '' && toldAt === null && expiresAt === createdAt + WAITS_AT_MOST
}

/** As it is once a chat has it: its owner has the usual time from then on. */
export function shownNow(powers: Clock & AskingTime, approval: Approval): Approval {
  const toldAt = powers.now()
  const expiresAt = waitedForChat(approval) ? toldAt + powers.approvalTimeout : approval.expiresAt
  return { ...approval, toldAt, expiresAt }
}
