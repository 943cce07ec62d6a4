/**
 * A call that waits for a yes, with its action and its texts: which of them an owner means who names none, and which card a chat means
 * that names none. Must not open a value. Called by what puts the owner's words on a card.
 */
import { CALLS } from '../../call/asked.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Sent } from '../../pipeline/route.ts'
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
import { cardDelivery } from './card-closing.ts'
import { type Waiting, waitingOf } from './waiting.ts'

/** Newest deliveries of a chat among which its last card is looked for. */
const LOOKED_BACK = 20

/** What the owner typed and sent alone; null for a message with a file or a quotation, for a later version of one, and from anybody else. */
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

/** By what its card calls it, in the owner's language or in English, or by its name. */
export function isCalled({ action }: WaitingCall, name: string, said: string): boolean {
  const names = [name, argName(action, name), inEnglish(() => argName(action, name))]
  return names.some((one) => one.toLowerCase() === said.toLowerCase())
}

export function argumentsOf({ action }: WaitingCall): readonly string[] {
  return Object.keys(action.args.fields)
}

export const isText = ({ action }: WaitingCall, name: string): boolean =>
  action.args.fields[name]?.kind === 'text'

/** The text that is meant where none is named: the one that is declared, else the only one that every such call has, else the only one. */
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

/** What a card calls its texts, of which each can be named in an edit. */
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

/** The calls of this chat that wait, and may be changed. */
export function callsIn(powers: StoreOf<TaskStore & ApprovalStore>, sink: string): readonly Waiting[] {
  return waitingOf(powers).filter(
    ([{ approval }]) =>
      CALLS.includes(approval.kind) &&
      approval.change === null &&
      powers.store.loadTask(approval.task)?.sink === sink,
  )
}

/** The only call of this chat that waits; of several, the one whose card is the last that the chat was sent. Null where none waits. */
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

/** The call whose card is the last that the chat was sent. */
export function newestCall(
  powers: StoreOf<TaskStore & ApprovalStore & OutboxStore>,
  sink: string,
): Waiting | undefined {
  const [newest] = powers.store.recentDeliveries(sink, LOOKED_BACK)
  return callsIn(powers, sink).find((group) =>
    group.some(({ approval }) => cardDelivery(approval) === newest?.id),
  )
}
