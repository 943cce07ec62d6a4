/**
 * Questions whose card no chat of the owner could take (F-05, F-18). Silence denies only a question that was shown,
 * so such a question waits as long as an answer does, and its expiry starts when it is shown. Must not show or decide
 * one. Called by asking.ts, offer-heard.ts and shell.ts.
 */

import { rowsOf } from '../../pipeline/authorize.ts'
import type { AskingTime, Clock } from '../../powers/ports.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, type Approval } from '../../task/approval.ts'
import { ASK_OWNER } from '../../task/plan.ts'
import { WAITS_AT_MOST } from '../deliveries/waiting-line.ts'

/**
 * Kinds whose task has nothing else to continue with. A choice, a credential and another person's question have an
 * expiry of their own.
 */
const PATIENT: readonly Approval['kind'][] = ['tainted_write', 'declassification', 'plan']

/** Marks it as unshown and extends the life of the sealed rows it needs. In a transaction of the caller's. */
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

/** Whether it waits for a chat, or ended while waiting for one. */
export function waitedForChat({ toldAt, createdAt, expiresAt, task }: Approval): boolean {
  return task !== '' && toldAt === null && expiresAt === createdAt + WAITS_AT_MOST
}

/** The approval once a chat accepted it: the usual expiry starts now. */
export function shownNow(powers: Clock & AskingTime, approval: Approval): Approval {
  const toldAt = powers.now()
  const expiresAt = waitedForChat(approval) ? toldAt + powers.approvalTimeout : approval.expiresAt
  return { ...approval, toldAt, expiresAt }
}
