/**
 * Questions about plans (P-19) whose task was stopped meanwhile: they ask nothing any more, and none is left for a yes. Must not
 * decide one that a task still waits with. Called where a task is stopped: the shell and stop-word.ts.
 */
import type { Powers } from '../powers/ports.ts'

export function closePlans({ store }: Powers): void {
  for (const { approval } of store.pendingApprovals(null)) {
    const state = approval.kind === 'plan' ? store.loadTask(approval.task)?.state : undefined
    if (state === undefined || ('approval' in state && state.approval === approval.id)) continue
    store.saveApproval({ ...approval, state: 'expired' }, null)
  }
}
