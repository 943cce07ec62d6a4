/**
 * One audit line per decision: ids, labels, codes, sizes. Never content: the type of `facts` has
 * no room for a labelled value. Called by every step that decides or acts.
 */
import type { Task } from '../task/task.ts'
import type { AuditEvent, AuditKind, Powers } from './ports.ts'

export function audit(
  powers: Pick<Powers, 'place' | 'store' | 'now'>,
  kind: AuditKind,
  task: Task | null,
  facts: AuditEvent['facts'],
): void {
  const { place, store } = powers
  const subject = { trace: task?.trace ?? null, task: task?.id ?? null, principal: task?.principal ?? null }
  store.appendAudit({ at: powers.now(), place, kind, ...subject, facts })
}
