/**
 * Finds the owner's last change of a setting in the audit, with the call that undoes it. Must not run that
 * call. Called by `changes.undo` and by the reader of "undo that".
 */
import type { Undo } from '../../operations/caller.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, Clock } from '../../powers/ports.ts'
import type { ApprovalStore, AuditEvent, AuditTrail, StoreOf } from '../../powers/stores.ts'

export interface LastChange {
  /** Operation that made the change. */
  readonly operation: string
  /** Call that reverts it; null when none does. */
  readonly undo: Undo | null
  /** Epoch milliseconds. */
  readonly at: number
  /** True if no card was answered since. */
  readonly isNewest: boolean
}

/** Milliseconds in which a change can be undone, and maximum audit rows that are searched for it. */
const LATELY = 24 * 3_600_000
const MOST_LINES = 1_000

/** The last change by this principal. Skips `changes.undo` itself: the call that it made has a row of its own. */
export function lastChange(
  { store, now }: Clock & StoreOf<AuditTrail & ApprovalStore>,
  principal: string,
): LastChange | null {
  const lines = store.auditSince(now() - LATELY, MOST_LINES).filter(isTold)
  const line = changeIn(store, lines, principal)
  if (line === undefined) return null
  const { facts, at } = line
  const isNewest = !lines
    .slice(0, lines.indexOf(line))
    .some((one) => one.facts['ok'] === true && featureOf(one.facts) === 'approvals')
  const found = { operation: String(facts['operation']), at, isNewest }
  const { asked } = facts
  // The card is still open, so undoing means denying it.
  if (typeof asked === 'string')
    return { ...found, undo: { operation: 'approvals.deny', args: { which: asked } } }
  const by = facts['undo']
  if (typeof by !== 'string') return { ...found, undo: null }
  const named = Object.entries(facts).flatMap(([key, value]) =>
    key.startsWith(UNDO) && (typeof value === 'string' || typeof value === 'number')
      ? [[key.slice(UNDO.length), value] as const]
      : [],
  )
  const isOfRows = line.kind === PLANNED && facts['undo_which'] !== undefined
  const args = isOfRows ? { which: besides(lines, line) } : Object.fromEntries(named)
  return { ...found, undo: { operation: by, args } }
}

/** Whether no tool changed anything since the owner's last change of a setting, so that "undo that" refers to that change. */
export function isChangedLast(
  { store, now, registry }: Clock & Actions & StoreOf<AuditTrail & ApprovalStore>,
  principal: string,
): boolean {
  const lines = store.auditSince(now() - LATELY, MOST_LINES)
  const own = changeIn(store, lines, principal)
  if (own === undefined) return false
  // The row of an operation that a plan called names the plan's task in `within`.
  const by = own.task ?? own.facts['within'] ?? null
  return !lines.slice(0, lines.indexOf(own)).some(({ kind, task, facts }) => {
    if (kind !== 'tool_invoked' || facts['ok'] !== true || (task !== null && task === by)) return false
    const action = lookUpAction(registry, String(facts['tool']))
    return action.ok && action.value.semantics === 'write'
  })
}

/** The owner's newest change among these rows, which are sorted newest first. */
function changeIn(
  store: ApprovalStore,
  lines: readonly AuditEvent[],
  principal: string,
): AuditEvent | undefined {
  return lines.find(
    (one) => isTold(one) && one.facts['by'] === principal && isChange(one.facts) && !isOver(store, one.facts),
  )
}

/** Kind of audit row for a change by a plan: it has no `operation_called` row, but names the operation. */
const PLANNED = 'memory_changed'

function isTold({ kind, facts }: AuditEvent): boolean {
  return kind === 'operation_called' || (kind === PLANNED && typeof facts['undo'] === 'string')
}

/** All rows that this plan changed by the same operation: "tick off milk and bread" is undone as a whole. */
function besides(lines: readonly AuditEvent[], { task, facts }: AuditEvent): string {
  return lines
    .filter((one) => one.kind === PLANNED && one.task === task && one.facts['undo'] === facts['undo'])
    .map((one) => String(one.facts['undo_which']))
    .join(' ')
}

/** Answers to cards do not count: they change the subject of the card, which is not a setting. */
function isChange(facts: AuditEvent['facts']): boolean {
  if (facts['ok'] !== true) return false
  // The row with a card id records the change that the approval made.
  return typeof facts['card'] === 'string' || !['approvals', 'changes'].includes(featureOf(facts))
}

function featureOf({ operation }: AuditEvent['facts']): string {
  return String(operation).split('.')[0] ?? ''
}

/** Whether a card was sent and has been answered; the approval has a row of its own. */
function isOver(store: ApprovalStore, { asked }: AuditEvent['facts']): boolean {
  return typeof asked === 'string' && store.loadApproval(asked)?.approval.state !== 'pending'
}

const UNDO = 'undo_'
