/**
 * Writes one audit line per decision: ids, labels, codes, sizes. Never content: the type of `facts` does not
 * accept a labelled value. Called by every step that decides or acts.
 */
import type { Refusal } from '../flow/verdict.ts'
import type { Reported } from '../task/outcome.ts'
import type { Task } from '../task/task.ts'
import type { AtPlace, Clock } from './ports.ts'
import type { AuditEvent, AuditKind, AuditLog, StoreOf } from './stores.ts'

/** The ports that writing a line needs. */
export type Auditing = Clock & AtPlace & StoreOf<AuditLog>

export function audit(
  powers: Auditing,
  kind: AuditKind,
  task: Task | null,
  facts: AuditEvent['facts'],
): void {
  const { place, store } = powers
  const subject = { trace: task?.trace ?? null, task: task?.id ?? null, principal: task?.principal ?? null }
  store.appendAudit({ at: powers.now(), place, kind, ...subject, facts })
}

/** Refuses the step and audits the refusal. */
export function denied(powers: Auditing, task: Task, index: number, { code, facts }: Refusal): Reported {
  const reason: Refusal = { code, facts }
  return {
    outcome: { got: 'denied', step: index, reason },
    commit: () => audit(powers, 'denial', task, { step: index, code, ...facts }),
  }
}
