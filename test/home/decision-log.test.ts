/** Lines of home's log: which a level shows, and that none holds more than names of this software (S-03, invariant 3). */
import { expect, test } from 'vitest'
import type { AuditEvent, AuditKind } from '../../kernel/powers/stores.ts'
import { type LogLevel, withLog } from '../../sidecar/process/decision-log.ts'

const SECRET = 'sk_live_canary'

function logged(level: LogLevel, kind: AuditKind, over: Partial<AuditEvent> = {}) {
  const lines: string[] = []
  const stored: AuditEvent[] = []
  const event: AuditEvent = {
    ...{ at: 0, place: 'home', kind, trace: null, task: 't1', principal: 'telegram:4711' },
    facts: { code: 'tool_unavailable', subject: SECRET, sink: 'sink:telegram:private' },
    ...over,
  }
  withLog(
    { appendAudit: (one) => void stored.push(one) },
    level,
    (line) => void lines.push(line),
  ).appendAudit(event)
  expect(stored).toEqual([event])
  return lines
}

test.each<[LogLevel, AuditKind, boolean]>([
  ['error', 'denial', false],
  ['error', 'egress', false],
  ['info', 'denial', true],
  ['info', 'approval_decided', true],
  ['info', 'secret_changed', true],
  ['info', 'egress', false],
  ['info', 'tool_invoked', false],
  ['debug', 'denial', true],
  ['debug', 'egress', true],
])('at %s a line about %s is written: %s', (level, kind, isWritten) =>
  expect(logged(level, kind)).toEqual(
    isWritten ? [`1970-01-01T00:00:00.000Z ${kind} code=tool_unavailable task=t1`] : [],
  ),
)

test.each<[string, Partial<AuditEvent>, string]>([
  ['a code that is none', { facts: { code: `${SECRET} and words` } }, ' task=t1'],
  [
    'a fact that is no code',
    { facts: { subject: SECRET, decision: 'approved', ok: true } },
    ' decision=approved ok=true task=t1',
  ],
  ['a name with upper case', { facts: { code: 'Sarah' } }, ' task=t1'],
  ['a task that is no id', { facts: {}, task: `t1 ${SECRET}` }, ''],
  ['a line break', { facts: { code: 'a\nb' }, task: 't\n1' }, ''],
])('a line holds no more than names and an id: %s', (_what, over, rest) =>
  expect(logged('debug', 'denial', over)).toEqual([`1970-01-01T00:00:00.000Z denial${rest}`]),
)
