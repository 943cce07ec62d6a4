/**
 * Closes questions about a plan (P-19) or a call whose task was stopped, so that none can be approved later. Must not
 * close one that a task still waits for. Called by shell.ts and stop-word.ts.
 */
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'

const OF_A_TASK: readonly Approval['kind'][] = ['plan', 'tainted_write', 'declassification']

export function closeAsked({ store }: StoreOf<TaskStore & ApprovalStore>): readonly Approval[] {
  const over = store.pendingApprovals(null).flatMap(({ approval }) => {
    const isTasks = OF_A_TASK.includes(approval.kind) && approval.task !== ''
    const state = isTasks ? store.loadTask(approval.task)?.state : undefined
    if (state === undefined || ('approval' in state && state.approval === approval.id)) return []
    return [{ ...approval, state: 'expired' } as const]
  })
  for (const approval of over) store.saveApproval(approval, null)
  return over
}
