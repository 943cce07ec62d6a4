/**
 * Home's log besides its faults: lines about decisions, for the operator of the machine. Each line consists of names from this
 * software and a task's id: no text, address, person or host (invariant 3). Called by wiring.ts.
 */
import type { AuditEvent, AuditKind, AuditLog } from '../../kernel/powers/stores.ts'

/** Ordered from the shortest log. Faults are logged at each level. */
export const LOG_LEVELS = ['error', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Audit kinds that `info` logs: refusals, questions, approvals and changes. `debug` logs every audit row. */
const AT_INFO: readonly AuditKind[] = [
  ...(['fault', 'denial', 'event_rejected', 'restored', 'pause_changed'] as const),
  ...(['approval_asked', 'approval_decided', 'grant_changed', 'agreement_changed'] as const),
  ...(['identity_changed', 'secret_changed', 'device_enrolled', 'device_revoked'] as const),
]

/** Facts that are logged: their values are from a closed list of this software and have this form. */
const SHOWN = ['code', 'decision', 'ok'] as const
const NAME = /^[a-z_]{1,40}$/
/** Ids are generated here, from letters and digits. */
const ID = /^[a-z0-9]{1,64}$/i

/** Wraps the store: after each audit row that the level includes, writes a line to the log. */
export function withLog<Store extends AuditLog>(
  store: Store,
  level: LogLevel,
  write: (line: string) => void,
): Store {
  if (level === 'error') return store
  return {
    ...store,
    appendAudit(event) {
      store.appendAudit(event)
      if (level === 'debug' || AT_INFO.includes(event.kind)) write(lineOf(event))
    },
  }
}

function lineOf({ at, kind, task, facts }: AuditEvent): string {
  const shown = SHOWN.flatMap((name) => {
    const fact = facts[name]
    const isName = typeof fact === 'boolean' || (typeof fact === 'string' && NAME.test(fact))
    return isName ? [`${name}=${fact}`] : []
  })
  const of = task !== null && ID.test(task) ? [`task=${task}`] : []
  return [new Date(at).toISOString(), kind, ...shown, ...of].join(' ')
}
