/**
 * Tool calls that wait for an approval: which waiting card a message refers to when it names none, and which
 * text of the call it changes. Must not open a value. Called by the files that apply corrections of the owner
 * to a card.
 */
import { CALLS } from '../../call/values/asked.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions } from '../../powers/ports.ts'
import type { ApprovalStore, OutboxStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { Approval } from '../../task/approval.ts'
import type { ToolStep } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { argName } from '../../tool/worded.ts'
import { inEnglish } from '../../wording/language.ts'
import type { Sent } from '../people/route.ts'
import { cardDelivery } from './card-closing.ts'
import { type Waiting, waitingOf } from './waiting.ts'

/** Number of newest deliveries of a chat that are searched for its last card. */
const LOOKED_BACK = 20

/** Text of a message of the owner without file, quotation or earlier version. Null for any other message. */
export function typedAlone({ event, principal }: Pick<Sent, 'event' | 'principal'>): string | null {
  if (principal.id !== OWNER_PRINCIPAL || event.kind !== 'message') return null
  const isAlone = event.attachments.length === 0 && event.quoted.length === 0 && event.edits === undefined
  return isAlone ? event.text : null
}

export interface WaitingCall {
  readonly step: ToolStep
  readonly action: RegisteredAction
}

export function callOf(powers: Actions, task: Task, { step: id, kind }: Approval): WaitingCall | null {
  const step = task.plan?.steps.find((candidate) => candidate.id === id)
  if (step?.do !== 'tool' || !CALLS.includes(kind)) return null
  const action = lookUpAction(powers.registry, step.tool)
  return action.ok ? { step, action: action.value } : null
}

/** Whether `said` is the argument's name, or its label on the card in the owner's language or in English. */
export function isCalled({ action }: WaitingCall, name: string, said: string): boolean {
  const names = [name, argName(action, name), inEnglish(() => argName(action, name))]
  return names.some((one) => one.toLowerCase() === said.toLowerCase())
}

export function argumentsOf({ action }: WaitingCall): readonly string[] {
  return Object.keys(action.args.fields)
}

export const isText = ({ action }: WaitingCall, name: string): boolean =>
  action.args.fields[name]?.kind === 'text'

/**
 * The text argument that a correction changes if it names none: the declared one, else the only required text
 * argument, else the only text argument of this call.
 */
export function usualText(call: WaitingCall): Result<string> {
  const { action, step } = call
  const own = action.worded ?? action.post?.field ?? action.adds?.text
  if (own !== undefined) return ok(own)
  const texts = argumentsOf(call).filter((name) => isText(call, name))
  const needed = texts.filter((name) => action.args.fields[name]?.optional !== true)
  const given = texts.filter((name) => Object.hasOwn(step.args, name))
  const [only, ...others] = needed.length === 1 ? needed : given
  if (only === undefined) return err('nothing_found')
  return others.length > 0 ? err('choice_ambiguous', { texts: others.length + 1 }) : ok(only)
}

/** Labels of the text arguments on the card. An edit may name any of them. */
export function textNames(
  powers: Actions & StoreOf<TaskStore & ApprovalStore>,
  id: string,
): readonly string[] {
  const approval = powers.store.loadApproval(id)?.approval
  const task = approval === undefined ? null : powers.store.loadTask(approval.task)
  const call = approval === undefined || task === null ? null : callOf(powers, task, approval)
  if (call === null) return []
  const { action, step } = call
  return argumentsOf(call)
    .filter((name) => isText(call, name) && (Object.hasOwn(step.args, name) || name === action.worded))
    .map((name) => argName(action, name))
}

/** Waiting calls of this chat that the owner may change. */
export function callsIn(powers: StoreOf<TaskStore & ApprovalStore>, sink: string): readonly Waiting[] {
  return waitingOf(powers).filter(
    ([{ approval }]) =>
      CALLS.includes(approval.kind) &&
      approval.change === null &&
      powers.store.loadTask(approval.task)?.sink === sink,
  )
}

/**
 * The waiting call of this chat. If there are several, the one whose card was sent last. Null if none waits.
 */
export function cardToEdit(
  powers: StoreOf<TaskStore & ApprovalStore & OutboxStore>,
  sink: string,
): string | 'several' | null {
  const calls = callsIn(powers, sink)
  const [only, ...others] = calls
  if (only === undefined) return null
  if (others.length === 0) return only[0].approval.id
  return newestCall(powers, sink)?.[0].approval.id ?? 'several'
}

/**
 * The waiting call whose card was sent last to this chat. Answers to messages that did nothing are ignored: they only repeat that
 * a card waits.
 */
export function newestCall(
  powers: StoreOf<TaskStore & ApprovalStore & OutboxStore>,
  sink: string,
): Waiting | undefined {
  const newest = powers.store
    .recentDeliveries(sink, LOOKED_BACK)
    .find(({ kind, task }) => kind !== 'answer' || !didNothing(powers, task))
  return callsIn(powers, sink).find((group) =>
    group.some(({ approval }) => cardDelivery(approval) === newest?.id),
  )
}

function didNothing({ store }: StoreOf<TaskStore>, id: string | null): boolean {
  const task = id === null ? null : store.loadTask(id)
  if (task?.typed !== undefined) return 'unchanged' in task.typed
  return task?.plan?.steps.length === 0
}
