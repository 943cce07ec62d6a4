/**
 * Home's log besides its faults: lines about what was decided, for whoever runs the machine. Each is made of names that this software
 * chose and a task's id alone: no text, address, person or host (invariant 3). Called by wiring.ts.
 */
import type { AuditEvent, AuditKind, AuditLog } from '../../kernel/powers/stores.ts'

/** From the shortest. Faults are logged at each. */
export const LOG_LEVELS = ['error', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What `info` logs: what was refused, asked, agreed to and changed. `debug` logs every line of the audit. */
const AT_INFO: readonly AuditKind[] = [
  ...(['fault', 'denial', 'event_rejected', 'restored', 'pause_changed'] as const),
  ...(['approval_asked', 'approval_decided', 'grant_changed', 'agreement_changed'] as const),
  ...(['identity_changed', 'secret_changed', 'device_enrolled', 'device_revoked'] as const),
]

/** Facts whose values are from a closed list of this software, and the form of each value. */
const SHOWN = ['code', 'decision', 'ok'] as const
const NAME = /^[a-z_]{1,40}$/
/** Ids are made here, of letters and digits. */
const ID = /^[a-z0-9]{1,64}$/i

/** The store, with a line for each audit row that the level shows, written after the row. */
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
