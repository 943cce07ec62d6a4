/**
 * Cards of calls with a list whose rows can be left out: which calls these are, and how many rows a card
 * shows. Must not look at content except to count. Called by leave-out.ts and asking.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import type { ToolStep } from '../../task/plan.ts'
import type { Task } from '../../task/task.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { waitingOf } from './waiting.ts'

/** A waiting call with a list of rows. */
export interface RowCard {
  readonly approval: Approval
  readonly task: Task
  readonly step: ToolStep
  readonly action: RegisteredAction
  /** The argument with the rows, and its maximum number of rows. */
  readonly argument: string
  readonly most: number
}

export type CardsPorts = Actions & StoreOf<TaskStore & ApprovalStore>
export function rowCardOf(powers: CardsPorts, approval: Approval): RowCard | null {
  const { kind, task: id, step: name } = approval
  const task = id === '' ? null : powers.store.loadTask(id)
  const step = task?.plan?.steps.find((one) => one.id === name)
  if (task === null || step?.do !== 'tool' || (kind !== 'tainted_write' && kind !== 'declassification'))
    return null
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok) return null
  const lists = Object.entries(action.value.args.fields).flatMap(([argument, spec]) =>
    spec.kind === 'list' && spec.of.kind === 'record' && Object.hasOwn(step.args, argument)
      ? [{ argument, most: spec.max }]
      : [],
  )
  const [list, ...others] = lists
  return list === undefined || others.length > 0
    ? null
    : { approval, task, step, action: action.value, ...list }
}

export function rowCardsIn(powers: CardsPorts, sink: string): readonly RowCard[] {
  return waitingOf(powers).flatMap((group) => {
    const card = group.length > 1 ? null : rowCardOf(powers, group[0].approval)
    return card?.task.sink === sink ? [card] : []
  })
}

/** Maximum rows with a button each: as many as fit under a message of any service, beside the other buttons. */
const MOST_BUTTONS = 20
const ROW = /^ {4}\d{1,3}\. /gm

/** Number of rows that get a button; 0 for a card without rows, or with too many. */
export function rowsOn(card: Labeled<string>): number {
  const counts = Array.from({ length: MOST_BUTTONS }, (_, at) => at + 1)
  const count = counts.find((one) => test(card, (text) => (text.match(ROW) ?? []).length === one)) ?? 0
  // A single row needs no button: leaving it out would be a denial.
  return count > 1 ? count : 0
}
