/**
 * Puts the owner's own words in place of a text of a call that waits (F-11). That is no yes: the result is asked about again, under a new
 * id. Words that read as a change of something else, such as a time, are left to a plan. Must not decide. Called by transcript.ts and
 * shell.ts.
 */
import { CALLS } from '../../call/asked.ts'
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Sent } from '../../pipeline/route.ts'
import type { Auditing } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, AtPlace, OwnerChats, PolicySource, SecretScan } from '../../powers/ports.ts'
import { RAW_LIFETIME, type SealedKeeping, sealForLater } from '../../powers/sealed.ts'
import type { ApprovalStore, OutboxStore, StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import type { TypedAnswer } from '../../task/answer-words.ts'
import { type Approval, replace } from '../../task/approval.ts'
import { type EditWords, editInMessage, readsAsChange, readsAsCopy } from '../../task/edit-words.ts'
import type { TaskReports } from '../../task/outcome.ts'
import type { ToolStep } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { argName } from '../../tool/worded.ts'
import { holdsSecret } from '../../wording/guard/pasted.ts'
import { inEnglish } from '../../wording/language.ts'
import { cardDelivery } from './card-closing.ts'
import { type Decided, note } from './decisions.ts'
import type { OtherWords } from './port.ts'
import { isNumberOfOther, named, waitingOf } from './waiting.ts'

/** Ports needed to replace the text of a question. */
export type EditPorts = Auditing &
  AtPlace &
  SealedKeeping &
  PolicySource &
  Actions &
  SecretScan &
  OwnerChats &
  StoreOf<TaskStore & ApprovalStore>

/** Newest deliveries of a chat among which its last card is looked for. */
const LOOKED_BACK = 20

/**
 * Refusals: approval_unknown; secret_pasted; those of an approval; choice_ambiguous when several texts exist and none of them is known to
 * be meant; nothing_found when there is none; field_too_large.
 */
export async function editText(
  powers: EditPorts & StoreOf<Transactions>,
  lane: TaskReports,
  input: OtherWords,
): Promise<Result<Decided>> {
  const edit = await editing(powers, lane, { ...input, approval: named(powers, input.approval).id })
  return edit.ok ? powers.store.transaction(edit.value) : edit
}

/** Prepared here, and decided in the caller's transaction. `line`: the chat in which it was typed; else that of the question. */
async function editing(
  powers: EditPorts,
  lane: TaskReports,
  input: OtherWords,
  line?: string,
): Promise<Result<() => Result<Decided>>> {
  const { approval: id, principal, place } = input
  const stored = powers.store.loadApproval(id)
  const task = stored === null ? null : powers.store.loadTask(stored.approval.task)
  if (stored === null || task === null) return err('approval_unknown')
  const call = callOf(powers, task, stored.approval)
  const argument = call === null ? err('nothing_found') : textOf(call, input)
  if (!argument.ok) return argument
  if (holdsSecret(input.text, powers.known)) return err('secret_pasted')
  // Untainted, with the label of the owner's line.
  const chat = line ?? (task.principal === OWNER_PRINCIPAL ? task.sink : powers.adminSinks[0])
  const sink = powers.policy().sinks.find((one) => one.id === chat)
  if (sink === undefined) return err('sink_unknown')
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: task.principal, store: 'sessions', until } as const
  const words = receive(input.text, ownerWords(sink.id, sink.level))
  const sealed = await sealForLater(powers, keeping, words)
  return ok(() => {
    const waits = powers.store.loadApproval(id) ?? stored
    const replaced = replace(waits.approval, { principal, place, decision: 'approve', now: powers.now() })
    note(powers, waits, { ...input, decision: 'edit', result: replaced })
    if (!replaced.ok) return replaced
    const outcome = { got: 'edited', approval: id, argument: argument.value, ref: sealed.ref } as const
    const fitted = lane.report(task.id, outcome, () => {
      sealed.put()
      powers.store.saveApproval(replaced.value, null)
    })
    return fitted ? ok({ task: task.id, principal: task.principal }) : err('task_unknown')
  })
}

interface WaitingCall {
  readonly step: ToolStep
  readonly action: RegisteredAction
}

function callOf(powers: Actions, task: Task, { step: id, kind }: Approval): WaitingCall | null {
  const step = task.plan?.steps.find((candidate) => candidate.id === id)
  if (step?.do !== 'tool' || !CALLS.includes(kind)) return null
  const action = lookUpAction(powers.registry, step.tool)
  return action.ok ? { step, action: action.value } : null
}

/** By what its card calls it, in the owner's language or in English, or by its name. */
function isCalled({ action }: WaitingCall, name: string, said: string): boolean {
  const names = [name, argName(action, name), inEnglish(() => argName(action, name))]
  return names.some((one) => one.toLowerCase() === said.toLowerCase())
}

function argumentsOf({ action }: WaitingCall): readonly string[] {
  return Object.keys(action.args.fields)
}

const isText = ({ action }: WaitingCall, name: string): boolean => action.args.fields[name]?.kind === 'text'

/** The text that is meant where none is named: the one that is declared, else the only one that every such call has, else the only one. */
function usualText(call: WaitingCall): Result<string> {
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

function textOf(call: WaitingCall, { argument: said, text }: OtherWords): Result<string> {
  const name =
    said === undefined
      ? usualText(call)
      : argumentsOf(call).find((one) => isText(call, one) && isCalled(call, one, said))
  if (name === undefined) return err('nothing_found')
  if (typeof name !== 'string' && !name.ok) return name
  const own = typeof name === 'string' ? name : name.value
  const spec = call.action.args.fields[own]
  const max = spec !== undefined && 'max' in spec ? spec.max : undefined
  return max !== undefined && text.length > max ? err('field_too_large', { max }) : ok(own)
}

/** Null for a message that is no edit, and for one that a plan has to understand. Found before the transaction, decided in it. */
export async function hearEdit(
  powers: EditPorts & StoreOf<OutboxStore>,
  lane: TaskReports,
  { event, principal, chat }: Sent,
  over: (replaced: Approval) => void,
): Promise<(() => TypedAnswer) | null> {
  if (principal.id !== OWNER_PRINCIPAL || event.kind !== 'message' || event.attachments.length > 0)
    return null
  const said = event.edits === undefined && event.quoted.length === 0 ? editInMessage(event.text) : null
  if (said === null) return null
  const meant = said.which === '' ? cardToEdit(powers, chat.id) : named(powers, said.which).id
  // "Edit: …" says nothing but that; "edit profile: …" may be another request.
  if (meant === null) return said.field === '' ? () => ({ listed: [] }) : null
  if (said.which !== '' && isNumberOfOther(powers, said.which)) return () => ({ elsewhere: true })
  const stored = meant === 'several' ? null : powers.store.loadApproval(meant)
  if (stored === null)
    return () => ({ unchanged: meant === 'several' ? 'choice_ambiguous' : 'approval_unknown' })
  const { approval } = stored
  if (approval.state !== 'pending') return () => ({ ended: approval.id })
  const task = powers.store.loadTask(approval.task)
  const call = task === null ? null : callOf(powers, task, approval)
  const words = call === null ? said : wordsFor(call, said)
  if (words === null) return null
  const { field, text } = words
  const { id: by } = principal
  const input = { approval: approval.id, text, principal: by, place: event.place }
  const edit = await editing(powers, lane, { ...input, ...(field !== '' && { argument: field }) }, chat.id)
  if (!edit.ok) return () => ({ unchanged: edit.reason.code, of: approval.id })
  return () => {
    const done = edit.value()
    if (!done.ok) return { unchanged: done.reason.code, of: approval.id }
    over(approval)
    return { replaced: approval.id }
  }
}

/** Which text gets which words; null for a change that only a plan can make. */
function wordsFor(call: WaitingCall, said: EditWords): EditWords | null {
  const { field, text } = said
  const { action } = call
  if (field !== '') {
    const named = argumentsOf(call).filter((one) => isCalled(call, one, field))
    const isOther = named.length > 0 && !named.some((one) => isText(call, one))
    return isOther ? null : said
  }
  const isWorded = action.worded !== undefined || action.post !== undefined || action.adds !== undefined
  if (!isWorded) {
    const [, first = '', rest = ''] = /^(\S+)\s+(\S.*)$/su.exec(text) ?? []
    if (argumentsOf(call).some((one) => isText(call, one) && isCalled(call, one, first)))
      return { ...said, field: first, text: rest }
  }
  return (isWorded ? readsAsCopy(text) : readsAsChange(text)) ? null : said
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

/** The only call of this chat that waits; of several, the one whose card is the last that the chat was sent. Null where none waits. */
function cardToEdit(
  powers: StoreOf<TaskStore & ApprovalStore & OutboxStore>,
  sink: string,
): string | 'several' | null {
  const calls = waitingOf(powers).filter(
    ([{ approval }]) =>
      CALLS.includes(approval.kind) &&
      approval.change === null &&
      powers.store.loadTask(approval.task)?.sink === sink,
  )
  const [only, ...others] = calls
  if (only === undefined) return null
  if (others.length === 0) return only[0].approval.id
  const [newest] = powers.store.recentDeliveries(sink, LOOKED_BACK)
  const last = calls.find((group) => group.some(({ approval }) => cardDelivery(approval) === newest?.id))
  return last === undefined ? 'several' : last[0].approval.id
}
